"""Single values as text or JSON."""

from __future__ import annotations

import json
import math
from datetime import date
from typing import Any

import pytest
from likely.batch.writers import plain, to_json
from likely.core.decisions import check_unsure
from likely.errors import OptionError
from likely.terminal import UNSURE


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1, math.inf, {"b": math.nan}], "c": "NaN"}, {"a": [1, None, {"b": None}], "c": "NaN"}),
        (-math.inf, None),
        ([True, None, 0.5], [True, None, 0.5]),
        ({"day": date(2020, 2, 3), "raw": b"\xff"}, {"day": "2020-02-03", "raw": "\ufffd"}),
        ([date(2020, 2, 3), math.nan], ["2020-02-03", None]),
    ],
)
def test_every_value_is_valid_json(value: Any, expected: Any) -> None:
    def refuse(name: str) -> None:
        pytest.fail(f"{name} is not JSON")

    assert json.loads(to_json(value), parse_constant=refuse) == expected


def test_as_text() -> None:
    assert (plain("é".encode()), plain(3), plain(None)) == ("é", "3", "None")


def test_a_class_cannot_be_confused_with_an_abstention() -> None:
    check_unsure(["+", UNSURE], None)
    check_unsure(["+", "-"], 0.9)
    check_unsure(["+", UNSURE], {"probability": 0.9, "label": "nobody knows"})
    with pytest.raises(OptionError, match="a class is named 'unsure', as tables name an abstention"):
        check_unsure(["+", UNSURE], 0.9)
