"""`GET /openapi.json` and its page, `GET /docs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.json import encode

from likely.server.http.content import Content, page_headers
from likely.server.http.docs_page import POLICY, docs_page

if TYPE_CHECKING:
    from likely.server.http.handlers.looking import NoQuery
    from likely.server.http.service import Call, Service


async def openapi(service: Service, call: Call, query: NoQuery) -> Content:
    """The interface as an OpenAPI document."""
    del call, query
    from likely.server.http.openapi import document  # it is made from the table, which names this handler

    return Content(encode(document(service.version)), "application/json")


async def docs(service: Service, call: Call, query: NoQuery) -> Content:
    """The interface as a page."""
    del call, query
    from likely.server.http.openapi import document

    return Content(docs_page(document(service.version)).encode(), "text/html; charset=utf-8", page_headers(POLICY))
