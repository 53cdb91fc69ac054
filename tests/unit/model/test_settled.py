"""What the options of a model say."""

from __future__ import annotations

from typing import Any

import pytest
from likely.core.weights import ModelSettings
from likely.options.model import with_defaults


def settled(**options: Any) -> ModelSettings:
    return ModelSettings.of(with_defaults(options))


def test_every_option_is_said_once() -> None:
    found = settled(ngrams=(1, 2), alpha=0.5, threads=3)
    assert (found.analyzer.ngrams, found.rules.alpha, found.threads) == ((1, 2), 0.5, 3)
    assert found.values["ngrams"] == (1, 2)
    assert settled().threads >= 1


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
