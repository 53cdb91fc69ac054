"""Text to terms, for people to look at: the same terms that are counted, with their places."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.errors import TextError
from likely.options import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a text and where it stands.

    Attributes
    ----------
    term : str
        The term as it is counted; the words of an n-gram are joined by a space, which no word contains.
    start, end : int
        Its place in the text, in characters: ``text[start:end]``.
    start_byte, end_byte : int
        The same in bytes of UTF-8.
    """

    term: str
    start: int
    end: int
    start_byte: int
    end_byte: int


def analyze(text: str, **options: Any) -> list[Term]:
    """Cut a text into terms, ordered by where they end.

    Parameters
    ----------
    text : str
        Any text.
    **options
        ``analyzer``, ``ngrams`` and ``lowercase``, as for `NaiveBayes`.

    Examples
    --------
    >>> [t.term for t in analyze("Don't panic!", ngrams=(1, 2))]
    ["don't", 'panic', "don't panic"]
    >>> analyze("Ça va?")[1]
    Term(term='va', start=3, end=5, start_byte=4, end_byte=6)
    """
    return Analyzer.of(with_defaults(options, ANALYZE_OPTIONS)).terms(text)


@dataclass(frozen=True)
class Analyzer:
    """How texts become terms: two analyzers are equal if they cut every text alike.

    Examples
    --------
    >>> Analyzer("word", 1, 2, True).terms("New York")[2].term
    'new york'
    """

    unit: str
    shortest: int
    longest: int
    lowercase: bool

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Analyzer:
        """The analyzer for some checked options."""
        shortest, longest = options["ngrams"]
        return cls(options["analyzer"], int(shortest), int(longest), bool(options["lowercase"]))

    def __str__(self) -> str:
        length = f"{self.shortest}" if self.shortest == self.longest else f"{self.shortest} to {self.longest}"
        case = "lower-cased" if self.lowercase else "as written"
        return f"terms of {length} {self.unit}{'s' if self.longest > 1 else ''}, {case}"

    @cached_property
    def native(self) -> _native.Analyzer:
        """The kernel's analyzer."""
        return _native.Analyzer(self.unit, self.shortest, self.longest, self.lowercase)

    def terms(self, text: str) -> list[Term]:
        """The terms of a text, ordered by where they end."""
        check_text(text)
        return [Term(term, c0, c1, b0, b1) for term, b0, b1, c0, c1 in self.native.spans(text)]

    @property
    def joint(self) -> str:
        """What stands between the parts of an n-gram."""
        return " " if self.unit == "word" else ""


def check_text(text: object) -> None:
    """Raise ``TextError`` for what is no string."""
    if not isinstance(text, str):
        raise TextError(f"text is of type {type(text).__name__}, not str")


def thread_count(threads: int | None) -> int:
    """How many threads to use: as told, else as many as there are processors to run them on."""
    if threads:
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
