"""The page of the OpenAPI document: plain HTML without any script."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from likely.server.http.openapi import Document

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 6px; }
summary { cursor: pointer; padding: 0.25rem 0; }
td, th { text-align: left; padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
"""

POLICY = (
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    + "'"
)
"""The content security policy: nothing but this one style."""


def docs_page(document: Document) -> str:
    """The document as a page.

    Examples
    --------
    >>> from likely.server.http.openapi import document
    >>> docs_page(document("1.0"))[:15]
    '<!doctype html>'
    """
    info = cast("dict[str, str]", document["info"])
    paths = cast("dict[str, dict[str, Document]]", document["paths"])
    components = cast("dict[str, Document]", document["components"])
    operations = [
        _operation(method, path, operation) for path, each in paths.items() for method, operation in each.items()
    ]
    types = [
        f"<details><summary><code>{html.escape(name)}</code></summary>{_json(schema)}</details>"
        for name, schema in sorted(components["schemas"].items())
    ]
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(info['title'])}: HTTP interface</title><style>{STYLE}</style></head><body>",
            f"<h1>{html.escape(info['title'])} {html.escape(info['version'])}</h1>",
            f"<p>{html.escape(info['description'])} ",
            'The same as a document: <a href="/openapi.json">openapi.json</a>.</p><h2>Routes</h2>',
            *operations,
            "<h2>Types</h2>",
            *types,
            "</body></html>",
        ]
    )


def _operation(method: str, path: str, operation: Document) -> str:
    rights = {"open": "open to all", "predict": "any token", "learn": "learn token"}
    title = f"<code>{method.upper()} {html.escape(path)}</code> {html.escape(str(operation['summary']))}"
    right = f"<p>If there are tokens: {rights[str(operation['x-right'])]}.</p>"
    return f"<details><summary>{title}</summary>{right}{_json(operation)}</details>"


def _json(value: object) -> str:
    return f"<pre>{html.escape(json.dumps(value, indent=2))}</pre>"
