"""An evaluation as plain data is JSON, and small for many classes."""

from __future__ import annotations

import json

from likely import evaluate
from likely.evaluation.evaluation import MOST_CONFUSED, MOST_IN_JSON


def test_everything_is_there() -> None:
    found = evaluate(["a", "b", "b"], ["a", None, "a"], probabilities=[[0.9, 0.1], [0.5, 0.5], [1.0, 0.0]])
    plain = found.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["majority"] == {"label": "b", "share": 2 / 3}
    assert (plain["abstained"], plain["answered"], plain["accuracy_of_answered"]) == (1, 1 - 1 / 3, 0.5)
    assert plain["per_class"][0]["f1"] == plain["per_class"][0]["f"] == 2 / 3
    assert [row["support"] for row in plain["per_class"]] == [1, 2]
    assert plain["source"] == "a test set"
    assert plain["mistakes"][0]["row"] == 2
    assert plain["ranking"] is not None
    assert plain["ranking"]["labels"] == ["a", "b"]
    assert plain["intervals"]["accuracy"]["low"] == 0
    assert len(plain["intervals"]) == 8


def test_many_classes_have_no_matrix() -> None:
    gold = list(range(MOST_IN_JSON + 1))
    plain = evaluate(gold, gold[1:] + gold[:1]).to_dict()
    assert plain["confusion"] is None
    assert len(plain["confused"]) == MOST_CONFUSED
