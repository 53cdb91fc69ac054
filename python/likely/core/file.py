"""Snapshots as model files: a Parquet table with one JSON document. A file holds data only, never code."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from likely import _native
from likely.core.counts import Counts, starts_of
from likely.core.manifest import Manifest, divide, parse_manifest, shortened, sign, write_manifest
from likely.errors import LikelyError, ModelFileError, OptionError
from likely.labels import LabelIndex
from likely.options.kinds import is_whole
from likely.reading.atomic import read_whole, write_whole
from likely.terminal import size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Future

    from likely.core.calibration import CalibrationRecord
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules
    from likely.core.tuning_record import Tuning
    from likely.core.weights import ModelView
    from likely.reading.batch import Chosen
    from likely.types import Array, Ids, Label, Path, Places, Prior, Tokenizer


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
        What was dropped (`likely.core.file.Pruning`).
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


def load(path: Path, tokenizer: Tokenizer | None = None) -> Snapshot:
    """The snapshot of a model file; ``ModelFileError`` if it cannot be read."""
    return _opened(path, tokenizer)()


def _opened(path: Path, tokenizer: Tokenizer | None = None) -> Callable[[], Snapshot]:
    """A function that reads the counts of a model file; its document is checked at once."""
    with _loading(path):
        data = read_whole(path, MAGIC, KEY)
        with _refusing():
            file = _native.ModelFile(data)
            manifest = parse_manifest(data, file.document, tokenizer)

    def snapshot() -> Snapshot:
        with _loading(path), _refusing():
            return _snapshot(file, manifest)

    return snapshot


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
    document, kept = write_manifest(snapshot, parts).decode(), len(ids) if parts is None else parts.terms
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
    found = Snapshot(counts=counts, learned=learned, **manifest.kept)
    if manifest.parts is None:
        return found
    return replace(found, rest=Rest(found.rules.choice, partial(_rest, file, manifest)))


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
    numbers = None if parts is None else (parts.terms, parts.of)
    totals = (manifest.documents, manifest.tokens)
    native, ids, (lengths, classes, weights) = file.read(
        analyzer.native, manifest.labels, totals, rules, numbers, whole
    )
    unread = None if whole else parts
    counts = Counts(analyzer, LabelIndex(manifest.labels), native, manifest.dropped, unread, {"sorted_ids": ids})
    if bias is None:
        return counts, None
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules

    return counts, Learned(starts_of(lengths), ids, classes, weights, bias, Rules.of(manifest.kept["options"]))


def start_loading(path: Path) -> Future[Snapshot]:
    """Read a model file in another thread, while this one does something else, such as importing modules.

    What its document shows is refused at once, as `load` does it; what its rows show, when the result is asked for.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2]).save(f"{folder}/abc.likely").path
    ...     loading = start_loading(path)
    ...     print("meanwhile")
    ...     loading.result().options["alpha"]
    meanwhile
    0.5
    """
    from concurrent.futures import ThreadPoolExecutor

    opened = _opened(path)
    pool = ThreadPoolExecutor(1, "likely-loader")
    found = pool.submit(opened)
    pool.shutdown(wait=False)  # it ends when the file is read
    return found


# Snapshots ----------------------------------------------------------------------------------------------------------


class Rest(NamedTuple):
    """The part of a model file that is not needed to score texts, and is read when it is asked for.

    Attributes
    ----------
    choice : tuple
        The choice of terms (`Rules.choice`) for which the rest is not needed.
    read : callable
        Returns all counts of the file and all learned weights.
    """

    choice: tuple[object, ...]
    read: Callable[[], tuple[Counts, Learned | None]]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A model at one moment, which does not change if the model learns later.

    Attributes
    ----------
    options : dict
        The values of all options, by name.
    counts : Counts
        The counts.
    learned : Learned or None
        The weights learned beside the counts (variant nbsvm).
    calibration, tuning
        The record of the calibration and of how the options were chosen, or None.
    columns : Chosen or None
        The columns of the data with the text and the label, if the model was trained from data with columns.
    chosen : tuple of str
        The names of the options that tuning was free to choose.
    calibrated_prior : str, mapping or None
        The prior of the model when it was calibrated, if it was changed since.
    thresholds : dict or None
        The thresholds by class that were chosen while training, if any were.
    rest : Rest or None
        What was not read from a file yet. The counts and learned weights are then those of the kept terms only.
    """

    options: Mapping[str, object]
    counts: Counts
    learned: Learned | None = None
    calibration: CalibrationRecord | None = None
    tuning: Tuning | None = None
    columns: Chosen | None = None
    chosen: tuple[str, ...] = ()
    calibrated_prior: Prior | None = None
    thresholds: Mapping[Label, float] | None = None
    rest: Rest | None = None

    def whole(self) -> Snapshot:
        """The snapshot with all counts: those that were not read from its file yet are read now."""
        if self.rest is None:
            return self
        counts, learned = self.rest.read()
        return replace(self, counts=counts, learned=learned, rest=None)

    @cached_property
    def rules(self) -> Rules:
        """The rules that follow from the options."""
        from likely.core.rules import Rules  # while a file is read, this module is imported first, and no other

        return Rules.of(self.options)

    @cached_property
    def moment(self) -> ModelView:
        """The moment from which questions about the model are answered."""
        from likely.core.weights import ModelView

        return ModelView(self.counts, self.rules, self.learned)

    def kept(self) -> Snapshot:
        """The model with only its kept terms, if it scores texts in the same way without the others.

        Its bytes do not depend on whether all counts were read from the file.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(min_documents=2).fit(["good fun", "so good", "bad plot"], ["+", "+", "-"])
        >>> model._snapshot().kept().counts.terms, model._snapshot().counts.terms
        (1, 5)
        """
        if self.rules.count_every_term or self.rules.spelling:
            return self.whole()
        ids = self.moment.terms.sorted_ids()
        return replace(self.of_terms(ids), rest=None)

    def of_terms(self, ids: Ids) -> Snapshot:
        """The same model with only the terms with these ids; its counts are independent."""
        counts, learned = self.counts.select(ids), self.learned
        if learned is not None:
            learned = learned.of_terms(np.isin(learned.ids, ids), counts.sorted_ids())
        return replace(self, counts=counts, learned=learned)


