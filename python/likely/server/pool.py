"""`Pool`: texts in files on the server that wait for labels."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from likely.server.keeper import Keeper

MOST_TEXTS = 20_000
"""At most this many distinct texts are used, the first ones of the files."""
MOST_CHARACTERS = 100_000
"""A text is cut after this many characters."""
MOST_TOGETHER = 50_000_000
"""All texts together have at most this many characters."""


@dataclass(frozen=True)
class Texts:
    """The texts of a pool, and whether the files have more of them than are used."""

    texts: tuple[str, ...] = ()
    is_cut: bool = False


@dataclass
class Pool:
    """Texts in files that wait for labels. They are read when they are first asked for.

    Parameters
    ----------
    places : tuple of str
        The files, in any format that `likely` reads; none of them is a server without a pool.
    reading : mapping
        Options of reading.

    Examples
    --------
    >>> Pool().name, Pool().texts(None).texts
    (None, ())
    """

    places: tuple[str, ...] = ()
    reading: Mapping[str, object] = field(default_factory=dict)
    _found: Texts | None = field(default=None, init=False, repr=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def name(self) -> str | None:
        """The names of the files; None if there are none."""
        if not self.places:
            return None
        from likely.report.material import name_of_source

        return name_of_source(list(self.places))

    def texts(self, keeper: Keeper | None) -> Texts:
        """The distinct texts that are not empty, in the order of the files. ``keeper`` knows the columns."""
        if not self.places:
            return Texts()
        with self._turn:
            if self._found is None:
                self._found = first_distinct(self._read(keeper))
            return self._found

    def _read(self, keeper: Keeper | None) -> Iterator[str]:
        from likely.options.reading import reading_of
        from likely.reading.corpus import Corpus

        options = {name: value for name, value in self.reading.items() if name != "label"}
        corpus = Corpus(list(self.places), reading_of(options), labelled=False)
        if keeper is not None and keeper.model._state.is_fitted:
            corpus.expect(keeper.model.columns_)
        for batch in corpus:
            yield from batch.texts.to_pylist()


def first_distinct(texts: Iterator[str]) -> Texts:
    """The first distinct texts, up to the limits.

    Examples
    --------
    >>> first_distinct(iter(["one", " ", "two", "one"]))
    Texts(texts=('one', 'two'), is_cut=False)
    """
    found: dict[str, None] = {}
    characters = 0
    for text in texts:
        cut = text[:MOST_CHARACTERS]
        if not cut.strip() or cut in found:
            continue
        if len(found) == MOST_TEXTS or characters + len(cut) > MOST_TOGETHER:
            return Texts(tuple(found), is_cut=True)
        found[cut] = None
        characters += len(cut)
    return Texts(tuple(found))
