"""Text that is safe to print on a terminal; numbers, sizes and tables for people."""

from __future__ import annotations

import shutil
import unicodedata
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

UNSURE = "unsure"
"""The text that stands in a table for a prediction if the model abstains."""
WIDTH = 80
"""The number of columns of a terminal that tables and sentences fit."""


def columns() -> int:
    """The columns of the terminal: those that the variable COLUMNS sets, those of the window, or 80."""
    return shutil.get_terminal_size((WIDTH, 24)).columns


def printable(text: object) -> str:
    r"""The text with control characters and direction marks escaped, so it cannot control a terminal.

    Examples
    --------
    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    return "".join(_escaped(c) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in str(text))


def _escaped(c: str) -> str:
    if c in "\u200c\u200d":  # joiners are part of words and emoji
        return c
    code = ord(c)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def number(value: float | None) -> str:
    """The number with four digits, or "undefined" for None.

    Examples
    --------
    >>> number(0.123456), number(None), number(6.106248727864848e-05)
    ('0.1235', 'undefined', '6.106e-05')
    """
    return "undefined" if value is None else f"{value:.4g}"


def percent(share: float, decimals: int = 1) -> str:
    """The share in per cent. It is rounded to 0 or 100 only if it is exactly that.

    Examples
    --------
    >>> percent(0.99732), percent(1.0), percent(0.99999), percent(0.0001), percent(0.9, 0)
    ('99.7%', '100%', '> 99.9%', '< 0.1%', '90%')
    """
    shown = f"{100 * share:.{decimals}f}"
    if float(shown) in (0.0, 100.0):
        step = 10.0**-decimals
        if share not in (0.0, 1.0):
            return f"> {100 - step:.{decimals}f}%" if share > 0.5 else f"< {step:.{decimals}f}%"
        shown = f"{100 * share:.0f}"
    return f"{shown}%"


def exact_percent(share: float) -> str:
    """The share in per cent, with up to four decimals where one would round it to 0 or 100.

    Examples
    --------
    >>> exact_percent(0.9999), exact_percent(0.89), exact_percent(1.0), exact_percent(1e-9)
    ('99.99%', '89.0%', '100%', '< 0.0001%')
    """
    found = [percent(share, decimals) for decimals in (1, 2, 3, 4)]
    return next((text for text in found if text[0] not in "<>"), found[-1])


def thousands(number: float) -> str:
    """What was counted, its thousands apart; weights make it a fraction, of which six digits are shown.

    Examples
    --------
    >>> thousands(12), thousands(1234567.0), thousands(1234567.5), thousands(1234.5678)
    ('12', '1,234,567', '1,234,568', '1,234.57')
    """
    return f"{number:,.0f}" if number == int(number) or abs(number) >= 1e6 else f"{number:,.6g}"


def counted(number: float, one: str, many: str = "") -> str:
    """The number with the noun that it counts, in the singular or the plural.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class", "classes"), counted(0.5, "text")
    ('1 row', '1,200 rows', '2 classes', '0.5 texts')
    """
    return f"{thousands(number)} {one if number == 1 else many or one + 's'}"


def named(values: Sequence[T], most: int, shown: Callable[[T], str] = str) -> str:
    """The values as a list, each as ``shown`` writes it: at most ``most`` of them, and how many more there are.

    Examples
    --------
    >>> named(["a", "b"], 2), named([1, 2, 3, 4], 2), named(["a", "b"], 1, repr)
    ('a, b', '1, 2 and 2 more', "'a' and 1 more")
    """
    more = len(values) - most
    return ", ".join(map(shown, values[:most])) + (f" and {more:,} more" if more > 0 else "")


def table(rows: list[list[str]]) -> str:
    """The rows as aligned columns: the first column to the left, the others to the right.

    Examples
    --------
    >>> print(table([["", "n"], ["a", "10"]]))
        n
    a  10
    """
    widths, lines = _widths(rows), []
    for row in rows:
        cells = [row[0] + " " * (widths[0] - display_width(row[0]))]
        cells += [" " * (w - display_width(cell)) + cell for cell, w in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def display_width(text: str) -> int:
    """The number of columns that a text takes on a terminal.

    Examples
    --------
    >>> display_width("漢字"), display_width("e\u0301")
    (4, 1)
    """
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 or c == "\u200d" for c in text)


def cut(text: str, width: int | None = None) -> str:
    """The text if it fits this many columns, else its beginning with an ellipsis.

    Default: the columns of the terminal, which the variable COLUMNS may set, or 80.

    Examples
    --------
    >>> cut("disappointment", 8), cut("漢字漢字", 5), cut("short", 8)
    ('disappo…', '漢字…', 'short')
    """
    width = width or columns()
    return text if display_width(text) <= width else f"{text[: _fitting(text, width - 1)]}…"


def cut_apart(texts: Sequence[str], width: int) -> list[str]:
    """The texts, each cut to this many columns: at the end, or at the beginning if they differ only there.

    They are left as they are if they could not be told apart.

    Examples
    --------
    >>> cut_apart(["comp.graphics", "sci.med"], 6), cut_apart(["class/10", "class/11"], 4)
    (['comp.…', 'sci.m…'], ['…/10', '…/11'])
    """
    ends = [text if display_width(text) <= width else f"…{cut(text[::-1], width)[-2::-1]}" for text in texts]
    for shorter in ([cut(text, width) for text in texts], ends):
        if len(set(shorter)) == len(set(texts)):
            return shorter
    return list(texts)


def _fitting(text: str, width: int) -> int:
    """How many characters fit into this width, at least one."""
    used = 0
    for at, character in enumerate(text):
        used += display_width(character)
        if used > width and at:
            return at
    return len(text)


def wrapped(text: str, indent: str = "", width: int = WIDTH) -> str:
    """The text in lines that fit, broken at spaces where possible; all lines but the first are indented.

    Examples
    --------
    >>> print(wrapped("one two three", indent="  ", width=8))
    one two
      three
    """
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line.strip() else f"{line}{word}"
        if display_width(longer) > width and line.strip():
            lines.append(line)
            longer = indent + word
        while display_width(longer) > width:
            end = _fitting(longer, width)
            lines.append(longer[:end])
            longer = indent + longer[end:]
        line = longer
    return "\n".join([*lines, line])


def fits(rows: list[list[str]], width: int = WIDTH) -> bool:
    """Whether the table of the rows fits this many columns."""
    return sum(_widths(rows)) + 2 * (len(rows[0]) - 1) <= width


def _widths(rows: list[list[str]]) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*rows, strict=True)]


def size_text(size: int) -> str:
    """The number of bytes as a text with a unit.

    Examples
    --------
    >>> size_text(999), size_text(1_234_567)
    ('999 bytes', '1.2 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e3:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
