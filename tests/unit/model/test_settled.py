"""What the options of a model say."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from likely.core.settled import Settled
from likely.errors import OptionError
from likely.options.table import with_defaults


def settled(**options: Any) -> Settled:
    return Settled.of(with_defaults(options))


def test_every_option_is_said_once() -> None:
    found = settled(ngrams=(1, 2), alpha=0.5, threads=3)
    assert (found.analyzer.ngrams, found.rules.alpha, found.threads) == ((1, 2), 0.5, 3)
    assert found.values["ngrams"] == (1, 2)
    assert settled().threads >= 1


def test_another_alpha_changes_nothing_else() -> None:
    found = settled(min_documents=2)
    other = found.with_alpha(0)
    assert dataclasses.replace(other, alpha=1.0) == found.rules
    assert (other.alpha, type(other.alpha)) == (0.0, float)
    assert found.rules.alpha == 1.0
    for bad in (-1, float("nan"), "1", True):
        with pytest.raises(OptionError, match="alpha="):
            found.with_alpha(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, None),
        ({"weighting": "tfidf"}, None),
        ({"weighting": "tfidf", "norm": "l2"}, "norm='l2'"),
        ({"variant": "nbsvm"}, "variant='nbsvm'"),
        ({"variant": "nbsvm", "norm": "l2"}, "variant='nbsvm'"),
    ],
    ids=str,
)
def test_why_texts_are_read_twice(options: dict[str, Any], reason: str | None) -> None:
    assert settled(**options).reads_twice == reason
