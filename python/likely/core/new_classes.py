"""Classes that a model has never seen: which ones a lesson would add, and what is said about them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from likely.class_places import class_names
from likely.errors import UnknownClassError
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.core.counts import Counts
    from likely.types import Label


_NAMED = 5
_MOST_COMPARED = 1_000
"""With more classes than this, none is suggested: each suggestion compares a label with all of them."""


class NewClasses(NamedTuple):
    """The classes that a lesson would add to a model.

    Attributes
    ----------
    documents : dict
        The (weighted) number of documents of each new class.
    known : sequence of labels
        The classes of the model.

    Examples
    --------
    >>> print(NewClasses({"spma": 1.0, "eggs": 3.0}, ["ham", "spam"]))
    2 new classes: 'spma' (1 text; did you mean 'spam'?), 'eggs' (3 texts). Known classes: 'ham', 'spam'
    """

    documents: dict[Label, float]
    known: Sequence[Label]

    @classmethod
    def of(cls, lesson: Counts, counts: Counts) -> NewClasses:
        """The classes of a lesson that the counts of a model do not have."""
        live, known = lesson.live(), counts.live().labels
        documents = lesson.totals().documents[live.numbers].tolist()
        old = set(known)
        pairs = zip(live.labels, documents, strict=True)
        return cls({label: number for label, number in pairs if label not in old}, known)

    def check(self) -> None:
        """Raise ``UnknownClassError`` if there is a new class."""
        if self.documents:
            raise UnknownClassError(f"{self}. Correct the labels, or allow new classes")

    def __str__(self) -> str:
        return f"{counted(len(self.documents), 'new class', 'new classes')}: {self.described()}"

    def described(self) -> str:
        """The new classes, with classes that may be meant instead, and the known ones."""
        new = named(list(self.documents), _NAMED, self._described)
        return f"{new}. Known classes: {class_names(self.known)}"

    def _described(self, label: Label) -> str:
        few = self.known if len(self.known) <= _MOST_COMPARED and isinstance(label, str) else []
        close = difflib.get_close_matches(str(label), map(str, few), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"{label!r} ({counted(self.documents[label], 'text')}{hint})"