# Pruning ------------------------------------------------------------------------------------------------------------


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_SIZE = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([kmg]i?|)b?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class TermValues:
    """All terms of some counts, sorted: occurrences, documents and information (G2), summed over the classes."""

    ids: Ids
    count: Array
    documents: Array
    information: Array

    def order(self) -> Places:
        """The places of the terms, the most informative first; of equally informative ones the more frequent."""
        return np.lexsort((-self.count, -self.information))  # a stable sort of sorted terms


@dataclass(frozen=True)
class Pruning:
    """What was dropped from a model.

    Attributes
    ----------
    dropped_terms : int
        The number of terms that were dropped.
    kept_occurrences : float
        The share of all occurrences of terms that belongs to the kept terms.
    kept_information : float
        The share of the information about the classes (the sum of G2 over all terms) that the kept terms hold.
    """

    dropped_terms: int = 0
    kept_occurrences: float = 1.0
    kept_information: float = 1.0


def value_terms(counts: Counts) -> TermValues:
    """The occurrences, documents and information of each term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> terms = value_terms(NaiveBayes().fit(["a b", "a b b"], ["x", "y"])._snapshot().counts)
    >>> terms.count, terms.documents
    (array([2., 3.]), array([2., 2.]))
    """
    from likely.formulas import log_likelihood_ratio

    live, ids = counts.live(), counts.sorted_ids()
    # The classes are sorted, so that the sums do not depend on which class was learned first.
    of_class, *amounts = counts.native.columns(ids, live.ranks)
    count, documents = (whole + fraction * 2.0**-64 for whole, fraction in amounts)
    cells = counts.cells(ids)
    tokens = counts.totals().tokens[live.numbers]
    of_term = cells.sum(count)
    information = cells.sum(log_likelihood_ratio(count, cells.repeat(of_term), tokens[of_class], tokens.sum()))
    return TermValues(ids, of_term, cells.sum(documents), np.maximum(information, 0.0))


def prune(snapshot: Snapshot, min_documents: object = 1) -> tuple[Snapshot, Pruning]:
    """A model without the terms that occur in fewer than ``min_documents`` documents, and what was dropped.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> pruned, found = prune(NaiveBayes().fit(["good the", "bad the"], ["+", "-"])._snapshot(), 2)
    >>> pruned.counts.table()["term"].to_pylist()
    ['the', 'the']
    >>> found
    Pruning(dropped_terms=2, kept_occurrences=0.5, kept_information=0.0)
    """
    if not is_whole(min_documents) or min_documents < 1:
        raise OptionError(f"min_documents={min_documents!r} is not allowed: it must be a whole number from 1 on")
    if min_documents == 1:
        return snapshot, Pruning()
    terms = value_terms(snapshot.counts)
    stay = np.flatnonzero(terms.documents >= min_documents)
    pruned = snapshot if len(stay) == len(terms.ids) else snapshot.of_terms(terms.ids[stay])
    sums = ((float(each[stay].sum()), float(each.sum())) for each in (terms.count, terms.information))
    # If a sum over all terms is 0, nothing was lost.
    return pruned, Pruning(
        len(terms.ids) - len(stay), *(min(kept / whole, 1.0) if whole else 1.0 for kept, whole in sums)
    )


def parse_size(size: object) -> int:
    """A size in bytes, from a whole number or a text such as '2MB', '500 kB' or '1.5 MiB'.

    Examples
    --------
    >>> parse_size("1.5 MiB"), parse_size("500kB"), parse_size(1000)
    (1572864, 500000, 1000)
    """
    if is_whole(size) and size > 0:
        return int(size)
    found = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if found is None or not (number := int(Fraction(found[1]) * _UNITS[found[2].lower()])):
        raise OptionError(
            f"max_size={size!r} is not allowed: max_size must be a number of bytes or a text such as '2MB', '1.5 MiB'"
        )
    return number
