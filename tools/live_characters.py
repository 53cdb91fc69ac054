"""Write what the live classifier in pages knows of characters: `python tools/live_characters.py`.

The kernel is the only source: it is asked about every character of Unicode by texts that tell the classes apart. So a
page cuts texts as the kernel does, whatever Unicode the browser knows. Run it after a change of the kernel's tables.
"""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from likely.core.analyzer import Analyzer
from likely.options.model import with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLACE = Path(__file__).parents[1] / "python/likely/data/live/unicode.js"

CLASSES = (
    "separator",
    "word",
    "mark",
    "single",
    "emoji",
    "text emoji",
    "regional",
    "skin tone",
    "joiner",
    "apostrophe",
)
"""The classes of `crates/likely-core/src/analyze/characters/char_class.rs`, in the order of characters.js."""
ALPHABETIC, NUMERIC, COMBINES, ACCENT = 16, 32, 64, 128
"""Further bits of the number of a character."""

NAMED = {
    "apostrophe": "'\u2019\uff07\u00b7\u05f3\u05f4\u2027",
    "joiner": "\u200c\u200d\u00ad\u2060",
    "regional": "".join(map(chr, range(0x1F1E6, 0x1F200))),
    "skin tone": "".join(map(chr, range(0x1F3FB, 0x1F400))),
}
"""Classes whose characters `crates/likely-core/build.rs` names one by one."""

CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
WIDTH = 112
BATCH = 20_000

Found = tuple[tuple[str, int, int], ...]
"""Terms with their places."""


def asked(make: Callable[[str], str], **options: object) -> Iterator[Found]:
    """For each character, the terms of the text that ``make`` makes of it."""
    native = Analyzer.of(with_defaults(options)).native
    for first in range(0, len(CHARACTERS), BATCH):
        texts = [make(character) for character in CHARACTERS[first : first + BATCH]]
        starts = [0]
        for text in texts:
            starts.append(starts[-1] + len(text) + 1)
        found: list[list[tuple[str, int, int]]] = [[] for _ in texts]
        at = 0
        for term, _, _, start, end in native.spans("\n".join(texts)):
            while start >= starts[at + 1]:
                at += 1
            found[at].append((term, start - starts[at], end - starts[at]))
        yield from map(tuple, found)


def places(found: Found) -> list[tuple[int, int]]:
    """The places of the terms."""
    return [(start, end) for _, start, end in found]


def classes() -> Iterator[int]:
    """The class of each character."""
    named = {character: CLASSES.index(name) for name, characters in NAMED.items() for character in characters}
    within = asked(lambda c: f"a{c}b", lowercase=False)
    after = asked(lambda c: f"\u6f22{c}", lowercase=False)
    chosen = asked(lambda c: f"{c}\ufe0f", lowercase=False)
    joined = asked(lambda c: f"{c}\u200d\u2764", lowercase=False)
    for c, *answers in zip(CHARACTERS, within, after, chosen, joined, strict=True):
        yield named[c] if c in named else CLASSES.index(class_of(c, *map(places, answers)))


def class_of(
    c: str,
    within: list[tuple[int, int]],
    after: list[tuple[int, int]],
    chosen: list[tuple[int, int]],
    joined: list[tuple[int, int]],
) -> str:
    """The class of a character that is not named, from four texts with it."""
    if within == [(0, 3)]:
        return "mark" if after == [(0, 2)] else "word"
    if len(within) == 3:
        return "emoji" if joined == [(0, 3)] else "single"
    return "text emoji" if chosen == [(0, 2)] and c not in "#*" else "separator"


def numbers() -> Iterator[int]:
    """The class and the further bits of each character, as one number."""
    characters = {"analyzer": "char", "ngrams": (1, 1)}
    sigmas = asked(lambda c: f"{c}\u03a3", **characters)
    masks = asked(lambda c: c, entities={"numbers": "mask"})
    combined = asked(lambda c: f"a{c}", normalize="nfc", **characters)
    stripped = asked(lambda c: f"a{c}", accents="strip", **characters)
    parts = zip(CHARACTERS, classes(), sigmas, masks, combined, stripped, strict=True)
    for c, number, sigma, mask, together, without in parts:
        more = ALPHABETIC * any(term == "\u03c2" for term, _, _ in sigma)
        more |= NUMERIC * any(term.startswith("<number:") for term, _, _ in mask)
        more |= COMBINES * (c > "\x7f" and places(together)[:1] == [(0, 2)])
        more |= ACCENT * (c > "\x7f" and "".join(term for term, _, _ in without).rstrip(" ") == "a")
        yield number | (0 if c.isspace() and c > "\x7f" else more)


