"""`LabelCheck`: counts the labels of a source while it is read, settles them, and says what is doubtful."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely.errors import LabelError
from likely.labels import CodedLabels
from likely.options.reading import READING, ReadingOptions
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from likely.reading.batch import Batch, Chosen
    from likely.types import Label


WHOLE = "none"
"""The value of ``label_separator`` that keeps labels whole."""

_MISSING = frozenset(("", "na", "n/a", "#n/a", "<na>", "null", "(null)", "none", "nan", "\\n", "-", "--", "?"))


def looks_missing(label: Label) -> bool:
    """Whether a label looks like a missing value.

    Examples
    --------
    >>> looks_missing("N/A"), looks_missing(" "), looks_missing("ham"), looks_missing(0)
    (True, True, False, False)
    """
    return isinstance(label, str) and label.strip().casefold() in _MISSING


L = TypeVar("L", bound="Label")

FEWEST = 10
"""With fewer rows than this, nothing is said about nearly every row."""

_NEARLY, _SOME = 0.8, 0.02
"""At least these shares of the rows are nearly every row, and some rows."""
_SEPARATORS = ";|,"
_MOST_NAMED = 3
_LONGEST = 40


def doubts_about(
    rows: Mapping[Label, int], reading: ReadingOptions, classes: Collection[Label] = (), column: str | None = None
) -> list[str]:
    """One line per doubt that no option of reading has settled.

    Parameters
    ----------
    rows : mapping
        The number of rows of each distinct label, as it is in the source.
    reading : ReadingOptions
        How the source is read.
    classes : collection of labels
        The classes of the model that the labels are read for. A label that is one of them is not doubtful.
    column : str or None
        The name of the column with the labels.

    Examples
    --------
    >>> from likely.options.reading import ReadingOptions
    >>> print(*doubts_about({"spam": 7, "Spam": 2}, ReadingOptions()))
    2 rows have a label that differs only in case from another one, such as 'Spam' from 'spam':
    fold_labels=True (--fold-labels) makes them one, fold_labels=False (--no-fold-labels) keeps them apart
    >>> doubts_about({"spam": 7, "Spam": 2}, ReadingOptions(fold_labels=True))
    []
    """
    new = {label: number for label, number in rows.items() if label not in classes}
    texts = {label: number for label, number in new.items() if isinstance(label, str)}
    lines: list[str | None] = []
    if reading.strip_labels is None:
        lines.append(_surrounded(texts))
    if reading.fold_labels is None:
        known = {label: rows.get(label, 0) for label in classes if isinstance(label, str)}
        lines.append(_differing_in_case(texts, known))
    if reading.missing_labels is None:
        lines.append(_missing(texts, has_plus="+" in rows or "+" in classes))
    total = sum(rows.values())
    if total >= FEWEST:
        several = _several(texts, {*rows, *classes}, total) if reading.label_separator is None else None
        lines.append(several or (_of_their_own(new, total, column) if reading.label is None else None))
    return [line for line in lines if line is not None]


def _surrounded(texts: Mapping[str, int]) -> str | None:
    """Labels with white space around them."""
    found = {label: rows for label, rows in texts.items() if label != label.strip()}
    if not found:
        return None
    return (
        f"{_rows_have(found)} a label with white space around it, such as {_most_frequent(found)}: "
        f"{settled_by('strip_labels', True)} removes it, {settled_by('strip_labels', False)} keeps it"
    )


def _differing_in_case(texts: Mapping[str, int], classes: Mapping[str, int]) -> str | None:
    """Labels that differ only in case from a more frequent label, or from a class of the model."""
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for label, rows in [*texts.items(), *classes.items()]:
        spellings[label.strip().casefold()][label.strip()] += rows
    rarer: dict[str, int] = {}
    usual: dict[str, str] = {}
    for group in spellings.values():
        best = max(group, key=lambda label: (label in classes, group[label], label))
        others = {label: rows for label, rows in group.items() if label != best and label not in classes}
        rarer |= others
        usual |= dict.fromkeys(others, best)
    if not rarer:
        return None
    example = max(rarer, key=lambda label: rarer[label])
    return (
        f"{_rows_have(rarer)} a label that differs only in case from another one, such as {_quoted(example)} "
        f"from {_quoted(usual[example])}: {settled_by('fold_labels', True)} makes them one, "
        f"{settled_by('fold_labels', False)} keeps them apart"
    )


def _missing(texts: Mapping[str, int], *, has_plus: bool) -> str | None:
    """Labels that look like missing values; a minus beside a plus means negative."""
    found = {label: rows for label, rows in texts.items() if looks_missing(label) and not (has_plus and label == "-")}
    if not found:
        return None
    return (
        f"{_rows_have(found)} a label that looks like a missing value, {quoted(found)}: "
        f"{settled_by('missing_labels', 'skip')} leaves them out, {settled_by('missing_labels', 'keep')} keeps them"
    )


def _several(texts: Mapping[str, int], labels: Collection[Label], total: int) -> str | None:
    """Nearly every row has a label with a separator, or some have one whose parts are labels too."""
    found = {
        each: {label: rows for label, rows in texts.items() if each in label.strip(each)} for each in _SEPARATORS
    }
    separator = max(found, key=lambda each: sum(found[each].values()))
    rows = found[separator]
    made = sum(n for label, n in rows.items() if all(part.strip() in labels for part in label.split(separator)))
    if sum(rows.values()) < _NEARLY * total and made < _SOME * total:
        return None
    return (
        f"{_of_all(rows, total)} seem to have several labels, such as {_most_frequent(rows)}. `likely` learns "
        f"one label per text: {settled_by('label_separator', separator)} reads only the first label of each row, "
        f"{settled_by('label_separator', WHOLE)} reads each as one label; or write one row per label"
    )


def _of_their_own(new: Mapping[Label, int], total: int, column: str | None) -> str | None:
    """Nearly every row has a label that no other row has."""
    found = {label: rows for label, rows in new.items() if rows == 1}
    if column is None or len(found) < _NEARLY * total:
        return None
    return (
        f"{_of_all(found, total)} have a label that no other row has, such as {_most_frequent(found)}: "
        f"{settled_by('label', column)} says that this is right, another name reads another column"
    )


def settled_by(name: str, value: object) -> str:
    """An option of reading with a value, as it is written in Python and on the command line.

    Examples
    --------
    >>> settled_by("strip_labels", False), settled_by("label_separator", ";")
    ('strip_labels=False (--no-strip-labels)', "label_separator=';' (--label-separator ';')")
    """
    flag = READING[name].declaration
    if "/" in flag:
        on, off = flag.split("/")
        return f"{name}={value!r} ({on if value else off})"
    return f"{name}={value!r} ({flag} {shlex.quote(str(value))})"


def quoted(rows: Mapping[L, int]) -> str:
    """The most frequent labels, with their numbers of rows.

    Examples
    --------
    >>> quoted({"NA": 1, "null": 3})
    "'null' (3), 'NA' (1)"
    """
    labels = sorted(rows, key=lambda label: -rows[label])
    return named(labels, _MOST_NAMED, lambda label: f"{_quoted(label)} ({rows[label]:,})")


def _rows_have(rows: Mapping[L, int]) -> str:
    number = sum(rows.values())
    return f"{counted(number, 'row')} {'has' if number == 1 else 'have'}"


def _of_all(rows: Mapping[L, int], total: int) -> str:
    return f"{sum(rows.values()):,} of {counted(total, 'row')}"


def _most_frequent(rows: Mapping[L, int]) -> str:
    return _quoted(max(rows, key=lambda label: rows[label]))


def _quoted(label: Label) -> str:
    return repr(label if not isinstance(label, str) or len(label) <= _LONGEST else label[:_LONGEST] + "...")


class LabelCheck:
    """Counts the labels of a source while it is read, settles them as the options say, and says what is doubtful.

    Only distinct labels are kept, with the number of their rows.

    Parameters
    ----------
    reading : ReadingOptions
        How the source is read.
    classes : collection of labels
        The classes of the model that the labels are read for, if there is one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.reading.corpus import Corpus
    >>> from likely.options.reading import ReadingOptions
    >>> frame = pa.table({"text": ["a", "b", "c"], "label": ["ham", "spam", "n/a"]})
    >>> corpus = Corpus(frame, ReadingOptions(missing_labels="skip"))
    >>> sum(len(batch.texts) for batch in corpus)
    2
    >>> corpus.labels.left_out()
    ["1 row left out because of the label: 'n/a' (1)"]
    """

    def __init__(self, reading: ReadingOptions, classes: Collection[Label] = ()) -> None:
        self._reading = reading
        self._classes = frozenset(classes)
        texts = [label for label in classes if isinstance(label, str)]
        self._are_numbers = bool(classes) and not texts
        self._separator = None if reading.label_separator == WHOLE else reading.label_separator
        # A label that is a class stays as it is.
        self._spellings = {self._key(label): label for label in texts} | {label: label for label in texts}
        self._rows: Counter[Label] = Counter()
        self._column: str | None = None

    def settle(self, batch: Batch, columns: Chosen) -> Batch:
        """The batch with labels as the options say, without the rows that are left out."""
        self._column, labels = columns.label, batch.labels
        if labels is None:
            return batch
        numbers = np.bincount(labels.codes, minlength=len(labels.values)).tolist()
        for label, number in zip(labels.values, numbers, strict=True):
            if number:
                self._rows[label] += number
        settled = [self.settled(value) for value in labels.values]
        known = list(dict.fromkeys(each for each in settled if each is not None))
        if self._are_numbers:
            _check_numbers(known)
        if settled == labels.values:
            return batch
        places = {label: place for place, label in enumerate(known)}
        codes = np.array([0 if each is None else places[each] for each in settled], np.uint32)[labels.codes]
        wanted = np.array([each is not None for each in settled], np.bool_)[labels.codes]
        read = replace(batch, labels=CodedLabels(known, codes))
        return read if wanted.all() else read.chosen(wanted)

    def classes(self) -> set[Label]:
        """The distinct labels of the rows that are read, as the options say."""
        return {settled for label in self._rows if (settled := self.settled(label)) is not None}

    def settled(self, label: Label) -> Label | None:
        """The label that is read for a label of the source; None if the row is left out."""
        if not isinstance(label, str):
            return label
        first = self._first(label)
        if not first or (self._reading.missing_labels == "skip" and looks_missing(first)):
            return None
        key = self._key(first)
        return self._spellings.get(first, self._spellings.get(key, key)) or None

    def _key(self, label: str) -> str:
        bare = label.strip() if self._reading.strip_labels else label
        return bare.casefold() if self._reading.fold_labels else bare

    def _first(self, label: str) -> str:
        """The first of several labels, or the label itself."""
        if not self._separator or self._separator not in label:
            return label
        return next((part.strip() for part in label.split(self._separator) if part.strip()), "")

    def doubts(self) -> list[str]:
        """One line per doubt that no option has settled, with the number of rows and the option."""
        return doubts_about(self._rows, self._reading, self._classes, self._column)

    def left_out(self) -> list[str]:
        """One line if rows were left out, as an option asked for."""
        out = {label: rows for label, rows in self._rows.items() if self.settled(label) is None}
        return [f"{counted(sum(out.values()), 'row')} left out because of the label: {quoted(out)}"] if out else []


def _check_numbers(labels: list[Label]) -> None:
    """Raise ``LabelError`` for a label that is not a number, if an option of reading can settle that."""
    for label in labels:
        if isinstance(label, str) and looks_missing(label):
            settled = f"{settled_by('missing_labels', 'skip')} leaves such rows out"
        elif isinstance(label, str) and label != label.strip():
            settled = f"{settled_by('strip_labels', True)} removes the white space around it"
        else:
            continue
        raise LabelError(f"the label {label!r} is not a number, but the labels of the model are numbers: {settled}")
