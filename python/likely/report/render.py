"""The Jinja environment of all pages. Its autoescape, after `visible`, is the only escaping."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from likely import terminal
from likely.core.calibration import ENOUGH
from likely.evaluation.evaluation import ENOUGH_FOR_PROBABILITIES, PROBABILISTIC
from likely.explanation.words import STEM_NOTE

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_IN_SCRIPTS = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""What could end a script element, or a line of a script, is written as a JSON escape."""
_INLINE = {
    "script-src": re.compile(r'<script type="module">(.*?)</script>', re.DOTALL),
    "style-src": re.compile(r"<style>(.*?)</style>", re.DOTALL),
}
TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"
"""A policy by which no script can turn a text into markup or into a script."""
LONGEST_NAME = 60
"""Notebooks show at most this many characters of a label or a term; the tooltip has more."""


def render(template: str, **context: Any) -> str:
    """A template of ``report/templates`` with its values. Jinja is loaded on first use."""
    return _environment().get_template(template).render(**context)


def markup(html: str) -> Markup:
    """HTML that a template must not escape."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - only called with what `render` made, and with our own styles and scripts


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("likely.report"),
        autoescape=select_autoescape(["html"]),
        # Markup is printed as it is, any other value is made visible; Jinja escapes it afterwards.
        finalize=lambda value: value if hasattr(value, "__html__") else visible(value),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "percent": percent,
        "number": terminal.number,
        "thousands": terminal.thousands,
        "counted": terminal.counted,
        "lines": lines,
        "visible": visible,
    }
    environment.globals |= {"LONGEST_NAME": LONGEST_NAME, "STEM_NOTE": STEM_NOTE, "PROBABILISTIC": PROBABILISTIC}
    environment.globals |= {"ENOUGH": ENOUGH, "ENOUGH_FOR_PROBABILITIES": ENOUGH_FOR_PROBABILITIES}
    return environment


def visible(text: object) -> str:
    r"""The text on one line, with control characters and direction marks made visible.

    Examples
    --------
    >>> visible("a\n  b\u202ec\x00")
    'a b\\u202ec\\x00'
    """
    spaced = "".join(" " if c.isspace() and ord(c) < 128 else c for c in str(text))
    return terminal.printable(re.sub(" {2,}", " ", spaced))


def lines(text: object) -> Markup:
    """The text as HTML that keeps its lines."""
    from markupsafe import escape

    return escape("\n".join(map(terminal.printable, str(text).split("\n"))))


def percent(value: float | None) -> str:
    r"""A share in percent, which is not separated from its sign at the end of a line.

    Examples
    --------
    >>> percent(0.88972), percent(None), percent(0.99996)
    ('89.0%', 'undefined', '>\xa099.9%')
    """
    return "undefined" if value is None else terminal.percent(value).replace(" ", "\u00a0")


def script_json(document: object) -> Markup:
    r"""The document as JSON that can stand in a script element.

    Examples
    --------
    >>> print(script_json({"text": "</script><!--"}))
    {"text":"\u003c/script\u003e\u003c!--"}
    """
    plain = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return markup(plain.translate(_IN_SCRIPTS))


def policy(page: str) -> str:
    """A content security policy that allows the inline modules and styles of a page by their hashes, nothing else.

    Examples
    --------
    >>> policy("<style>a{}</style>")  # doctest: +ELLIPSIS
    "default-src 'none'; ...; style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"
    """
    rules = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", TRUSTED_TYPES]
    for directive, inline in _INLINE.items():
        digests = (hashlib.sha256(text.encode()).digest() for text in inline.findall(page))
        hashes = dict.fromkeys(f"'sha256-{base64.b64encode(each).decode()}'" for each in digests)
        if hashes:
            rules.append(" ".join([directive, *hashes]))
    return "; ".join(rules)


def styles(*paths: str) -> Markup:
    """The style sheets of ``data`` as one element."""
    data = resources.files("likely") / "data"
    return markup(f"<style>{''.join(data.joinpath(path).read_text(encoding='utf-8') for path in paths)}</style>")
