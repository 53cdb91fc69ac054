"""What the running Python knows of Unicode, as tables for the kernel: so both read every character alike."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIRST, END = 0x80, 0x110000
"""The code points to ask for: all but ASCII, which never changes."""
BLOCK = 256


def without_accents(text: str) -> str:
    """The text decomposed, without the marks that combine with other characters.

    Examples
    --------
    >>> without_accents("déjà ﬁt")
    'deja fit'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def only_ascii(text: str) -> str:
    """The text decomposed, without all that is not ASCII.

    Examples
    --------
    >>> only_ascii("déjà ﬁt ж")
    'deja fit '
    """
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


STRIPPERS: dict[str, Callable[[str], str]] = {"ascii": only_ascii, "unicode": without_accents}
"""What ``strip_accents`` can name. Both go character by character, as no context decides what is left."""


@cache
def alphabet(lowercase: bool, strip_accents: str | None) -> _native.Alphabet:
    """The tables for some way of preprocessing, made when first needed (some hundredths of a second)."""
    everything = np.arange(FIRST, END, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    strip = STRIPPERS[strip_accents] if strip_accents else str
    fold = (lambda text: strip(text.lower())) if lowercase else strip
    return _native.Alphabet(ranges(r"\w+", everything), ranges(r"\s+", everything), list(changed(fold, everything)))


def ranges(pattern: str, everything: str) -> list[tuple[int, int]]:
    """The code points that match: first, and one after the last, of each range."""
    return [(found.start() + FIRST, found.end() + FIRST) for found in re.finditer(pattern, everything)]


def changed(fold: Callable[[str], str], everything: str) -> Iterator[tuple[int, bytes]]:
    """The code points that become something else, and what, in UTF-8."""
    for start in range(0, len(everything), BLOCK):
        block = everything[start : start + BLOCK]
        if fold(block) == block:
            continue
        for character in block:
            if (folded := fold(character)) != character:
                yield ord(character), folded.encode("utf-8", "surrogatepass")
