"""Copies of texts: which documents are equal, and what copies across learned and judged documents change."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.formulas import share
from likely.options.model import with_defaults
from likely.terminal import counted, cut, number, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.evaluation.evaluation import Evaluation
    from likely.reading.rows import Whole
    from likely.types import Label, Mask, Places, Starts

SHOWN = 5
"""At most this many examples are kept."""
LONGEST = 100
"""At most this many characters of a text are kept."""
LONGEST_LINE = 74
"""At most this many columns of a terminal are used for a text."""
AT_ONCE = 1 << 14
"""The number of documents that are analyzed at a time."""


def terms_per_text(texts: list[str]) -> Starts:
    """The number of different words and pairs of neighbouring words of each text.

    Examples
    --------
    >>> terms_per_text(["a good film", "good", "..."])
    array([5, 1, 0])
    """
    analyzer = Analyzer.of(with_defaults({"ngrams": (1, 2), "hash_bits": 24}))
    found = [np.zeros(0, np.int64)]
    for start in range(0, len(texts), AT_ONCE):
        (_, _, starts), _ = _native.vectorize(analyzer.native, texts[start : start + AT_ONCE], thread_count(None))
        lengths: Starts = np.diff(starts).astype(np.int64)
        found.append(lengths)
    return np.concatenate(found)


@dataclass(frozen=True)
class CopyExample:
    """A judged document, and a copy of it that the model has learned.

    Rows are indices, from 0; ``other_row`` is that of the learned document in its own data.
    """

    row: int
    other_row: int
    label: Label
    other_label: Label
    text: str

    def __str__(self) -> str:
        of = f"row {self.row + 1:,} ({printable(self.label)})"
        learned = f"row {self.other_row + 1:,} ({printable(self.other_label)})"
        return f"  {of} = learned {learned}\n    {cut(printable(self.text), LONGEST_LINE)}"


@dataclass(frozen=True)
class LearnedCopies:
    """Judged documents of which the model has learned a copy: equal but for case, spaces and punctuation.

    Attributes
    ----------
    judged : int
        The number of judged documents.
    exact : int
        The number of judged documents of which the model has learned a copy.
    differing : int
        The number of judged documents whose learned copy has another label.
    accuracy, accuracy_of_copies, accuracy_without : float or None
        The accuracy of all judged documents, of those with copies, and of the others; None if there are none.
    examples : list of CopyExample
        Some of them.
    """

    judged: int
    exact: int
    differing: int
    accuracy: float | None
    accuracy_of_copies: float | None
    accuracy_without: float | None
    examples: list[CopyExample] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        if not self.exact:
            return "No judged document is a copy of one that was learned."
        differing = f" ({self.differing:,} with another label)" if self.differing else ""
        are = "is a copy" if self.exact == 1 else "are copies"
        return (
            f"{counted(self.exact, 'judged document')} of {self.judged:,} {are} of documents that were learned"
            f"{differing}: accuracy {number(self.accuracy_of_copies)} on them, "
            f"{number(self.accuracy_without)} without them, {number(self.accuracy)} in all."
        )


def copies_in_folds(whole: Whole, fold: Starts, rows: Places, right: Mask) -> LearnedCopies:
    """The copies of judged rows in other folds.

    ``fold`` has the fold of each row, or -1 if it is neither learned nor judged; ``rows`` are the judged rows, and
    ``right`` says whether each of them got its gold label.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> whole = Whole(["so good", "bad", "So good!", "fine"], ["+", "-", "+", "+"])
    >>> found = copies_in_folds(whole, np.array([0, 0, 1, 1]), np.arange(4), np.array([True, False, True, True]))
    >>> found.exact, found.accuracy_without
    (2, 0.5)
    """
    taken = np.flatnonzero(fold >= 0)
    some = whole.chosen(fold >= 0)
    return _learned_copies(some.texts, some.labels, taken.tolist(), fold[taken], np.searchsorted(taken, rows), right)


def copies_in_training_data(test: Evaluation, train: Whole) -> LearnedCopies:
    """The copies of the documents of an evaluation, which has kept its answers, in the data of its model.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reading.rows import Whole
    >>> train = Whole(["so good", "bad plot"], ["+", "-"])
    >>> model = NaiveBayes().fit(train.texts, train.labels)
    >>> found = copies_in_training_data(model.evaluate(["So good!", "bad"], ["+", "-"], keep=True), train)
    >>> found.exact, found.examples[0].other_row
    (1, 0)
    """
    if test.answers is None or test.answers.texts is None:
        raise ValueError("the evaluation must keep its answers")
    texts, gold = test.answers.texts, test.answers.gold
    labels: list[Label] = [test.labels[at] for at in gold.tolist()]
    return _learned_copies(
        [*texts, *train.texts],
        [*labels, *train.labels],
        [*range(len(texts)), *range(len(train))],
        np.repeat([0, 1], [len(texts), len(train)]),
        np.arange(len(texts)),
        test.answers.predicted == gold,
    )


def _learned_copies(
    texts: list[str], labels: Sequence[Label], rows: list[int], sides: Starts, judged: Places, right: Mask
) -> LearnedCopies:
    """The copies of the judged documents on another side than their own; documents without words have none."""
    _, first, text = np.unique(_native.copy_numbers(texts), return_index=True, return_inverse=True)
    elsewhere = np.flatnonzero(sides != sides[first[text]])
    other = np.full(len(first), -1)
    of_texts, places = np.unique(text[elsewhere], return_index=True)
    other[of_texts] = elsewhere[places]
    copy = np.where(sides[first[text]] != sides, first[text], other[text])
    found = ((copy >= 0) & (terms_per_text(texts) > 0))[judged]
    with_copy = judged[found].tolist()
    pairs = {frozenset((at, int(copy[at]))): (at, int(copy[at])) for at in reversed(with_copy)}
    shown = sorted(pairs.values())[:SHOWN]
    return LearnedCopies(
        len(judged),
        len(with_copy),
        sum(labels[at] != labels[copy[at]] for at in with_copy),
        share(int(right.sum()), len(right)),
        share(int(right[found].sum()), len(with_copy)),
        share(int(right[~found].sum()), len(right) - len(with_copy)),
        [CopyExample(rows[at], rows[of], labels[at], labels[of], beginning(texts[at], LONGEST)) for at, of in shown],
    )


def beginning(text: str, longest: int) -> str:
    """The beginning of a text, on one line."""
    return " ".join(text[: 4 * longest].split())[:longest]
