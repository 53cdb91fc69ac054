"""The OpenAPI document, made from the table of operations and the types of requests and answers, and its page."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import TYPE_CHECKING, cast

from jinja2 import Environment
from msgspec.json import schema_components

from likely.server.access import MAIL
from likely.server.messages import Problem

if TYPE_CHECKING:
    from likely.server.app import Operation

ALWAYS = (400, 401, 403, 421, 503)
"""Problems that every operation may answer with."""
OF_BODIES = (408, 413, 415, 422)
"""Problems that every operation with a body may answer with."""
OpenAPI = dict[str, object]


def problems_of(operation: Operation) -> list[int]:
    """The statuses of all problems of an operation, sorted.

    Examples
    --------
    >>> from likely.server.app import OPERATIONS
    >>> problems_of(OPERATIONS[0])[:4]
    [400, 401, 403, 408]
    """
    bodies = OF_BODIES if operation.method == "POST" else ()
    return sorted({*operation.problems, *ALWAYS, *bodies})


@cache
def document(operations: tuple[Operation, ...], version: str) -> OpenAPI:
    """The document of all operations.

    Examples
    --------
    >>> from likely.server.app import OPERATIONS
    >>> sorted(document(OPERATIONS, "1.0")["paths"])[:3]
    ['/classes', '/docs', '/drift']
    """
    takes = [each.takes for each in operations]
    gives = [each.gives for each in operations if each.gives is not None]
    types: list[type] = list(dict.fromkeys([*takes, *gives, Problem]))
    refs, components = schema_components(types, ref_template="#/components/schemas/{name}")
    schemas: dict[type, OpenAPI] = dict(zip(types, refs, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = {
            "operationId": each.handler.__name__,
            "summary": each.summary,
            "security": [{}] if each.right == "open" else [{}, {"token": []}],
            "x-right": each.right,
            "parameters": _parameters(each, components),
            "responses": _responses(each, schemas),
            **_body(each, schemas),
        }
    for query in {each.takes.__name__ for each in operations if each.method == "GET"}:
        components.pop(query, None)
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


def _parameters(operation: Operation, components: OpenAPI) -> list[OpenAPI]:
    """The term in the path, the query, and the idempotency key."""
    found: list[OpenAPI] = []
    if "{term}" in operation.path:
        found.append({"name": "term", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}})
    if operation.method == "GET":
        query = cast("dict[str, OpenAPI]", components[operation.takes.__name__])
        found += [{"name": name, "in": "query", "schema": each} for name, each in query["properties"].items()]
    elif operation.right == "learn":
        about = "A request with the same key is done once, however often it comes."
        schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}
        found.append({"name": "Idempotency-Key", "in": "header", "description": about, "schema": schema})
    return found


def _body(operation: Operation, schemas: dict[type, OpenAPI]) -> OpenAPI:
    if operation.method == "GET":
        return {}
    content: OpenAPI = {"application/json": {"schema": schemas[operation.takes]}}
    if "text" in operation.takes.__struct_fields__:
        content[MAIL] = {"schema": {"type": "string", "description": "A message; all other fields are in the query."}}
    return {"requestBody": {"required": True, "content": content}}


def _responses(operation: Operation, schemas: dict[type, OpenAPI]) -> OpenAPI:
    good: OpenAPI = {"description": "The answer."}
    if operation.gives is not None:
        good["content"] = {"application/json": {"schema": schemas[operation.gives]}}
    problem = {"application/problem+json": {"schema": schemas[Problem]}}
    problems = {
        str(status): {"description": HTTPStatus(status).phrase, "content": problem}
        for status in problems_of(operation)
    }
    return {"200": good, **problems}


def docs_page(openapi: OpenAPI) -> str:
    """The document as a page without any script.

    Examples
    --------
    >>> from likely.server.app import OPERATIONS
    >>> docs_page(document(OPERATIONS, "1.0"))[:15]
    '<!doctype html>'
    """
    template = resources.files("likely").joinpath("data", "server", "docs.html").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(template).render(openapi)
