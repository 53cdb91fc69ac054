"""N-grams in plain Python, by scikit-learn's rules: for analyzers that are called one text at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONG_SPACE = re.compile(r"\s\s+")


@dataclass(frozen=True)
class WordNgrams:
    """Tokens to n-grams of them, the shortest first, after stop words are left out.

    Examples
    --------
    >>> WordNgrams((1, 2), frozenset({"of"}))(["end", "of", "days"])
    ['end', 'days', 'end days']
    """

    ngram_range: tuple[int, int]
    stop_words: frozenset[str] | None = None

    def __call__(self, tokens: Sequence[str]) -> Sequence[str]:
        """The n-grams of tokens."""
        if self.stop_words is not None:
            tokens = [token for token in tokens if token not in self.stop_words]
        shortest, longest = self.ngram_range
        if longest == 1:
            return tokens
        return [
            tokens[start] if n == 1 else " ".join(tokens[start : start + n])
            for n in range(shortest, min(longest, len(tokens)) + 1)
            for start in range(len(tokens) - n + 1)
        ]


@dataclass(frozen=True)
class CharNgrams:
    """A text to n-grams of its characters, where white space of more than one is one space.

    Examples
    --------
    >>> CharNgrams((2, 3))("a  b")
    ['a ', ' b', 'a b']
    """

    ngram_range: tuple[int, int]

    def __call__(self, text: str) -> list[str]:
        """The n-grams of a text."""
        text = _LONG_SPACE.sub(" ", text)
        shortest, longest = self.ngram_range
        return [gram for n in range(shortest, min(longest, len(text)) + 1) for gram in _windows(text, n)]


@dataclass(frozen=True)
class CharInWordNgrams:
    """A text to n-grams of characters of its words, each with a space before and after it.

    A word that is no longer than the n-gram is one itself, once.

    Examples
    --------
    >>> CharInWordNgrams((3, 5))("a to")
    [' a ', ' to', 'to ', ' to ']
    """

    ngram_range: tuple[int, int]

    def __call__(self, text: str) -> list[str]:
        """The n-grams of a text."""
        return [gram for word in text.split() for gram in self._of_word(f" {word} ")]

    def _of_word(self, word: str) -> Iterator[str]:
        shortest, longest = self.ngram_range
        for n in range(shortest, longest + 1):
            if len(word) <= n:
                yield word
                return
            yield from _windows(word, n)


def _windows(text: str, n: int) -> Iterator[str]:
    return (text[start : start + n] for start in range(len(text) - n + 1))
