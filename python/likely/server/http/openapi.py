"""The OpenAPI document, made from the table of routes and the types of requests and answers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, cast

from msgspec.json import schema_components

from likely.server.http.content import Content
from likely.server.http.messages import Problem
from likely.server.http.problems import title_of
from likely.server.http.routes import ROUTES

if TYPE_CHECKING:
    from likely.server.http.routes import Route

ALWAYS = (400, 401, 403, 421, 503)
"""Problems that every route may answer with."""
OF_BODIES = (408, 413, 415, 422)
"""Problems that every route with a body may answer with."""
Document = dict[str, object]


def problems_of(route: Route) -> list[int]:
    """The statuses of all problems of a route, sorted.

    Examples
    --------
    >>> problems_of(ROUTES[0])[:4]
    [400, 401, 403, 408]
    """
    bodies = OF_BODIES if route.method == "POST" else ()
    return sorted({*route.problems, *ALWAYS, *bodies})


@cache
def document(version: str) -> Document:
    """The document of all routes.

    Examples
    --------
    >>> sorted(document("1.0")["paths"])[:3]
    ['/classes', '/docs', '/drift']
    """
    takes = [route.takes for route in ROUTES]
    gives = [route.gives for route in ROUTES if route.gives is not Content]
    types: list[type] = list(dict.fromkeys([*takes, *gives, Problem]))
    refs, components = schema_components(types, ref_template="#/components/schemas/{name}")
    schemas: dict[type, Document] = dict(zip(types, refs, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for route in ROUTES:
        operation = _operation(route, schemas, components)
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    for unneeded in {route.takes.__name__ for route in ROUTES if route.method == "GET"}:
        components.pop(unneeded, None)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "likely",
            "version": version,
            "description": "Naive Bayes text classification: predict, explain, learn and forget.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route, schemas: dict[type, Document], components: Document) -> Document:
    found: Document = {
        "operationId": _name(route),
        "summary": route.summary,
        "security": [{}] if route.right == "open" else [{}, {"token": []}],
        "x-right": route.right,
        "parameters": [*_places(route), *_query(route, components), *_headers(route)],
        "responses": _responses(route, schemas),
    }
    if route.method == "POST":
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schemas[route.takes]}}}
    return found


def _name(route: Route) -> str:
    return route.handler.__name__


def _places(route: Route) -> list[Document]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]


def _query(route: Route, components: Document) -> list[Document]:
    if route.method != "GET":
        return []
    schema = cast("dict[str, dict[str, Document]]", components[route.takes.__name__])
    return [{"name": name, "in": "query", "schema": each} for name, each in schema["properties"].items()]


def _headers(route: Route) -> list[Document]:
    if route.right != "learn" or route.method != "POST":
        return []
    about = "A request with the same key is done once, however often it comes."
    schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
    return [{"name": "Idempotency-Key", "in": "header", "description": about, "schema": schema}]


def _responses(route: Route, schemas: dict[type, Document]) -> Document:
    good: Document = {"description": "The answer."}
    if route.gives is not Content:
        good["content"] = {"application/json": {"schema": schemas[route.gives]}}
    problem = {"application/problem+json": {"schema": schemas[Problem]}}
    others = {str(status): {"description": title_of(status), "content": problem} for status in problems_of(route)}
    return {"200": good, **others}
