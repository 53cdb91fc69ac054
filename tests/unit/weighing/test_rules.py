"""The options that turn counts into weights."""

from __future__ import annotations

from typing import Any

import pytest
from likely.core.rules import Rules
from likely.options.model import with_defaults


def rules(**options: Any) -> Rules:
    return Rules.of(with_defaults(options))


def test_rules_do_not_change_with_the_mapping_they_were_made_of() -> None:
    prior = {"a": 0.5, "b": 0.5}
    found = rules(prior=prior)
    prior["a"] = 0.9
    assert found.prior == {"a": 0.5, "b": 0.5}
    assert found == rules(prior={"a": 0.5, "b": 0.5})


def test_numbers_of_another_type_are_the_same_rules() -> None:
    assert rules(alpha=1, nbsvm={"cost": 1, "interpolation": 1}) == rules()
    assert type(rules(alpha=1).alpha) is float


def test_options_that_only_prepare_texts_are_not_rules() -> None:
    assert rules(ngrams=(1, 2), lowercase=False, stop_words="en", threads=3, calibrate=True) == rules()
    assert rules(stop_words="auto") != rules()
    assert rules(spelling="on") != rules()


@pytest.mark.parametrize(
    ("options", "keeps", "counts"),
    [
        ({}, True, True),
        ({"variant": "complement"}, True, True),
        ({"weighting": "tfidf"}, True, False),
        ({"spelling": "on"}, True, False),
        ({"min_documents": 2}, False, False),
        ({"min_documents": 1.0}, False, False),
        ({"max_documents": 0.5}, False, False),
        ({"max_documents": 1}, False, False),
        ({"max_terms": 10}, False, False),
        ({"stop_words": "auto"}, False, False),
    ],
    ids=str,
)
def test_whether_every_term_is_kept_and_counts_as_it_was_counted(
    options: dict[str, Any], keeps: bool, counts: bool
) -> None:
    assert (rules(**options).keep_every_term, rules(**options).count_every_term) == (keeps, counts)


@pytest.mark.parametrize(
    ("options", "presence"),
    [
        ({"variant": "multinomial"}, False),
        ({"variant": "binary"}, True),
        ({"variant": "bernoulli"}, True),
        ({"variant": "complement_binary"}, True),
        ({"variant": "complement_normalized"}, False),
        ({"variant": "nbsvm"}, True),
        ({"variant": "nbsvm", "weighting": "tfidf"}, False),
    ],
    ids=str,
)
def test_whether_a_term_counts_once_per_document(options: dict[str, Any], presence: bool) -> None:
    assert rules(**options).presence == presence
