"""`Repeats`: how many documents are copies of others, and how many of these have another label."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from likely import _native
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.reading.sampling import Sample
    from likely.types import Label


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
    copies: dict[int, int] = {}
    labels: dict[int, set[Label]] = {}
    numbers = _native.copy_numbers(sample.texts).tolist() if sample.is_grouped else sample.groups
    for number, label, times in zip(numbers, sample.labels, sample.copies, strict=True):
        copies[number] = copies.get(number, 0) + times
        labels.setdefault(number, set()).add(label)
    repeated = {number: times for number, times in copies.items() if times > 1}
    return Repeats(
        documents=sum(copies.values()),
        of=sample.of,
        copies=sum(repeated.values()) - len(repeated),
        texts=len(repeated),
        differing=sum(len(labels[number]) > 1 for number in repeated),
    )
