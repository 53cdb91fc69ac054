"""The table of operations and its OpenAPI document."""

from __future__ import annotations

import json
import re
from typing import cast

from likely.server.app import OPERATIONS
from likely.server.openapi import document, problems_of

DOCUMENT = document(OPERATIONS, "1.0")


def test_every_reference_is_there() -> None:
    text = json.dumps(DOCUMENT)
    schemas = cast("dict[str, dict[str, object]]", DOCUMENT["components"])["schemas"]
    named = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert named == set(schemas)


def test_every_operation_has_a_name_of_its_own_and_its_answers() -> None:
    paths = cast("dict[str, dict[str, dict[str, object]]]", DOCUMENT["paths"])
    operations = {route: paths[route.path][route.method.lower()] for route in OPERATIONS}
    assert len({operation["operationId"] for operation in operations.values()}) == len(OPERATIONS)
    for route, operation in operations.items():
        assert list(cast("dict[str, object]", operation["responses"])) == ["200", *map(str, problems_of(route))]
        assert ("requestBody" in operation) == (route.method == "POST")


def test_every_operation_says_what_it_does() -> None:
    for operation in OPERATIONS:
        assert operation.summary.endswith("."), operation.path


def test_limits_are_documented_where_they_are_checked() -> None:
    schemas = cast("dict[str, dict[str, dict[str, dict[str, object]]]]", DOCUMENT["components"])["schemas"]
    texts = cast("dict[str, list[dict[str, object]]]", schemas["PredictRequest"]["properties"]["texts"])["anyOf"][0]
    assert (texts["maxItems"], texts["items"]) == (
        10_000,
        {"description": "A text.", "type": "string", "maxLength": 1_000_000},
    )
    assert not schemas["PredictRequest"]["additionalProperties"]
