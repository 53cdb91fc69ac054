"""`select`: the same rows on any number of threads and from any files; samples are as probable as they should be."""

from __future__ import annotations

import gzip
import json
import math
from itertools import permutations
from pathlib import Path

import likely
import numpy as np
import pytest
from likely import _native
from likely.batch.select import UNIT, Best, select
from likely.errors import OptionError, SourceError

from .conftest import FILM, MARKET, write_jsonl


def test_the_best_are_about_the_target(target: Path, raw: list[Path]) -> None:
    selection = likely.select(target, raw, 20, best=True, min_words=5)
    assert selection.rows.tolist() == list(range(0, 60, 3))
    assert {Path(name).name: len(rows) for name, rows in selection.files.items()} == {"a.jsonl": 9, "b.jsonl": 11}
    assert selection.written == []


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_and_files_do_not_matter(threads: int, target: Path, raw: list[Path], tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(b"".join(path.read_bytes() for path in raw))
    expected = select(target, whole, 30, min_words=5, seed=3, threads=1)
    found = select(target, raw, 30, min_words=5, seed=3, threads=threads)
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.log_weights.tolist() == expected.log_weights.tolist()
    pieces = []
    for at, line in enumerate(whole.read_bytes().splitlines(keepends=True)):
        pieces.append(tmp_path / f"{at:02}.jsonl")
        pieces[-1].write_bytes(line)
    assert select(target, pieces, 30, min_words=5, seed=3, threads=threads).rows.tolist() == expected.rows.tolist()


def test_a_file_with_many_chunks_is_read_as_a_frame_is(tmp_path: Path, target: Path) -> None:
    texts = [f"{FILM if at % 7 else MARKET} {'more ' * (at % 50)}" for at in range(4000)]
    path = write_jsonl(tmp_path / "raw.jsonl", texts)
    found = [
        select(target, source, 500, min_words=20, seed=11, threads=threads)
        for source, threads in ((path, 1), (path, 3), ([{"text": text} for text in texts], 2))
    ]
    assert found[0].rows.tolist() == found[1].rows.tolist() == found[2].rows.tolist()
    assert found[0].short == sum(len(text.split()) < 20 for text in texts) > 0


def test_seeds_choose_other_rows(target: Path, raw: list[Path]) -> None:
    rows = [tuple(select(target, raw, 10, min_words=5, seed=seed).rows.tolist()) for seed in (0, 0, 1, 2)]
    assert rows[0] == rows[1]
    assert len(set(rows)) == 3


def test_several_files_are_one_target(target: Path, raw: list[Path], tmp_path: Path) -> None:
    market = write_jsonl(tmp_path / "market.jsonl", [MARKET] * 5)
    both = tmp_path / "both.jsonl"
    both.write_bytes(target.read_bytes() + market.read_bytes())
    found, expected = (select(source, raw, 16, min_words=5) for source in ([target, market], both))
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.log_weights.tolist() == expected.log_weights.tolist()


def test_a_sample_is_the_best_of_weights_with_noise(target: Path, raw: list[Path]) -> None:
    weights = select(target, raw, 60, best=True, min_words=5).log_weights
    for seed in range(5):
        keys = np.rint(weights * UNIT).astype(np.int64) + _native.gumbel_noise(seed, 0, 60)
        expected = sorted(np.argsort(-keys, kind="stable")[:7].tolist())
        assert select(target, raw, 7, min_words=5, seed=seed).rows.tolist() == expected


def test_a_sample_is_as_probable_as_its_weights_say() -> None:
    """Ordered samples without replacement: P(a, b) = w_a / W * w_b / (W - w_a) (Plackett and Luce)."""
    weights = np.array([4.0, 2.0, 1.0, 0.5])
    sums = np.rint(np.log(weights) * UNIT).astype(np.int64)
    runs, rows = 20_000, np.arange(4)
    seen = np.zeros((4, 4))
    for seed in range(runs):
        best = Best(2)
        best.add(sums + _native.gumbel_noise(seed, 1000, 4), rows, sums)
        first, second = best.ranked()[0]
        seen[first, second] += 1
    for a, b in permutations(range(4), 2):
        total = weights.sum()
        expected = weights[a] / total * weights[b] / (total - weights[a])
        deviation = math.sqrt(expected * (1 - expected) / runs)
        assert abs(seen[a, b] / runs - expected) < 4.5 * deviation, (a, b)


def test_bad_and_short_rows_are_counted_and_never_chosen(target: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(
        f'{{"text": "{FILM}"}}\nnot json\n\n{{"text": 5}}\n{{"text": "too short"}}\n{{"text": "{MARKET}"}}\n'
    )
    selection = select(target, raw, 10, min_words=3)
    assert selection.rows.tolist() == [0, 4]
    assert (selection.raw_rows, selection.skipped.count, selection.short) == (5, 2, 1)
    assert selection.candidates == 2
    assert "row 2 (line 2): not a JSON object" in str(selection.skipped)
    assert select(target, raw, 10, min_words=0).rows.tolist() == [0, 3, 4]


def test_another_column_and_another_tokenizer(target: Path, raw: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(f'{{"body": "{FILM}", "text": "{MARKET}"}}\n')
    found = select(other, raw, 20, best=True, min_words=5, target_text="body")
    assert (found.rows % 3 == 0).all()
    words = select(target, raw, 20, best=True, min_words=5, tokenizer=str.split)
    assert words.rows.tolist() == found.rows.tolist()


def test_what_cannot_be_done_is_refused(target: Path, raw: list[Path], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="did you mean 'min_words'"):
        select(target, raw, 1, min_word=1)
    with pytest.raises(OptionError, match="number=0 is not allowed"):
        select(target, raw, 0)
    empty = write_jsonl(tmp_path / "empty.jsonl", ["?!"])
    with pytest.raises(SourceError, match="has no words: nothing can resemble it"):
        select(empty, raw, 1)
    with pytest.raises(SourceError, match="no file matches"):
        select(target, str(tmp_path / "none*.jsonl"), 1)


def test_a_file_that_grows_is_refused(target: Path, raw: list[Path]) -> None:
    passes: list[int] = []

    def grow(documents: int, done: int, total: int | None) -> None:
        passes.append(documents)
        if len(passes) == 3:  # the target and both files have been counted
            with raw[1].open("a") as file:
                file.write(json.dumps({"text": FILM}) + "\n")

    with pytest.raises(SourceError, match=r"b\.jsonl changed while documents were being selected"):
        select(target, raw, 5, min_words=3, threads=1, observe=grow)


def test_progress_is_observed_over_all_passes(target: Path, raw: list[Path], tmp_path: Path) -> None:
    seen: list[tuple[int, int, int | None]] = []
    select(target, raw, 60, min_words=5, output=tmp_path / "out", observe=lambda *figures: seen.append(figures))
    size = sum(path.stat().st_size for path in raw)
    assert {total for _, _, total in seen} == {target.stat().st_size + 3 * size}
    assert max(done for _, done, _ in seen) == target.stat().st_size + 3 * size


@pytest.mark.parametrize("name", ["0.jsonl", "z.csv", "z.jsonl.gz"])
def test_an_empty_file_does_not_end_the_work(target: Path, raw: list[Path], tmp_path: Path, name: str) -> None:
    expected = select(target, raw, 20, min_words=5).rows.tolist()
    (tmp_path / name).write_bytes(gzip.compress(b"") if name.endswith(".gz") else b"")
    files = sorted([*raw, tmp_path / name], key=lambda path: path.name)
    assert select(target, files, 20, min_words=5).rows.tolist() == expected
    with pytest.raises(SourceError, match="empty"):
        select(target, tmp_path / name, 20)
