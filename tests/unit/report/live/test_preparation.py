"""What a browser can prepare, and the lists of words as it compares them."""

from __future__ import annotations

from dataclasses import fields

import pytest
from likely import NaiveBayes
from likely.core.analyzer import Analyzer
from likely.options.model import with_defaults
from likely.report.live.model_data import obstacle, preparation

TEXTS, LABELS = ["good fun", "dull"], ["+", "-"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tokenizer": str.split}, "tokenizer"),
        ({"spelling": "on"}, "spelling"),
        ({}, None),
        ({"hash_bits": 12}, None),
    ],
)
def test_what_the_browser_cannot_do_is_said(options: dict[str, object], reason: str | None) -> None:
    snapshot = NaiveBayes(**options).fit(TEXTS, LABELS)._snapshot()  # type: ignore[arg-type]
    found = obstacle(snapshot.counts.analyzer, snapshot.rules)
    assert (found is None) if reason is None else (found is not None and reason in found)


def test_lists_are_prepared_like_words() -> None:
    options = with_defaults({"accents": "strip", "stop_words": ["Été", "l’an"], "negation": "on", "lowercase": False})
    found = preparation(Analyzer.of(options))
    assert found["stop_words"] == ["Ete", "l'an"]
    assert {"not", "don't"} <= set(found["negators"])  # type: ignore[call-overload]


def test_every_option_that_decides_terms_is_there() -> None:
    analyzer = Analyzer.of(with_defaults({}))
    elsewhere = dict.fromkeys(["tokenizer", "value", "lengths", "equal"])
    renamed = {"negation": "negators", **elsewhere}
    names = {renamed.get(each.name, each.name) for each in fields(analyzer)} - {None}
    assert set(preparation(analyzer)) == names
