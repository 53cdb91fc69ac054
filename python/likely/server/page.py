"""The page of the server: which files it consists of, and what a browser may do with them."""

from __future__ import annotations

from functools import cache
from importlib import resources

from starlette.responses import Response

from likely.report.render import TRUSTED_TYPES

POLICY = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", TRUSTED_TYPES),
    ]
)
"""The content security policy of the page: its own files and its own server, no inline script or style, no frame,
and no text that becomes markup."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""The headers of every file of the page. A browser asks each time whether a file has changed (by its ``etag``)."""

_HTML, _STYLE = "text/html", "text/css"
_TYPES = {"css": _STYLE, "js": "text/javascript"}
_FILES = {
    "/": ("server/index.html", _HTML),
    "/page/page.css": ("page/page.css", _STYLE),  # the page looks like the report
}


@cache
def files() -> dict[str, Response]:
    """All files of the page by their paths on the server; no other path is read from the disk.

    Examples
    --------
    >>> files()["/"].headers["content-type"]
    'text/html; charset=utf-8'
    >>> bytes(files()["/page/main.js"].body)[:12]
    b'// The page:'
    """
    found, data = dict(_FILES), resources.files("likely").joinpath("data")
    for folder in ("server", "shared"):
        for name in sorted(each.name for each in data.joinpath(folder).iterdir()):
            if (end := name.partition(".")[2]) in _TYPES:
                found[f"/page/{name}"] = (f"{folder}/{name}", _TYPES[end])
    return {path: _file(name, media_type) for path, (name, media_type) in found.items()}


def _file(name: str, media_type: str) -> Response:
    body = resources.files("likely").joinpath("data", *name.split("/")).read_bytes()
    return Response(body, headers=HEADERS, media_type=media_type)
