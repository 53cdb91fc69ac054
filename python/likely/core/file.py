"""Snapshots as model files: a Parquet table with one JSON document. A file holds data only, never code."""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from likely import _native
from likely.core.counts import Counts, Unread, starts_of
from likely.core.manifest import Manifest, divide, parse_manifest, shortened, sign, write_manifest
from likely.errors import LikelyError, ModelFileError
from likely.labels import LabelIndex
from likely.reading.atomic import read_whole, write_whole
from likely.terminal import size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.core.nbsvm import Learned
    from likely.core.snapshot import Pruning, Snapshot
    from likely.types import Path, Tokenizer


MAGIC, KEY = b"PAR1", b"likely"
"""The first bytes of a model file, and the name of the JSON document near its end."""


def may_be_model(path: Path) -> bool:
    """Whether a file is a model, or was one before it was truncated."""
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return False
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        length, magic = int.from_bytes(file.read(4), "little"), file.read(4)
        if magic != MAGIC:
            return True
        file.seek(max(0, size - 8 - length))
        return KEY in file.read(length)


@dataclass(frozen=True)
class Saved:
    """The size of a model file, and what was dropped from the model before it was saved.

    Attributes
    ----------
    path : str
        The path of the file.
    size : int
        Its size in bytes.
    terms : int
        The number of terms in it.
    dropped_terms, kept_occurrences, kept_information
        What was dropped (`likely.core.snapshot.Pruning`).
    """

    path: str
    size: int
    terms: int
    dropped_terms: int
    kept_occurrences: float
    kept_information: float

    def __str__(self) -> str:
        whole = f"{self.path}: {self.terms:,} terms, {size_text(self.size)}"
        if not self.dropped_terms:
            return whole
        return (
            f"{whole}; {self.dropped_terms:,} terms dropped, which leaves {self.kept_occurrences:.1%} of occurrences "
            f"and {self.kept_information:.1%} of the information"
        )


def save(snapshot: Snapshot, path: Path, pruning: Pruning) -> Saved:
    """Write a model to a file, completely or not at all; ``pruning`` describes what was dropped from it before.

    The bytes are read back first, so that a good file is never replaced by one that cannot be loaded.
    """
    data, name = to_bytes(snapshot), os.fspath(path)
    try:
        from_bytes(data, cast("Tokenizer | None", snapshot.options["tokenizer"])).whole()
        write_whole(name, data)
    except ModelFileError as error:
        raise ModelFileError(f"cannot save {name!r}: {error}") from error.__cause__
    return Saved(name, len(data), snapshot.counts.native.terms, *vars(pruning).values())


@dataclass(frozen=True)
class Opened:
    """A model file whose document was checked. Its counts have not been read yet."""

    path: Path
    file: _native.ModelFile
    manifest: Manifest

    def snapshot(self) -> Snapshot:
        """The snapshot of the file; ``ModelFileError`` if it cannot be read."""
        with _loading(self.path), _refusing():
            return _snapshot(self.file, self.manifest)


def open_file(path: Path, tokenizer: Tokenizer | None = None) -> Opened:
    """A model file; ``ModelFileError`` if it is none."""
    with _loading(path):
        data = read_whole(path, MAGIC, KEY)
        with _refusing():
            file = _native.ModelFile(data)
            return Opened(path, file, parse_manifest(data, file.document, tokenizer))


def load(path: Path, tokenizer: Tokenizer | None = None) -> Snapshot:
    """The snapshot of a model file; ``ModelFileError`` if it cannot be read."""
    return open_file(path, tokenizer).snapshot()


