"""`Repeats`: how many documents are copies of others, and how many of these have another label."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.reading.sampling import Sample


@dataclass(frozen=True)
class Repeats:
    """Copies among documents: texts that are equal but for case, spaces and punctuation.

    Attributes
    ----------
    documents : int
        The number of documents that were looked at, with all their copies.
    of : int
        The number of all documents.
    copies : int
        How many of them are copies of another one: all but one of each text.
    texts : int
        The number of texts that have copies.
    differing : int
        How many of these texts have copies with different labels.
    """

    documents: int
    of: int
    copies: int
    texts: int
    differing: int

    def to_dict(self) -> dict[str, int]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        looked = "" if self.documents == self.of else f" in a sample of {counted(self.documents, 'document')}"
        texts = f"{counted(self.copies, 'copy', 'copies')} of {counted(self.texts, 'text')}{looked}"
        labels = (
            f"{self.differing:,} of these texts with different labels" if self.differing else "all with one label"
        )
        return f"{texts}, {labels}: copies are judged together, by a model without all of them"


def repeats_of(sample: Sample) -> Repeats:
    """The copies among the documents of a sample, which contains all copies of its texts, if it has no groups.

    Examples
    --------
    >>> from likely.reading.labelled import Labelled
    >>> from likely.reading.sampling import Sampler
    >>> sampler = Sampler(10)
    >>> sampler.add(Labelled(["so good", "So good!", "so good", "bad"], ["+", "-", "+", "-"]))
    >>> print(repeats_of(sampler.sample()))
    2 copies of 1 text, 1 of these texts with different labels: copies are judged together, by a model without all of
    them
    """
    numbers = _native.copy_numbers(sample.texts) if sample.is_grouped else np.array(sample.groups, np.uint64)
    distinct, of_row = np.unique(numbers, return_inverse=True)
    copies = np.zeros(len(distinct), np.int64)
    np.add.at(copies, of_row, np.array(sample.copies, np.int64))
    repeated = copies > 1
    rows = np.flatnonzero(repeated[of_row]).tolist()
    labels = {(int(of_row[row]), sample.labels[row]) for row in rows}
    per_text = Counter(text for text, _ in labels)
    return Repeats(
        documents=int(copies.sum()),
        of=sample.of,
        copies=int((copies[repeated] - 1).sum()),
        texts=int(repeated.sum()),
        differing=sum(number > 1 for number in per_text.values()),
    )
