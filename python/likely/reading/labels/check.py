"""`LabelCheck`: counts the labels of a source while it is read, settles them, and says what is doubtful."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LabelError
from likely.reading.labels.doubts import Seen, doubts_about, quoted, settled_by
from likely.reading.labels.rules import LabelRules, looks_missing
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from likely.reading.batch import Batch, Chosen
    from likely.reading.options import Reading
    from likely.types import Label


class LabelCheck:
    """Counts the labels of a source while it is read, settles them as the options say, and says what is doubtful.

    Only distinct labels are kept, with the number of their rows.

    Parameters
    ----------
    reading : Reading
        How the source is read.
    classes : collection of labels
        The classes of the model that the labels are read for, if there is one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.reading import Corpus, Reading
    >>> frame = pa.table({"text": ["a", "b", "c"], "label": ["ham", "spam", "n/a"]})
    >>> corpus = Corpus(frame, Reading(missing_labels="skip"))
    >>> sum(len(batch.texts) for batch in corpus)
    2
    >>> corpus.labels.left_out()
    ["1 row left out because of the label: 'n/a' (1)"]
    """

    def __init__(self, reading: Reading, classes: Collection[Label] = ()) -> None:
        self._reading = reading
        self._classes = frozenset(classes)
        self._are_numbers = bool(classes) and not any(isinstance(label, str) for label in classes)
        self._rules = LabelRules.of(reading).with_classes(classes)
        self._rows: Counter[Label] = Counter()
        self._columns: Chosen | None = None
        self._headers = 0

    def settle(self, batch: Batch, columns: Chosen) -> Batch:
        """The batch with labels as the options say, without the rows that are left out."""
        self._columns = columns
        batch = self._without_headers(batch, columns)
        if batch.labels is None:
            return batch
        numbers = np.bincount(batch.labels.codes, minlength=len(batch.labels.values)).tolist()
        for label, number in zip(batch.labels.values, numbers, strict=True):
            if number:
                self._rows[label] += number
        settled = self._rules.settled_batch(batch)
        if self._are_numbers and settled.labels is not None:
            _check_numbers(settled.labels.values)
        return settled

    def classes(self) -> set[Label]:
        """The distinct labels of the rows that are read, as the options say."""
        return {settled for label in self._rows if (settled := self._rules.settled(label)) is not None}

    def settled(self, label: Label) -> Label | None:
        """A label as the options say, or None if its rows are left out."""
        return self._rules.settled(label)

    def _without_headers(self, batch: Batch, columns: Chosen) -> Batch:
        """The batch without the rows that repeat the names of the columns, unless they are wanted."""
        repeated = None if self._reading.repeated_headers == "keep" else _repeated_headers(batch, columns)
        if repeated is None:
            return batch
        self._headers += int(repeated.sum())
        return batch.chosen(~repeated)

    def doubts(self) -> list[str]:
        """One line per doubt that no option has settled, with the number of rows and the option."""
        lines = []
        if self._headers and self._reading.repeated_headers is None:
            skip, keep = (settled_by("repeated_headers", value) for value in ("skip", "keep"))
            lines.append(f"{self._repeated()}; {skip} says that this is right, {keep} reads them")
        label = self._columns.label if self._columns else None
        return lines + doubts_about(Seen(self._rows, self._classes, label), self._reading)

    def left_out(self) -> list[str]:
        """One line per reason why rows were left out, as an option asked for."""
        lines = [self._repeated()] if self._headers and self._reading.repeated_headers == "skip" else []
        if not self._rules.are_idle:
            out = {label: rows for label, rows in self._rows.items() if self._rules.settled(label) is None}
            lines += (
                [f"{counted(sum(out.values()), 'row')} left out because of the label: {quoted(out)}"] if out else []
            )
        return lines

    def _repeated(self) -> str:
        """How many rows repeat the header."""
        names = f" ({self._columns.text}, {self._columns.label})" if self._columns else ""
        return f"{counted(self._headers, 'row')} left out: the header again{names}"


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


def _repeated_headers(batch: Batch, columns: Chosen) -> npt.NDArray[np.bool_] | None:
    """True for each row whose text and label are the names of their columns; None if there is no such row."""
    labels = batch.labels
    if labels is None or columns.label not in labels.values or columns.text.isdecimal():
        return None  # columns without a header are called 1, 2, ..., which rows may contain
    repeated: npt.NDArray[np.bool_] = labels.codes == labels.values.index(columns.label)
    texts = batch.chosen(repeated).texts.to_pylist()
    repeated[repeated] = [text is not None and text.strip() == columns.text.strip() for text in texts]
    return repeated if repeated.any() else None