def lower_cases() -> Iterator[tuple[int, int]]:
    """Each capital and its small letter, if that is one character."""
    for c, found in zip(CHARACTERS, asked(lambda c: c, analyzer="char", ngrams=(1, 1)), strict=True):
        small = "".join(term for term, _, _ in found).rstrip(" ")
        if len(small) == 1 and small != c and not c.isspace():
            yield ord(c), ord(small)


def newer() -> Iterator[str]:
    """Each character that is newer than the Unicode of this Python, before its compatible form (NFKC), if it has one.

    Browsers know at least this version of Unicode. They order newer marks as they like, which cannot be helped.
    """
    # A mark would combine with the end of the line before it, so that each character has a letter before it.
    forms = asked(lambda c: f"a{c}", analyzer="char", ngrams=(1, 1), normalize="nfkc", lowercase=False)
    for c, found in zip(CHARACTERS, forms, strict=True):
        form = "".join(term for term, _, _ in found).rstrip(" ")[1:]
        if unicodedata.category(c) == "Cn" and form != c:
            yield c + form


def runs(of: list[int]) -> tuple[list[int], str]:
    """The distinct numbers, and the runs of equal ones: their lengths to base 36, and a capital for each number."""
    by_code = iter(of)
    every = [next(by_code) if not 0xD800 <= code <= 0xDFFF else 0 for code in range(0x110000)]
    distinct = sorted(set(every))
    letters = {number: chr(ord("A") + at) for at, number in enumerate(distinct)}
    return distinct, "".join(f"{to_base(len(list(same)))}{letters[number]}" for number, same in groupby(every))


def ladders(pairs: list[tuple[int, int]]) -> str:
    """Pairs whose first numbers are equally far apart, with equal differences: first, step, count, difference."""
    found: list[list[int]] = []
    for code, small in pairs:
        last = found[-1] if found else None
        if last and small - code == last[3] and (last[2] == 1 or code == last[0] + last[1] * last[2]):
            last[1] = code - last[0] if last[2] == 1 else last[1]
            if last[1] <= 2:
                last[2] += 1
                continue
            last[1] = 1
        found.append([code, 1, 1, small - code])
    return " ".join(",".join(map(to_base, each)) for each in found)


def to_base(number: int) -> str:
    """A number to base 36."""
    digits = "" if number else "0"
    rest = abs(number)
    while rest:
        rest, digit = divmod(rest, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f"-{digits}" if number < 0 else digits


def escaped(text: str) -> str:
    """The numbers of the characters of a text to base 36."""
    return ",".join(to_base(ord(c)) for c in text)


def literal(text: str) -> str:
    """A text as a JavaScript expression of several lines."""
    lines = [text[at : at + WIDTH] for at in range(0, len(text), WIDTH)]
    return " +\n".join(f'  "{line}"' for line in lines)


def written() -> str:
    """The module."""
    distinct, of_characters = runs(list(numbers()))
    return (
        "// What the kernel knows of characters. Written by tools/live_characters.py: do not change it by hand.\n\n"
        "/** Numbers of characters: the class in four bits, then alphabetic, numeric, combines, accent. */\n"
        f"export const KINDS = [{', '.join(map(str, distinct))}];\n\n"
        "/** Runs of equal characters: their lengths to base 36, and a capital for the place in KINDS. */\n"
        f"export const RUNS =\n{literal(of_characters)};\n\n"
        "/** Capitals: first, step, count, and what is added for the small letter, to base 36. */\n"
        f"export const CAPITALS =\n{literal(ladders(list(lower_cases())))};\n\n"
        "/** Characters that a browser may not know yet, each before its compatible form. */\n"
        f"export const NEWER =\n{literal(' '.join(map(escaped, newer())))};\n"
    )


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(None if PLACE.read_text(encoding="utf-8") == written() else f"{PLACE} is not up to date")
    PLACE.write_text(written(), encoding="utf-8")
