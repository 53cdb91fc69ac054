"""The live part as a page of its own, which opens from disk and asks for nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import TYPE_CHECKING

from likely.reports.live.part import part_of
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.reports.live.model_file import LiveModel

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50em;margin:1.5em auto;padding:0 1em}"
    "h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.1em}"
)
_INLINE = {
    "script-src": re.compile(r'<script type="module">(.*?)</script>', re.DOTALL),
    "style-src": re.compile(r"<style>(.*?)</style>", re.DOTALL),
}


def live_page(live: LiveModel, title: str) -> str:
    """A whole page in which a reader can try a model.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reports.live.model_file import live_model
    >>> page = live_page(live_model(NaiveBayes().fit(["a"], [1])._snapshot()), "reviews & more")
    >>> "<title>reviews &amp; more</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    shown = html.escape(printable(title))
    body = f"<style>{_STYLE}</style>\n<body>\n<main><h1>{shown}</h1>\n{part_of(live)}</main>\n</body>\n</html>\n"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(body)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown}</title>\n{body}"
    ).replace("</style>\n<body>", "</style>\n</head>\n<body>", 1)


def policy(page: str) -> str:
    """A content security policy that allows the inline modules and styles of a page by their hashes, nothing else.

    Examples
    --------
    >>> policy("<style>a{}</style>")
    "default-src 'none'; style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"
    """
    rules = ["default-src 'none'"]
    for directive, inline in _INLINE.items():
        hashes = dict.fromkeys(_hash(each) for each in inline.findall(page))
        if hashes:
            rules.append(" ".join([directive, *hashes]))
    return "; ".join(rules)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
