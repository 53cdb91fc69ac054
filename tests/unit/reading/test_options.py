"""How a source is read, as one object."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError, SourceError
from likely.options.reading import READING, ReadingOptions, reading_of


@pytest.mark.parametrize("reading", [{"header": "yes"}, {"strict": 1}, {"text": 3}, {"encoding": "hex"}])
def test_values_of_reading_options_are_checked(reading: dict[str, Any]) -> None:
    with pytest.raises(SourceError, match=f"{next(iter(reading))}=.* is not allowed"):
        ReadingOptions(**reading)


def test_options_by_name() -> None:
    assert reading_of({}) == ReadingOptions()
    assert reading_of({"text": "body", "strict": True}) == ReadingOptions(text="body", strict=True)
    with pytest.raises(OptionError, match="did you mean 'encoding'"):
        reading_of({"encodign": "utf-8"})
    with pytest.raises(OptionError):
        reading_of({"alpha": 1.0})


def test_the_defaults_are_those_of_the_table() -> None:
    assert vars(ReadingOptions()) == {name: option.default for name, option in READING.items()}
