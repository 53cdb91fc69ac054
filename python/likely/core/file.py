"""Snapshots as model files: a Parquet table with one JSON document. A file holds data only, never code."""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import itertools
import json
import math
import numbers
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, cast

import numpy as np

from likely import _native
from likely.core.analyzer import Analyzer, languages, stop_word_list, tokenizer_name
from likely.core.counts import Counts, Exact, Unread, starts_of
from likely.errors import LikelyError, ModelFileError, OptionError, TooLargeError
from likely.labels import ClassPlaces, LabelIndex, python_labels
from likely.options.compound import IDF, NBSVM, PARTS, as_tuple, with_compounds
from likely.options.kinds import STEM_LANGUAGES, is_thresholds, is_whole
from likely.options.model import ANALYZE_OPTIONS, MODEL, check_together, with_defaults
from likely.reading.atomic import read_whole, write_whole
from likely.terminal import printable, size_text

if TYPE_CHECKING:
    from likely.core.calibration import CalibrationRecord
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules
    from likely.core.tuning_record import Tuning
    from likely.core.weights import ModelView
    from likely.reading.batch import Chosen
    from likely.types import Array, ClassWeight, Ids, Label, Path, Places, Prior, Thresholds, Tokenizer


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

    return counts, Learned(starts_of(lengths), ids, classes, weights, bias, Rules.of(manifest.kept["options"]))


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
        opened = _opened(path)
        self._thread = threading.Thread(target=self._read, args=(opened,), name="likely-loader", daemon=True)
        self._thread.start()

    def _read(self, opened: Callable[[], Snapshot]) -> None:
        try:
            self._found = opened()
        except BaseException as error:  # any error is raised where the snapshot is asked for
            self._found = error

    def snapshot(self) -> Snapshot:
        """The snapshot of the file, as soon as it is read; ``ModelFileError`` if it cannot be read."""
        self._thread.join()
        if isinstance(self._found, BaseException) or self._found is None:
            raise self._found or RuntimeError("the thread that reads the file has ended")
        return self._found


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

_TRIES = 12
_CLOSE, _AIM = 0.98, 0.99
"""The share of the allowed size that a file must fill to be good enough, and the share that is aimed at."""


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


def prune(snapshot: Snapshot, min_documents: object = 1, max_size: object = None) -> tuple[Snapshot, Pruning]:
    """A model with fewer terms, and a description of what was dropped.

    Terms that occur in fewer than ``min_documents`` documents are dropped; then the least informative ones, until the
    file has at most ``max_size`` bytes. Of equally informative terms the more frequent one is kept, then the
    alphabetically first one.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good the", "bad the"], ["+", "-"])._snapshot()
    >>> size = len(to_bytes(snapshot)) - 1
    >>> pruned, found = prune(snapshot, max_size=size)
    >>> pruned.counts.table()["term"].to_pylist(), len(to_bytes(pruned)) <= size
    (['bad', 'good'], True)
    >>> found
    Pruning(dropped_terms=1, kept_occurrences=0.5, kept_information=1.0)
    """
    least, most = parse_min_documents(min_documents), None if max_size is None else parse_size(max_size)
    if least <= 1 and most is None:
        return snapshot, Pruning()
    terms = value_terms(snapshot.counts)
    order = terms.order()
    order = order[terms.documents[order] >= least]
    pruned = _fit_size(snapshot, terms.ids[order], most)
    stay = order[: pruned.counts.native.terms]
    shares = (_kept_share(each, stay) for each in (terms.count, terms.information))
    return pruned, Pruning(len(terms.ids) - len(stay), *shares)


def _kept_share(of_terms: Array, stay: Places) -> float:
    """The share of the kept terms in a sum over all terms; 1 if the sum is 0, because then nothing was lost."""
    whole = float(of_terms.sum())
    return min(float(of_terms[stay].sum()) / whole, 1.0) if whole else 1.0


