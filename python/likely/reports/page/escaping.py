"""Texts and data made safe for a page: nothing that a text contains can become markup, script or layout."""

from __future__ import annotations

import html
import json

from likely.terminal import printable

_IN_SCRIPTS = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""What could end a script element, or a line of a script, is written as an escape of JSON."""


def visible(text: object) -> str:
    r"""The text on one line, with control characters and direction marks made visible.

    Examples
    --------
    >>> visible("a\n  b\u202ec\x00")
    'a b\\u202ec\\x00'
    """
    spaced = "".join(" " if c.isspace() and ord(c) < 128 else c for c in str(text))
    return printable(spaced if "  " not in spaced else _single_spaces(spaced))


def _single_spaces(text: str) -> str:
    inner = " ".join(each for each in text.split(" ") if each)
    return f"{' ' * text.startswith(' ')}{inner}{' ' * (text.endswith(' ') and bool(inner))}"


def escaped(text: object) -> str:
    """The text as HTML, also within quotes of an attribute.

    Examples
    --------
    >>> escaped('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(visible(text))


def isolated(text: object) -> str:
    """The text as HTML whose direction of writing does not change that of its surroundings.

    Examples
    --------
    >>> isolated("a < b")
    '<bdi>a &lt; b</bdi>'
    """
    return f"<bdi>{escaped(text)}</bdi>"


def script_json(document: object) -> str:
    r"""The document as JSON that can stand in a script element.

    Examples
    --------
    >>> script_json({"text": "</script><!--"})
    '{"text":"\\u003c/script\\u003e\\u003c!--"}'
    """
    plain = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return plain.translate(_IN_SCRIPTS)
