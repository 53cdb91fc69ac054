"""Whether the caller of training wants options to be chosen."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError
from likely.model.train import training_options


@pytest.mark.parametrize(
    ("options", "tune"),
    [
        ({}, "auto"),
        ({"threads": 2, "calibrate": False}, "auto"),
        ({"alpha": 0.5}, None),
        ({"task": "spam"}, None),
        ({"prefer": "strongest", "alpha": 0.5}, "auto"),
        ({"prefer": None, "alpha": 0.5}, None),
        ({"prefer": "small", "alpha": 0.5}, "auto"),
        ({"budget": 3, "alpha": 0.5}, "auto"),
        ({"tune": "accuracy", "alpha": 0.5}, "accuracy"),
        ({"tune": None}, None),
    ],
    ids=str,
)
def test_options_are_chosen_if_none_is_given_or_if_asked(options: dict[str, Any], tune: str | None) -> None:
    completed = training_options(options)
    assert completed.get("tune") == tune
    assert {name: completed[name] for name in options} == options


def test_plain_chooses_nothing() -> None:
    assert training_options({"threads": 2}, plain=True) == {"threads": 2}


@pytest.mark.parametrize(
    ("plain", "options", "message"),
    [
        (True, {"alpha": 0.5}, r"no other options \(alpha\)"),
        (True, {"prefer": "strongest"}, r"no other options \(choosing options\)"),
        (True, {"budget": "10s"}, r"no other options \(choosing options\)"),
        (True, {"tune": "auto"}, r"no other options \(choosing options\)"),
        (1, {}, "plain=1 is not allowed"),
    ],
    ids=str,
)
def test_contradictions_are_refused(plain: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        training_options(options, plain=plain)


def test_plain_may_say_what_changes_nothing_that_is_learned() -> None:
    options = {"threads": 2, "calibrate": False, "tune": None}
    assert training_options(options, plain=True) == options