def _fit_size(snapshot: Snapshot, ids: Ids, max_size: int | None) -> Snapshot:
    """The model with only the first of these terms: as many as give a file of at most ``max_size`` bytes."""
    kept = snapshot if len(ids) == snapshot.counts.native.terms else snapshot.of_terms(ids)
    if max_size is None:
        return kept
    size = len(to_bytes(kept))
    if size <= max_size:
        return kept
    too_many, too_large = len(ids), size
    fits, kept = 0, snapshot.of_terms(ids[:0])
    size = len(to_bytes(kept))
    if size > max_size:
        raise OptionError(f"max_size={max_size} is too small: without any term the model file needs {size} bytes")
    for _ in range(_TRIES):
        if too_many - fits <= 1 or size >= _CLOSE * max_size:
            break
        # Linear interpolation between the largest number of terms that fits and the smallest that does not.
        at = (_AIM * max_size - size) / (too_large - size)
        number = fits + min(max(int(at * (too_many - fits)), 1), too_many - fits - 1)
        some = snapshot.of_terms(ids[:number])
        tried = len(to_bytes(some))
        if tried <= max_size:
            fits, kept, size = number, some, tried
        else:
            too_many, too_large = number, tried
    return kept


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


def parse_min_documents(least: object) -> int:
    """The least number of documents of a term, checked.

    Examples
    --------
    >>> parse_min_documents(2)
    2
    """
    if not is_whole(least) or least < 1:
        raise OptionError(f"min_documents={least!r} is not allowed: min_documents must be a whole number from 1 on")
    return int(least)


# The JSON document: format, version, options, classes. All of it is checked when it is read. ------------------------


_PAIRS = ("prior", "class_weight", "thresholds")
"""The options that may be mappings from classes to numbers."""


def stored_options(options: Mapping[str, Any], counts: Counts) -> dict[str, object]:
    """The options of a model by name, as JSON values."""
    apart = ("tokenizer", "stop_words", *_PAIRS)
    # Only for these options is 1 the same as 1.0: for min_documents, 1 is one document and 1.0 is all documents.
    like = {"alpha": MODEL["alpha"].default, "nbsvm": NBSVM}
    stored = {name: _plain(value, like.get(name)) for name, value in options.items() if name not in apart}
    stop_words = options["stop_words"]
    if stop_words is not None and stop_words not in ("auto", *languages()):
        # The list is stored, not the name of its file, which may not exist when the model is loaded.
        stop_words = list(counts.analyzer.stop_words or stop_word_list(stop_words))
    # The number of threads is not stored: the same counts must give the same bytes on any machine.
    return stored | {
        "stop_words": stop_words,
        "tokenizer": name_of(options["tokenizer"]),
        "threads": None,
        **{name: stored_pairs(options[name]) for name in _PAIRS},
    }


def stored_pairs(value: Prior | ClassWeight | Thresholds | None) -> str | list[list[object]] | None:
    """A mapping as sorted lists of a class and its number, or of two classes and a cost; a name, or None, stays.

    Examples
    --------
    >>> stored_pairs({"spam": 0.3}), stored_pairs({("ham", "spam"): 5})
    ([['spam', 0.3]], [['ham', 'spam', 5.0]])
    """
    if value is None or isinstance(value, str):
        return value
    pairs = cast("Mapping[object, float]", value)
    keys = {key: key if isinstance(key, tuple) else (key,) for key in pairs}
    return sorted(([*map(_plain, labels), float(pairs[key])] for key, labels in keys.items()), key=json.dumps)


def pairs_from(name: str, stored: object) -> str | dict[Any, Any] | None:
    """What `stored_pairs` wrote of an option; its values are checked elsewhere, as options are."""
    if stored is None or isinstance(stored, str):
        return stored
    if not isinstance(stored, list) or not all(isinstance(row, list) and len(row) in (2, 3) for row in stored):
        raise ModelFileError(f"its {name} is not as `likely` writes it")
    found = {row[0] if len(row) == 2 else tuple(row[:2]): row[-1] for row in stored}
    if len(found) != len(stored):
        raise ModelFileError(f"its {name} has the same class twice")
    return found


def _plain(value: object, like: object = None) -> object:
    """The value as JSON writes and reads it: numbers of numpy become Python numbers, floats if ``like`` is one.

    For a mapping, ``like`` has a value like each of its values.
    """
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {
            name: _plain(each, like.get(name) if isinstance(like, Mapping) else None) for name, each in value.items()
        }
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    whole = isinstance(value, numbers.Integral) and not isinstance(like, float)
    return int(cast("int", value)) if whole else float(cast("float", value))


