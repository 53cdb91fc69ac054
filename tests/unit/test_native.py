"""The kernel's door: what crosses it is checked by name and by shape."""

from __future__ import annotations

import ast
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, _native
from likely.core.file import to_bytes
from likely.errors import ArgumentError, ModelFileError, OptionError, TextError

SETTINGS: dict[str, Any] = {
    "unit": "word",
    "ngrams": (1, 1),
    "char_ngrams": (2, 3),
    "lowercase": True,
    "accents": "keep",
    "normalize": "none",
    "punctuation": "drop",
    "numbers": "keep",
    "urls": "split",
    "emails": "split",
    "mentions": "split",
    "hashtags": "split",
    "stop_words": set(),
    "stem": "none",
    "negators": set(),
    "hash_bits": 0,
    "value": "count",
    "equal": False,
    "given": False,
}


def test_an_analyzer_takes_all_settings_by_name() -> None:
    assert [term for term, *_ in _native.Analyzer(SETTINGS).spans("So good")] == ["so", "good"]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_missing_setting_is_named(name: str) -> None:
    settings = {key: value for key, value in SETTINGS.items() if key != name}
    with pytest.raises(OptionError, match=f"needs the setting .{name}."):
        _native.Analyzer(settings)


def test_settings_that_the_kernel_does_not_know_are_named() -> None:
    with pytest.raises(OptionError, match=r"does not know the setting .alpha."):
        _native.Analyzer(SETTINGS | {"alpha": 1.0})
    with pytest.raises(OptionError, match=r"urls is .drop.: the kernel knows .split., .keep., .mask."):
        _native.Analyzer(SETTINGS | {"urls": "drop"})
    with pytest.raises(OptionError, match=r"no stemmer for the language .klingon."):
        _native.Analyzer(SETTINGS | {"stem": "klingon"})
    with pytest.raises(TypeError):
        _native.Analyzer(SETTINGS | {"ngrams": "1-2"})


def ids(*numbers: int) -> Any:
    return np.array(numbers, np.uint32)


@pytest.mark.parametrize("starts", [[], [0], [0, 1], [0, 3], [1, 2], [0, 2, 1, 2], [-1, 2]])
def test_a_table_whose_starts_do_not_fit_is_refused(starts: list[int]) -> None:
    table = _native.Ragged(np.array(starts, np.int64), ids(0, 1), ids(1, 1))
    with pytest.raises(ArgumentError, match="do not fit"):
        _native.order_rows(table, ids(0, 1), ids(*[0] * max(len(starts) - 1, 0)), None)


def test_a_table_whose_columns_or_values_do_not_fit_is_refused() -> None:
    starts, width = np.array([0, 2]), 2
    factors, scales, costs = np.ones((1, width)), np.ones((1, 1)), np.ones((1, 1))
    solver = _native.LinearSolver("hinge", 0.1, 10, 1)
    sound = _native.Ragged(starts, ids(0, 1), np.ones(2, np.float32), width)
    assert solver.solve(sound, costs, scales, factors).shape == (1, 3)
    for columns, values in (
        (ids(0, 2), np.ones(2, np.float32)),
        (ids(1, 0), np.ones(2, np.float32)),
        (ids(0, 1), np.ones(1, np.float32)),
        (ids(0, 1), None),
    ):
        with pytest.raises(ArgumentError, match="do not fit"):
            solver.solve(_native.Ragged(starts, columns, values, width), costs, scales, factors)
    with pytest.raises(TypeError):
        solver.solve(_native.Ragged(starts, ids(0, 1), np.ones(2), width), costs, scales, factors)


def test_a_table_gives_back_what_it_was_made_of() -> None:
    starts, columns, values = np.array([0, 1, 2]), ids(4, 0), np.array([1.5, 2.5])
    table = _native.Ragged(starts, columns, values, 5)
    assert table.starts is starts
    assert table.columns is columns
    assert table.values is values
    assert table.width == 5
    assert _native.Ragged(starts, columns).values is None


