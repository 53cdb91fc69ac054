"""The raw files, the targets with their shares, and the options: checked before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.select import SelectingOptions, check_distinct, numbers_of, sources_of, targets_of, with_column
from likely.errors import OptionError, SourceError
from likely.options.reading import ReadingOptions


def test_files_are_in_the_order_given_and_globs_are_sorted(raw: list[Path]) -> None:
    assert [part.path for part in sources_of([raw[1], raw[0]])] == [raw[1], raw[0]]
    assert [part.path for part in sources_of(str(raw[0].parent / "*.jsonl"))] == raw
    assert sources_of(raw)[0].size == raw[0].stat().st_size


def test_a_frame_is_one_part() -> None:
    (part,) = sources_of([{"text": "a"}])
    assert (part.path, part.size) == (None, 0)


def test_a_pipe_cannot_be_read_several_times() -> None:
    with pytest.raises(SourceError, match="Selecting documents reads the texts twice"):
        sources_of("-")


def test_a_file_is_not_given_twice(raw: list[Path]) -> None:
    check_distinct(sources_of(raw))
    with pytest.raises(SourceError, match="is given twice"):
        check_distinct(sources_of([*raw, raw[0]]))


def test_the_column_of_the_first_file_is_that_of_all(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text('{"body": "a longer text", "n": 1}\n')
    second.write_text('{"text": "b", "body": "c"}\n')
    assert with_column(sources_of([first, second]), ReadingOptions()).text == "body"
    assert with_column(sources_of([first, second]), ReadingOptions(text="n")).text == "n"


@given(number=st.integers(1, 1000), shares=st.lists(st.integers(1, 100), min_size=1, max_size=6))
def test_numbers_sum_up_and_are_less_than_one_from_the_shares(number: int, shares: list[int]) -> None:
    total = sum(shares)
    numbers = numbers_of(number, [share / total for share in shares])
    assert sum(numbers) == number
    assert all(abs(each - number * share / total) < 1 for each, share in zip(numbers, shares, strict=True))


def test_several_files_without_shares_are_one_target() -> None:
    (target,) = targets_of(["a.jsonl", "b.jsonl"])
    assert (target.name, target.share) == ("a.jsonl, b.jsonl", 1.0)
    assert targets_of([{"text": "a"}])[0].name == "a frame"


@pytest.mark.parametrize("share", [0, -1, "much", True, float("nan"), float("inf")])
def test_a_share_is_a_number_above_zero(share: float) -> None:
    with pytest.raises(OptionError, match=r"the share of the target a\.jsonl must be a number > 0"):
        targets_of({"a.jsonl": share})


def test_there_must_be_a_target() -> None:
    with pytest.raises(OptionError, match="there is no target"):
        targets_of({})


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