def stored_analyzer(analyzer: Analyzer) -> dict[str, object]:
    """The fields of an analyzer by name, as JSON values."""
    stored = {name: _plain(value) for name, value in analyzer.fields().items() if name != "tokenizer"}
    return stored | {"tokenizer": name_of(analyzer.tokenizer)}


def name_of(tokenizer: Tokenizer | None) -> str | None:
    """The name of a tokenizer in a model file; None if there is none."""
    return None if tokenizer is None else tokenizer_name(tokenizer)


FORMAT = 7
"""The format of the files that this version writes."""
OLDEST = 3
"""The oldest format that this version reads. It never rises: every version reads the files of all earlier ones."""
LARGEST = 32 << 20
"""The largest size of a document in bytes, which is enough for more than 300,000 classes."""

LARGEST_BIAS = 1e9
"""The largest bias of a class. Those of real models are below 1000; with larger ones, scores would not be numbers."""

_KEYS = {
    "format",
    "likely",
    "options",
    "counted_with",
    "classes",
    "dropped_terms",
    "calibration",
    "tuning",
    "columns",
    "chosen",
    "calibrated_prior",
    "thresholds",
    "kept_terms",
    "digest",
}
_LATER = {"columns": 4, "chosen": 5, "calibrated_prior": 5, "thresholds": 5, "kept_terms": 6}
"""The keys that the oldest format did not have, and the format that added each. In an older file they are null."""
_CALIBRATE_MAY_BE_NONE = 5
"""The first format in which the option ``calibrate`` can be None, its default."""
_COMPOUNDS = 7
"""The first format with options of several parts; in earlier ones, each part is an option."""
_NO_DIGEST = "0" * 64
_DIGEST = '"digest":"{}"'
_TOTALS = ("documents", "tokens")

Unchecked: TypeAlias = dict[str, Any]
"""A JSON object of a file, before its values are checked."""


@dataclass(frozen=True)
class Manifest:
    """The content of a document."""

    analyzer: Analyzer
    labels: list[Label]
    documents: Exact
    tokens: Exact
    dropped: int
    bias: Array | None
    """The bias of each class, if weights were learned (nbsvm)."""
    parts: Parts | None
    """The parts of the table; None if there is only one."""
    kept: dict[str, Any]
    """The fields of the `Snapshot` that the document holds as they are, by name: the options, the calibration ..."""