def test_rows_of_classes_without_rank_or_label_are_refused() -> None:
    codes = np.array([0, 1], np.uint32)
    counts = _native.Counts.count(_native.Analyzer(SETTINGS), [(["a", "b"], codes, None)], 1)
    ids, ranks = counts.sorted_ids(), np.arange(2, dtype=np.uint32)
    with pytest.raises(IndexError, match="no rank"):
        counts.columns(ids, ranks[:1])
    with pytest.raises(IndexError, match="no label"):
        counts.to_file(ids, ranks, ["x"], "{}", None, 2)
    weights = np.ones(1, np.float32)
    for starts, classes in (([0, 1], [0]), ([0, 0, 0, 1], [0]), ([0, 1, 1], [2])):
        learned = _native.Ragged(np.array(starts), np.array(classes, np.uint32), weights, 2)
        with pytest.raises(ArgumentError):
            counts.to_file(ids, ranks, ["x", "y"], "{}", learned, 2)


def test_a_file_that_was_written_is_read_again() -> None:
    analyzer, codes = _native.Analyzer(SETTINGS), np.array([0, 1], np.uint32)
    counts = _native.Counts.count(analyzer, [(["a b", "b"], codes, None)], 1)
    ids, ranks = counts.sorted_ids(), np.arange(2, dtype=np.uint32)
    data = counts.to_file(ids[[1, 0]], ranks, [1, 2], '{"a": 1}', None, 1)
    file = _native.ModelFile(data)
    assert data[slice(*file.document)] == b'{"a": 1}'
    totals = counts.exact_totals()
    rules = _native.RowRules(most_words=1, shares=False, weighed=False)
    for whole, terms in ((True, ["a", "b"]), (False, ["b"])):
        found, read, (lengths, *_) = file.read(analyzer, [1, 2], (totals[0], totals[1]), rules, (1, 2), whole)
        assert (found.spell(read), found.terms, len(lengths)) == (terms, len(terms), 0)
    with pytest.raises(ModelFileError, match="not a Parquet file"):
        _native.ModelFile(b"abc")


def test_moments_need_one_factor_per_row() -> None:
    found = _native.soft_moments(np.log([[1.0, 0.25], [1.0, 1.0]]), np.array([1.0, 3.0]), 1)
    assert found[:, 0] == pytest.approx([np.log(1.25), np.log(2.0)])
    assert found[:, 1] == pytest.approx([0.2 * np.log(0.25), 0.0])
    assert found[:, 2] == pytest.approx([0.16 * np.log(0.25) ** 2, 0.0])
    with pytest.raises(ArgumentError):
        _native.soft_moments(np.zeros((2, 2)), np.ones(3), 1)


def test_the_constants_are_those_of_the_kernel() -> None:
    assert _native.UNKNOWN == _native.LENGTH == 2**32 - 1
    assert _native.SEPARATOR == "\udfff"
    assert (_native.CHAR_MARK, _native.LEAST_WEIGHT) == ("char:", 2.0**-64)
    assert sorted(bit for bit, _ in _native.STEPS) == [1, 2, 4, 8, 16, 32]
    assert version("likely") == _native.VERSION


