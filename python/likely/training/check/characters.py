"""Characters that should not be there: traces of a wrong encoding, control characters, and lone invisible signs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from likely.evaluation.data_check import Example, Finding
from likely.training.check.finding import rows_are

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.rows import Whole
    from likely.training.check.finding import Place

_WRONG = ("cp1252", "latin-1")
"""The encodings that UTF-8 is usually mistaken for."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_WINDOWS = re.compile("[\x80-\x84\x86-\x9f]")
"""Characters of cp1252 that were read as Latin-1, where they are control characters."""
_CONTINUING = "".join({bytes([code]).decode(codec, "ignore") for code in range(0x80, 0xC0) for codec in _WRONG})
_MOJIBAKE = re.compile(f"[\xc2-\xf4][{re.escape(_CONTINUING)}]+")
"""A byte that starts a character in UTF-8 and those that continue it, each read as a character."""
_LONE = re.compile("(?:^|[^\\W\\d_]|[\\s.,;:!?'\"()-])([\ufe0e\ufe0f])")
"""A variation selector that does not follow a sign that it could select a form of, such as an emoji or a digit."""


class Kind(NamedTuple):
    """A kind of trouble: what a row has, what to do, and from which share of the rows on it is serious."""

    says: str
    fix: str
    many: float


KINDS = {
    "replacement": Kind(
        "the replacement character (U+FFFD)",
        "characters were lost in a conversion: read the original data, if need be with its encoding: {command}",
        0.01,
    ),
    "mojibake": Kind(
        "characters of UTF-8 that were read as another encoding",
        "repair the texts where they were exported, or in Python: text.encode('cp1252').decode('utf-8')",
        0.01,
    ),
    "control": Kind(
        "control characters", "remove them; or if the file is in another encoding, say which: {command}", 0.01
    ),
    "windows": Kind(
        "characters of Windows (cp1252) that were read as Latin-1",
        "repair the texts where they were exported, or in Python: text.encode('latin-1').decode('cp1252')",
        0.1,
    ),
    "lone selector": Kind(
        "a lone variation selector, as is left where an emoji was cut out",
        "remove U+FE0E and U+FE0F where emoji were cut out: they may tell the class",
        0.1,
    ),
}


def character_findings(whole: Whole, place: Place, most: int) -> Iterator[Finding]:
    """What is wrong with the characters of the texts."""
    found: dict[str, list[tuple[int, str]]] = {kind: [] for kind in KINDS}
    for row, text in enumerate(whole.texts):
        for kind, sign in troubles(text):
            found[kind].append((row, sign))
    for kind, rows in found.items():
        if rows:
            of = KINDS[kind]
            signs = ", ".join(name for name, _ in Counter(sign for _, sign in rows).most_common(3))
            says = f"{rows_are(len(rows), len(whole), f'has {of.says}', f'have {of.says}')}, such as {signs}."
            examples = [Example.of(whole, row, sign) for row, sign in rows[:most]]
            fix = of.fix.format(command=place.train("--encoding", "CODEC"))
            yield Finding("encoding", len(rows) >= of.many * len(whole), len(rows), says, fix, examples)


def troubles(text: str) -> Iterator[tuple[str, str]]:
    r"""The kinds of trouble that a text has, each with the sign that shows it.

    Examples
    --------
    >>> list(troubles("CafÃ© \x00")), list(troubles("Café ❤️ 1️⃣"))
    ([('mojibake', "'Ã©' for 'é'"), ('control', 'U+0000')], [])
    >>> list(troubles("so happy \ufe0f"))
    [('lone selector', 'U+FE0F')]
    """
    if not text.isascii():
        if "\ufffd" in text:
            yield "replacement", "U+FFFD"
        for found in _MOJIBAKE.finditer(text):
            meant = _meant(found[0])
            if meant is not None:
                yield "mojibake", f"{found[0]!r} for {meant!r}"
                break
        windows = _WINDOWS.search(text)
        if windows:
            meant = windows[0].encode("latin-1").decode("cp1252", "replace")
            yield "windows", f"{sign_name(windows[0])} for {meant!r}"
        lone = _LONE.search(text)
        if lone:
            yield "lone selector", sign_name(lone[1])
    control = _CONTROL.search(text)
    if control:
        yield "control", sign_name(control[0])


def _meant(read: str) -> str | None:
    """The characters of UTF-8 that were read as cp1252 or Latin-1; None if they were not."""
    for codec in _WRONG:
        try:
            return read.encode(codec).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
    return None


def sign_name(sign: str) -> str:
    r"""A character by its number, as Unicode writes it.

    Examples
    --------
    >>> sign_name("\ufe0f"), sign_name("\x00")
    ('U+FE0F', 'U+0000')
    """
    return f"U+{ord(sign):04X}"


def invisible_signs(text: str) -> set[str]:
    r"""The characters of a text that cannot be seen and are hardly part of a word, and lone variation selectors.

    Examples
    --------
    >>> sorted(invisible_signs("a\xa0b \x07\u200b")), invisible_signs("❤️ a\u200cb")
    (['\x07', '\xa0', '\u200b'], set())
    """
    if text.isascii() and not _CONTROL.search(text):
        return set()
    found = {sign for sign in set(text) if sign not in _ORDINARY and unicodedata.category(sign) in _UNSEEN}
    return found | {lone[1] for lone in _LONE.finditer(text)}


_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Zs", "Zl", "Zp")
_ORDINARY = frozenset(" \t\n\r\u200c\u200d\u3000")