def write_manifest(snapshot: Snapshot, parts: Parts | None) -> bytes:
    """The document of a model, with zeros in place of the digest."""
    from likely import __version__

    counts, learned, live = snapshot.counts, snapshot.learned, snapshot.counts.live()
    totals = dict(zip(_TOTALS, counts.native.exact_totals(), strict=True))
    classes = [
        {"label": label, **_amounts(totals, number)}
        for label, number in zip(live.labels, live.numbers.tolist(), strict=True)
    ]
    if learned is not None:
        classes = [entry | {"bias": bias} for entry, bias in zip(classes, learned.bias.tolist(), strict=True)]
    calibration, tuning, columns = snapshot.calibration, snapshot.tuning, snapshot.columns
    document = {
        "format": FORMAT,
        "likely": __version__,
        "options": stored_options(snapshot.options, counts),
        "counted_with": stored_analyzer(counts.analyzer),
        "classes": classes,
        "dropped_terms": counts.dropped,
        "calibration": None if calibration is None else calibration.to_dict(),
        "tuning": None if tuning is None else tuning.to_dict(),
        "columns": None if columns is None else {"text": columns.text, "label": columns.label},
        "chosen": list(snapshot.chosen) or None,
        "calibrated_prior": stored_pairs(snapshot.calibrated_prior),
        "thresholds": stored_pairs(snapshot.thresholds),
        "kept_terms": None if parts is None else parts.to_dict(),
        "digest": _NO_DIGEST,
    }
    text = json.dumps(document, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > LARGEST:
        raise TooLargeError(
            f"the labels need {len(text)} bytes, but a model file has room for {LARGEST}: use shorter labels"
        )
    return text


def _amounts(totals: Mapping[str, Exact], c: int) -> dict[str, int]:
    amounts = {}
    for name, (whole, fraction) in totals.items():
        amounts[name] = int(whole[c])
        if fraction[c]:
            amounts[f"{name}_fraction"] = int(fraction[c])
    return amounts


def sign(data: bytes) -> bytes:
    """The file with its digest in place of the zeros in its document: the SHA-256 of the file with the zeros."""
    blank = _DIGEST.format(_NO_DIGEST).encode()
    digest = _DIGEST.format(hashlib.sha256(data).hexdigest()).encode()
    at = data.rindex(blank)
    return data[:at] + digest + data[at + len(blank) :]


def parse_manifest(data: bytes, place: tuple[int, int], tokenizer: Tokenizer | None = None) -> Manifest:
    """The content of the document of a file; ``ModelFileError`` if the file was changed or not written by `likely`.

    ``place`` is where the document begins and ends in the file. ``tokenizer`` is the tokenizer of the model, if it
    has one: a file contains only its name.
    """
    start, end = place
    if end - start > LARGEST:
        raise ModelFileError(f"its document has {end - start} bytes, but a model has at most {LARGEST}")
    values: Unchecked = json.loads(data[start:end], object_pairs_hook=_unique, parse_constant=_no_number)
    _check_format(values)
    _check_digest(data, place, values["digest"])
    cut, classes = values["counted_with"], values["classes"]
    labels = python_labels([entry["label"] for entry in classes])
    if any(a >= b for a, b in itertools.pairwise(labels)):  # type: ignore[operator]
        raise ModelFileError("its classes are not sorted")
    try:
        _check_tokenizer(values["options"]["tokenizer"], tokenizer)
        options = {**_known_options(json.dumps(values["options"]), values["format"]), "tokenizer": tokenizer}
        analyzer = _known_analyzer(json.dumps(cut)) if tokenizer is None else _analyzer(cut, tokenizer)
        prior = _calibrated_prior(values.get("calibrated_prior"))
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"its options are not those of this version of `likely`: {shortened(error)}") from None
    documents, tokens = (_exact(classes, name) for name in _TOTALS)
    if not (documents[0] | documents[1]).all():
        raise ModelFileError("one of its classes has no documents")
    dropped = values["dropped_terms"]
    if type(dropped) is not int or not 0 <= dropped < 2**53:
        raise ModelFileError("the number of its dropped terms is not a whole number >= 0")
    bias = _bias(classes, options["variant"])
    kept = {
        "options": options,
        **_records(values),
        "columns": _columns(values.get("columns")),
        "chosen": _chosen(values.get("chosen"), values["format"]),
        "calibrated_prior": prior,
        "thresholds": _thresholds(values.get("thresholds"), labels),
    }
    return Manifest(analyzer, labels, documents, tokens, dropped, bias, parts_from(values.get("kept_terms")), kept)


def _records(values: Unchecked) -> dict[str, CalibrationRecord | Tuning | None]:
    """The calibration and the tuning of a model. A file that has none is read before their modules are imported."""
    calibration, tuning = None, None
    if values["calibration"] is not None:
        from likely.core.calibration import record_from

        calibration = record_from(values["calibration"])
    if values["tuning"] is not None:
        from likely.core.tuning_record import tuning_from

        tuning = tuning_from(values["tuning"])
    return {"calibration": calibration, "tuning": tuning}


def _check_tokenizer(name: object, tokenizer: Tokenizer | None) -> None:
    if name == name_of(tokenizer):
        return
    if name is None:
        raise ModelFileError("it was made without a tokenizer: load it without one")
    raise ModelFileError(
        f"it was made with the tokenizer {shortened(name)}: give this tokenizer, "
        "with `likely.load(path, tokenizer=...)`"
    )


def _known_options(stored: str, number: int) -> dict[str, object]:
    """The options of a document. Those of before are known: a store has thousands of documents with the same."""
    options = _options(stored, number)
    return {name: copy.copy(value) if isinstance(value, list | dict) else value for name, value in options.items()}


@functools.lru_cache(16)
def _known_analyzer(cut: str) -> Analyzer:
    return _analyzer(json.loads(cut), None)


