"""What is remembered of a search: the command that repeats it, and what is believed of a document."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from likely.core.tuning_record import MOST_TRIALS, Trial, Tuning, not_default, option_text, tuning_from

BEST = Trial({"variant": "binary", "ngrams": (1, 2)}, "leave-one-out", 0.4, 0.8, 0.7, -0.4)
PLAIN = Trial({}, "cross-validation", 0.5, 0.7, 0.6, -0.5)
TUNING = Tuning("auto", 100, 200, [BEST, PLAIN])


def test_it_comes_back_from_json() -> None:
    assert tuning_from(json.loads(json.dumps(TUNING.to_dict()))) == TUNING
    sized = replace(TUNING, trials=[replace(PLAIN, terms=5, lookups=1.5)])
    assert tuning_from(json.loads(json.dumps(sized.to_dict()))) == sized


def test_the_trials_of_older_files_have_no_sizes() -> None:
    older = {name: value for name, value in PLAIN.__dict__.items() if name not in ("terms", "lookups")}
    assert tuning_from(TUNING.to_dict() | {"trials": [older]}).trials == [PLAIN]


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, "--plain"),
        ({"lowercase": False}, "--no-lowercase"),
        ({"stop_words": ["a", "b"], "alpha": 0.25}, "--stop-words a,b --alpha 0.25"),
        ({"document_weight": "equal"}, "--document-weight equal"),
    ],
)
def test_the_command_has_the_options_of_the_best_trial(options: dict[str, Any], flags: str) -> None:
    tuning = Tuning("accuracy", 1, 1, [Trial(options, "leave-one-out", 1.0, 1.0, 1.0, 1.0), BEST])
    assert tuning.options == options
    assert tuning.command == f"likely train DATA -o MODEL {flags}"


def test_values_are_shown_as_they_are_typed() -> None:
    assert [option_text(value) for value in ((1, 3), ["a", "b"], 0.5, "en")] == ["1,3", "a,b", "0.5", "en"]


def test_what_says_nothing_about_what_is_learned_is_left_out_and_the_table_gives_the_order() -> None:
    given = {
        "threads": 3,
        "calibrate": True,
        "abstain": 0.9,
        "ngrams": (1, 2),
        "alpha": 0.5,
        "variant": "multinomial",
    }
    assert list(not_default(given).items()) == [("alpha", 0.5), ("ngrams", (1, 2))]


@pytest.mark.parametrize(
    "change",
    [
        {"tune_for": "recall"},
        {"tune_for": None},
        {"documents": True},
        {"documents": -1},
        {"of": 2**53},
        {"trials": []},
        {"trials": [PLAIN.__dict__] * (MOST_TRIALS + 1)},
        {"trials": [PLAIN.__dict__ | {"way": "guessing"}]},
        {"trials": [PLAIN.__dict__ | {"value": float("nan")}]},
        {"trials": [PLAIN.__dict__ | {"accuracy": "1"}]},
        {"trials": [PLAIN.__dict__ | {"options": {"alpha": 1.0}}]},  # which is the default
        {"trials": [PLAIN.__dict__ | {"options": {"alpha": -1}}]},
        {"trials": [PLAIN.__dict__ | {"more": 1}]},
        {"trials": [PLAIN.__dict__ | {"terms": "5"}]},
        {"trials": [PLAIN.__dict__ | {"lookups": -1.0}]},
        {"more": 1},
    ],
    ids=str,
)
def test_nothing_else_is_believed(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whoever reads a model file says the rest
        tuning_from(TUNING.to_dict() | change)
