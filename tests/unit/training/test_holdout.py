"""Rows that are held out: whole groups of copies, by class, and the same in every reading."""

from __future__ import annotations

from typing import Any, get_args

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely._native import copy_numbers
from likely.errors import ArgumentError, SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus
from likely.training.sample import Plan, Side, plan_holdout

Rows = list[dict[str, Any]]
DISTINCT = [
    {"text": f"text {at}", "label": "rare" if at < 3 else "often", "author": f"{at % 40}"} for at in range(200)
]


def plan_of(rows: Rows, share: float, **reading: Any) -> Plan:
    corpus = Corpus(rows, ReadingOptions(text="text", label="label", allow_partial=True, **reading))
    return plan_holdout(corpus.training_batches(afresh=True), share)


def side_of(plan: Plan, side: Side, rows: Rows, **reading: Any) -> list[str]:
    corpus = Corpus(rows, ReadingOptions(text="text", label="label", **reading), split=plan.split(side))
    return [text for batch in corpus for text in batch.texts.to_pylist()]


def test_the_sides_are_all_rows_and_a_rare_class_is_on_both() -> None:
    plan = plan_of(DISTINCT, 0.2)
    learned, held = side_of(plan, "learned", DISTINCT), side_of(plan, "held out", DISTINCT)
    assert sorted(learned + held) == sorted(row["text"] for row in DISTINCT)
    assert (plan.rows, plan.learned, plan.judged, plan.copies) == (200, len(learned), len(held), 0)
    assert len(held) == pytest.approx(40, abs=1)
    rare = {"text 0", "text 1", "text 2"}
    assert 0 < len(rare & set(held)) < 3
    assert plan.untested == []


texts = st.text("ab !é", min_size=1, max_size=4)


@settings(deadline=None)
@given(rows=st.lists(st.tuples(texts, st.sampled_from("xyz")), min_size=2, max_size=30), data=st.data())
def test_copies_stay_together_whatever_the_order_and_the_batches(rows: list[tuple[str, str]], data: Any) -> None:
    made: Rows = [{"text": text, "label": label} for text, label in rows]
    made += [{"text": "first", "label": "x"}, {"text": "second", "label": "x"}]
    plan = plan_of(made, 0.3)
    learned, held = (set(copy_numbers(side_of(plan, side, made)).tolist()) for side in get_args(Side)[:2])
    assert not learned & held
    turned = data.draw(st.permutations(made))
    again = plan_of(turned, 0.3)
    assert sorted(side_of(again, "held out", turned)) == sorted(side_of(plan, "held out", made))


def test_texts_that_differ_in_case_and_punctuation_are_copies() -> None:
    rows = [{"text": f"{way}", "label": "x"} for at in range(50) for way in (f"So good {at}!", f"so good - {at}")]
    plan = plan_of(rows, 0.3)
    held = {text.lower().replace("-", " ").replace("!", "").split()[-1] for text in side_of(plan, "held out", rows)}
    learned = {text.lower().replace("!", "").split()[-1] for text in side_of(plan, "learned", rows)}
    assert len(held) == 15
    assert not held & learned


def test_groups_stay_together_and_copies_of_what_was_learned_are_not_judged() -> None:
    rows = [*DISTINCT, *({"text": "the same everywhere", "label": "often", "author": f"{at}"} for at in range(40))]
    plan = plan_of(rows, 0.2, group="author")
    authors = {row["text"]: row["author"] for row in DISTINCT}
    learned, held, judged = (side_of(plan, side, rows, group="author") for side in get_args(Side))
    assert not {authors.get(text) for text in learned} & {authors.get(text) for text in held} - {None}
    assert "the same everywhere" in held
    assert "the same everywhere" not in judged
    assert plan.copies == len(held) - len(judged) > 0
    assert plan.judged == len(judged)


def test_a_class_that_is_one_text_is_learned_and_named() -> None:
    rows = [*DISTINCT, {"text": "only one", "label": "single"}, {"text": "Only one.", "label": "single"}]
    plan = plan_of(rows, 0.5)
    assert plan.untested == ["single"]
    assert {"only one", "Only one."} <= set(side_of(plan, "learned", rows))


def test_rows_of_weight_0_are_never_held_out() -> None:
    rows = [{**row, "w": 0 if row["text"] == "text 0" else 1} for row in DISTINCT]
    for share in (0.2, 0.9):
        plan = plan_of(rows, share, weight="w")
        assert "text 0" in side_of(plan, "learned", rows, weight="w")
    plan = plan_of(rows, 0.9, weight="w", group="author")
    judged = side_of(plan, "judged", rows, weight="w", group="author")
    assert "text 40" in judged  # of the same author
    assert "text 0" not in judged
    assert plan.judged == len(judged)


def test_what_cannot_be_divided_is_an_error() -> None:
    with pytest.raises(SourceError, match="no row can be held out"):
        plan_of([{"text": "a", "label": "x"}, {"text": "b", "label": "y"}], 0.5)
    with pytest.raises(SourceError, match="no row can be held out"):
        plan_of([{"text": "a", "label": "x", "w": 0}, {"text": "b", "label": "x", "w": 0}], 0.5, weight="w")
    empty = Corpus(pa.table({"text": [""][:0], "label": [""][:0]}), ReadingOptions(allow_partial=True))
    with pytest.raises(ArgumentError, match="there are no documents"):
        plan_holdout(empty.training_batches(afresh=True), 0.5)