def _analyzer(cut: Unchecked, tokenizer: Tokenizer | None) -> Analyzer:
    """The analyzer that the documents were counted with; its values are checked as options are."""
    names = {each.name for each in fields(Analyzer)}
    if set(cut) != names:
        raise ModelFileError("its analyzer has other keys than `likely` writes")
    values = {**cut, "tokenizer": tokenizer}
    for name in ("ngrams", "char_ngrams", "stop_words", "negation"):
        values[name] = tuple(values[name])
    value, lengths = values["value"], values["lengths"]
    lists = (cut["stop_words"], cut["negation"])
    if cut["tokenizer"] != name_of(tokenizer) or not all(isinstance(words, list) for words in lists):
        raise ModelFileError("its analyzer has values that `likely` does not write")
    scaled = lengths is not None or values["equal"] is True
    if (
        (value == "presence") > scaled
        or type(values["equal"]) is not bool
        or values["stem"] not in ("none", *STEM_LANGUAGES.values())
    ):
        raise ModelFileError("its analyzer has values that `likely` does not write")
    if value not in ("count", "damped", "presence") or lengths not in (None, *IDF):
        raise ModelFileError("its terms have values of a kind that `likely` does not know")
    empty = [name for name in ("stop_words", "negation") if not values[name]]
    options = with_compounds({name: value for name, value in values.items() if name not in empty})
    check_together(with_defaults({name: value for name, value in options.items() if name in ANALYZE_OPTIONS}))
    return Analyzer(**values)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ModelFileError("its document has a key twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise ModelFileError(f"its document has the number {shortened(text)}, which a model cannot have")


def _check_format(values: Unchecked) -> None:
    number = values.get("format") if isinstance(values, dict) else None
    if type(number) is not int or number < 1:
        raise ModelFileError("it is a Parquet file, but not a model of `likely`")
    version = shortened(values.get("likely", "a later version"))[:40]
    if number > FORMAT:
        raise ModelFileError(
            f"its format is {shortened(number)}, and this version of `likely` reads formats up to {FORMAT}: "
            f"install `likely` {version} or later"
        )
    if number < OLDEST:
        raise ModelFileError(
            f"its format is {number}, written by `likely` {version} before the first release: train the model again"
        )
    if set(values) != {key for key in _KEYS if _LATER.get(key, OLDEST) <= number}:
        raise ModelFileError("its document has other keys than `likely` writes")


def _check_digest(data: bytes, place: tuple[int, int], digest: object) -> None:
    document = data[slice(*place)]
    written = _DIGEST.format(digest).encode()
    at = place[0] + document.find(written)
    blank = _DIGEST.format(_NO_DIGEST).encode()
    content = hashlib.sha256(memoryview(data)[:at])
    content.update(blank)
    content.update(memoryview(data)[at + len(blank) :])
    if document.count(written) != 1 or content.hexdigest() != digest:
        raise ModelFileError("it is damaged: its content does not match its digest; get a fresh copy")


@functools.lru_cache(16)
def _options(document: str, number: int) -> dict[str, object]:
    """The options that a document of this format has as JSON, checked."""
    stored = json.loads(document)
    if number < _CALIBRATE_MAY_BE_NONE and stored["calibrate"] is False:
        stored = {**stored, "calibrate": None}  # the default was False
    stored |= {name: as_tuple(stored[name]) for name in ("ngrams", "char_ngrams") if name in stored}
    if number < _COMPOUNDS:
        stored = with_compounds(stored)
    if isinstance(stored["stop_words"], str) and stored["stop_words"] not in ("auto", *languages()):
        raise ModelFileError("its stop words are of a language that this version of `likely` does not have")
    pairs = {name: pairs_from(name, stored[name]) for name in _PAIRS if name in stored}
    values = with_defaults({**stored, **pairs, "tokenizer": None})
    check_together(values)
    return values


def _calibrated_prior(stored: object) -> Prior | None:
    """The prior of the model when it was calibrated, if it was changed since."""
    if stored is None:
        return None
    prior = pairs_from("prior", stored)
    MODEL["prior"].check(prior)
    return cast("Prior", prior)


def _bias(classes: list[Unchecked], variant: object) -> Array | None:
    found = [entry["bias"] for entry in classes if "bias" in entry]
    if not found:
        return None
    from likely.core.variants import LEARNED

    sound = all(type(each) is float and abs(each) <= LARGEST_BIAS for each in found)
    if len(found) != len(classes) or variant != LEARNED or not sound:
        raise ModelFileError("the bias of a class is not as `likely` writes it")
    return np.array(found)


def _exact(classes: list[Unchecked], name: str) -> Exact:
    whole, fraction = ([entry.get(key, 0) for entry in classes] for key in (name, f"{name}_fraction"))
    if not all(type(number) is int and 0 <= number < 2**64 for number in whole + fraction):
        raise ModelFileError(f"the number of {name} of a class is not a whole number >= 0")
    return np.array(whole, np.uint64), np.array(fraction, np.uint64)


def _columns(stored: object) -> Chosen | None:
    """The columns that the model was trained from."""
    if stored is None:
        return None
    from likely.reading.batch import Chosen

    match stored:
        case {"text": str(text), "label": str() | None as label, **more} if not more:
            return Chosen(text, label)
    raise ModelFileError("the columns that it was trained from are not as `likely` writes them")


def _chosen(stored: object, number: int) -> tuple[str, ...]:
    """The names of the options that tuning was free to choose, in the order of the table."""
    names = [] if stored is None else stored
    parts = {name: PARTS.get(name, (name,)) if number < _COMPOUNDS else (name,) for name in MODEL}
    if not isinstance(names, list) or names != [part for name in MODEL for part in parts[name] if part in names]:
        raise ModelFileError("the options that were chosen for it are not as `likely` writes them")
    return tuple(name for name in MODEL if all(part in names for part in parts[name]))


def _thresholds(stored: object, labels: list[Label]) -> dict[Label, float] | None:
    """The thresholds that were chosen while training, by class."""
    found = pairs_from("thresholds", stored)
    if found is None:
        return None
    if isinstance(found, str) or not is_thresholds(found) or not all(label in ClassPlaces(labels) for label in found):
        raise ModelFileError("its thresholds are not as `likely` writes them")
    return cast("dict[Label, float]", found)


def shortened(value: object) -> str:
    """At most 200 characters of a value of a file, which may have any length, for a message of one line.

    Examples
    --------
    >>> len(shortened("x" * 10**6)), shortened(4)
    (200, '4')
    """
    text = printable(" ".join(str(value).split())[:201])
    return text if len(text) <= 200 else f"{text[:199]}\u2026"


MOST_TERMS = 2**32
"""The number of terms that no model reaches."""


@dataclass(frozen=True)
class Parts:
    """How the terms of a file are divided.

    Examples
    --------
    >>> Parts(20, 100, 0.25).to_dict()
    {'terms': 20, 'of': 100, 'usual_unknown': 0.25}
    >>> parts_from({"terms": 20, "of": 100, "usual_unknown": 0.25})
    Parts(kept=20, of=100, unknown=0.25)
    """

    kept: int
    """The number of terms in the first part."""
    of: int
    """The number of terms in both parts."""
    unknown: float | None
    """The share of the terms of a text that is usually unknown. It follows from the terms of both parts."""

    def to_dict(self) -> dict[str, float | None]:
        """The parts as JSON values."""
        return {"terms": self.kept, "of": self.of, "usual_unknown": self.unknown}


def divide(snapshot: Snapshot) -> tuple[Places, Parts | None]:
    """The place of each term of a file among all terms, sorted, and its parts; None if all are needed to score.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(min_documents=2).fit(["good fun", "a good plot", "a bad plot"], ["+", "+", "-"])
    >>> order, parts = divide(model._snapshot())
    >>> order, parts.kept, parts.of
    (array([0, 3, 4, 1, 2]), 3, 5)
    """
    from likely.core.terms import choose_terms
    from likely.core.weights import usual_unknown

    counts, rules = snapshot.counts, snapshot.rules
    every = np.arange(counts.native.terms), None
    # The words that others misspell are found among all words.
    if rules.count_every_term or rules.spelling:
        return every
    # Weights of classes do not change which terms are kept, and may name classes that are still to come.
    terms = choose_terms(counts, replace(rules, class_weight=None))
    stay = terms.are_kept(counts.sorted_ids())
    if stay.all():
        return every
    order = np.concatenate([np.flatnonzero(stay), np.flatnonzero(~stay)])
    return order, Parts(int(stay.sum()), len(stay), usual_unknown(terms))


def parts_from(stored: object) -> Parts | None:
    """The parts that `Parts.to_dict` wrote."""
    match stored:
        case None:
            return None
        case {"terms": int(kept), "of": int(of), "usual_unknown": float() | None as unknown, **more} if not more:
            is_sound = unknown is None or 0 <= unknown < math.inf
            if is_sound and type(kept) is type(of) is int and 0 <= kept < of < MOST_TERMS:
                return Parts(kept, of, unknown)
    raise ModelFileError("the number of its kept terms is not as `likely` writes it")