def test_no_call_has_more_than_six_arguments() -> None:
    stub = ast.parse(Path(_native.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
    for node in ast.walk(stub):
        if isinstance(node, ast.FunctionDef):
            names = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
            assert len([name for name in names if name not in ("self", "cls")]) <= 6, node.name


def test_copies_have_one_number() -> None:
    texts = ["Good fun!", " good  FUN", "good-fun", "good funs", "😀", "😢", ""]
    numbers = _native.copy_numbers(texts).tolist()
    assert numbers[0] == numbers[1] == numbers[2]
    assert len(set(numbers)) == 5
    assert _native.copy_numbers(_native.Strings(texts)).tolist() == numbers


def test_buckets_refuse_what_is_not_a_table_or_a_text() -> None:
    analyzer = _native.Analyzer({**SETTINGS, "ngrams": (1, 2)})
    with pytest.raises(ArgumentError, match="do not fit each other"):
        _native.sum_buckets(analyzer, ["a"], np.zeros(0, np.int64), 1)
    with pytest.raises(TextError, match="the text in row 2 is missing"):
        _native.count_buckets(analyzer, ["a", None], 10, 1)
    counts = _native.count_buckets(analyzer, ["a b", "a"], 10, 1)
    assert counts.sum() == 4
    assert counts.dtype == np.uint64
    sums, words = _native.sum_buckets(analyzer, ["a b", ""], np.ones(10, np.int64), 1)
    assert sums.tolist() == [3, 0]
    assert words.tolist() == [2, 0]
    assert _native.gumbel_noise(7, 0, 3).tolist() == [12_771_138_141, 8_822_929_965, 9_715_719_664]


def counted(texts: list[str], labels: list[str]) -> _native.Counts:
    return NaiveBayes().fit(texts, labels)._snapshot().counts.native


def refusals() -> dict[str, Callable[[_native.Counts], object]]:
    far = np.array([10**9], np.uint32)
    one = np.ones(1)
    here, new = ["x", "y"], counted(["new words here", "other"], ["x", "y"])
    weights = _native.Weights(2, 4, "count", False, 0.0, False)
    wide = np.zeros((3, 9))
    return {
        "merge none": lambda counts: counts.merge(new, []),
        "merge one": lambda counts: counts.merge(new, [0]),
        "merge twice": lambda counts: counts.merge(new, [1, 1]),
        "subtract": lambda counts: counts.subtract(counted(["good fun"], here[:1]), []),
        "compacted": lambda counts: counts.compacted([0]),
        "folded": lambda counts: counts.folded([(0, 10**9)]),
        "folds": lambda counts: counts.folds_of_phrases([(10**9, 0)]),
        "spell": lambda counts: counts.spell(far),
        "spelled rows": lambda counts: counts.spelled_rows(far),
        "words": lambda counts: counts.words_in(far),
        "select": lambda counts: counts.select(far),
        "locate": lambda counts: counts.locate(new, far),
        "cells": lambda counts: counts.cells(far, documents=True),
        "columns": lambda counts: counts.columns(far, np.zeros(2, np.uint32)),
        "group": lambda counts: _native.group_terms(counts, far, far),
        "spelling": lambda counts: _native.Spelling.of_counts(counts, far, one),
        "read": lambda counts: weights.read_as_known(counts, _native.Spelling(["a"], one), far, []),
        "set few": lambda counts: weights.set(counts, counts.ids(), None, None, one, np.zeros((3, 2))),
        "set far": lambda counts: weights.set(counts, far, None, None, one, np.zeros((3, 2))),
        "set scales": lambda counts: weights.set(counts, counts.ids(), one, None, np.ones(4), np.zeros((3, 2))),
        "set classes": lambda counts: weights.set(counts, counts.ids(), None, None, np.ones(4), wide),
        "layout": lambda _: _native.CsvLayout(",", 2, [5], True, 10),
    }


@pytest.mark.parametrize("name", refusals())
def test_what_does_not_fit_is_refused_and_changes_nothing(name: str) -> None:
    snapshot = NaiveBayes().fit(["good fun", "bad dull"], ["x", "y"])._snapshot()
    counts, before = snapshot.counts.native, to_bytes(snapshot)
    with pytest.raises((ArgumentError, IndexError), match=r"do not fit each other|has no rank"):
        refusals()[name](counts)
    assert (counts.terms, counts.vocabulary_size) == (4, 4)
    assert to_bytes(snapshot) == before


def test_tables_without_a_width_are_as_wide_as_their_columns() -> None:
    table = _native.Ragged(np.array([0, 1]), np.array([0], np.uint32), np.array([1.0]))
    assert _native.sum_rows(table, np.array([0], np.uint32), table, None, 1).tolist() == [[1.0]]
    with pytest.raises(MemoryError):
        _native.gumbel_noise(0, 0, 2**60)


TOUCHED_TWICE = """
import resource, sys
from likely import _native

if sys.argv[1] == "kept":
    _native.keep_freed_memory()
found = []
for _ in range(2):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    block = b"x" * (16 << 20)
    found.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    del block
print(*found)
"""
"""Prints how many pages are new to the process when it fills a block of 16 MiB, and another one after it."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the allocator of GNU can be asked to keep memory")
@pytest.mark.parametrize("how", ["kept", "given back"])
def test_freed_memory_is_used_again_if_it_is_kept(how: str) -> None:
    done = subprocess.run([sys.executable, "-c", TOUCHED_TWICE, how], check=True, capture_output=True, text=True)
    first, second = map(int, done.stdout.split())
    assert (second < first / 10) == (how == "kept"), (first, second)
