"""Text that is safe to print on a terminal; numbers, sizes and tables for people."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def printable(text: object) -> str:
    r"""The text with control characters and direction marks escaped, so that it cannot control a terminal.

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
    ('99.7 %', '100 %', '> 99.9 %', '< 0.1 %', '90 %')
    """
    shown = f"{100 * share:.{decimals}f}"
    if float(shown) in (0.0, 100.0):
        step = 10.0**-decimals
        if share not in (0.0, 1.0):
            return f"> {100 - step:.{decimals}f} %" if share > 0.5 else f"< {step:.{decimals}f} %"
        shown = f"{100 * share:.0f}"
    return f"{shown} %"


def counted(number: float, one: str, many: str = "") -> str:
    """The number with the noun that it counts, in the singular or the plural.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class", "classes"), counted(0.5, "text")
    ('1 row', '1,200 rows', '2 classes', '0.5 texts')
    """
    shown = f"{int(number):,}" if number == int(number) else f"{number:,.6g}"
    return f"{shown} {one if number == 1 else many or one + 's'}"


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
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = []
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
