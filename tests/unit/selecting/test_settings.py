"""Options are checked by name before anything is read."""

from __future__ import annotations

import pytest
from likely.batch.select import SelectingOptions
from likely.errors import OptionError


def test_defaults_are_those_of_the_paper() -> None:
    settings = SelectingOptions.of(5, {})
    assert (settings.buckets, settings.analyzer.ngrams, settings.best, settings.seed) == (10_000, (1, 2), False, 0)
    assert settings.min_words == 100
    assert settings.processors >= 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"buckets": 0}, "buckets=0 is not allowed"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"min_words": 1.5}, "min_words=1.5 is not allowed"),
        ({"best": "yes"}, "best='yes' is not allowed"),
        ({"alpha": 0.0}, "alpha=0 is not allowed here"),
        ({"threads": 0}, "threads=0 is not allowed"),
    ],
    ids=str,
)
def test_values_are_checked(options: dict[str, object], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        SelectingOptions.of(5, options)


def test_names_are_checked() -> None:
    with pytest.raises(OptionError, match="did you mean 'buckets'"):
        SelectingOptions.of(5, {"bucket": 3})
    with pytest.raises(OptionError):
        SelectingOptions.of(5, {"hash_bits": 12})
    with pytest.raises(OptionError, match="number must be a whole number >= 1"):
        SelectingOptions.of(0, {})
