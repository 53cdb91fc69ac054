"""The raw files, the target and the options: checked before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.batch.select import SelectingOptions, check_distinct, sources_of, with_column
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