@contextlib.contextmanager
def _loading(path: Path) -> Iterator[None]:
    """A ``ModelFileError`` names the file."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(f"cannot load {os.fspath(path)!r}: {error}") from error.__cause__


def to_bytes(snapshot: Snapshot) -> bytes:
    """The bytes of a model file. The same counts and options give the same bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> one, other = NaiveBayes().fit(["a b", "c"], [1, 2]), NaiveBayes().fit(["c", "a b"], [2, 1])
    >>> to_bytes(one._snapshot()) == to_bytes(other._snapshot())
    True
    """
    snapshot = snapshot.whole()
    counts, learned, live = snapshot.counts, snapshot.learned, snapshot.counts.live()
    order, parts = divide(snapshot)
    ids, weights = counts.sorted_ids()[order], None
    if learned is not None:
        # The table also has rows for a term in a class in which it has a weight but does not occur.
        starts, entries = learned.entries_of(order)
        weights = _native.Ragged(starts, learned.classes[entries], learned.weights[entries], len(live.labels))
    document, kept = write_manifest(snapshot, parts).decode(), len(ids) if parts is None else parts.kept
    return sign(counts.native.to_file(ids, live.ranks, live.labels, document, weights, kept))


def from_bytes(data: bytes, tokenizer: Tokenizer | None = None) -> Snapshot:
    """The snapshot that `to_bytes` wrote; ``ModelFileError`` if the bytes are anything else.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from_bytes(to_bytes(NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2])._snapshot())).options["alpha"]
    0.5
    """
    with _refusing():
        file = _native.ModelFile(data)
        return _snapshot(file, parse_manifest(data, file.document, tokenizer))


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Every error that the content of a file causes becomes a ``ModelFileError``."""
    try:
        yield
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"it is not a valid model: {shortened(error)}") from None
    # The values of a document that `likely` did not write may be of any type, so they may raise any error.
    except Exception as error:
        raise ModelFileError(
            f"the file is damaged, or was not written by `likely` ({shortened(repr(error))})"
        ) from None


def _snapshot(file: _native.ModelFile, manifest: Manifest) -> Snapshot:
    counts, learned = _read(file, manifest, whole=manifest.parts is None)
    from likely.core.rules import Rules
    from likely.core.snapshot import Rest, Snapshot

    rest = None if manifest.parts is None else Rest(Rules.of(manifest.options).choice, partial(_rest, file, manifest))
    return Snapshot(
        options=manifest.options,
        counts=counts,
        learned=learned,
        calibration=manifest.calibration,
        tuning=manifest.tuning,
        columns=manifest.columns,
        chosen=manifest.chosen,
        calibrated_prior=manifest.calibrated_prior,
        thresholds=manifest.thresholds,
        rest=rest,
    )


def _rest(file: _native.ModelFile, manifest: Manifest) -> tuple[Counts, Learned | None]:
    """All counts of a file of which only the first part was read. Its digest was checked before."""
    try:
        with _refusing():
            return _read(file, manifest, whole=True)
    except ModelFileError as error:
        raise ModelFileError(f"cannot read the rest of the model file: {error}") from None


def _read(file: _native.ModelFile, manifest: Manifest, *, whole: bool) -> tuple[Counts, Learned | None]:
    """The counts and the learned weights of a file: all of them, or those of its first part."""
    analyzer, bias, parts = manifest.analyzer, manifest.bias, manifest.parts
    rules = _native.RowRules(
        most_words=analyzer.ngrams[1] if analyzer.has_words else 0,
        shares=analyzer.is_scaled,
        weighed=bias is not None,
    )
    numbers = None if parts is None else (parts.kept, parts.of)
    totals = (manifest.documents, manifest.tokens)
    native, ids, (lengths, classes, weights) = file.read(
        analyzer.native, manifest.labels, totals, rules, numbers, whole
    )
    counts = Counts(analyzer, LabelIndex(manifest.labels), native, manifest.dropped)
    counts.take_sorted(ids)
    if parts is not None and not whole:
        counts.unread = Unread(parts.of - parts.kept, parts.unknown)
    if bias is None:
        return counts, None
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules

    return counts, Learned(starts_of(lengths), ids, classes, weights, bias, Rules.of(manifest.options))


class Loading:
    """A model file that is being read. The kernel reads it without the lock of the interpreter.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2]).save(f"{folder}/abc.likely").path
    ...     loading = Loading(path)
    ...     print("meanwhile")
    ...     loading.snapshot().options["alpha"]
    meanwhile
    0.5
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: Snapshot | BaseException | None = None
        opened = open_file(path)
        self._thread = threading.Thread(target=self._read, args=(opened,), name="likely-loader", daemon=True)
        self._thread.start()

    def _read(self, opened: Opened) -> None:
        try:
            self._found = opened.snapshot()
        except BaseException as error:  # any error is raised where the snapshot is asked for
            self._found = error

    def snapshot(self) -> Snapshot:
        """The snapshot of the file, as soon as it is read; ``ModelFileError`` if it cannot be read."""
        self._thread.join()
        if isinstance(self._found, BaseException) or self._found is None:
            raise self._found or RuntimeError("the thread that reads the file has ended")
        return self._found
