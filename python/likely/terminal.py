"""Text that is safe to print on a terminal, and numbers, sizes and tables for people."""

from __future__ import annotations

import unicodedata


def printable(text: object) -> str:
    r"""A text without anything that would steer a terminal: controls and direction marks become escapes.

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
    """A number to four digits; an undefined one by that word.

    Examples
    --------
    >>> number(0.123456), number(None), number(6.106248727864848e-05)
    ('0.1235', 'undefined', '6.106e-05')
    """
    return "undefined" if value is None else f"{value:.4g}"


def table(rows: list[list[str]]) -> str:
    """Rows as aligned columns: the first to the left, the others to the right.

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
    """How many columns of a terminal a text takes.

    Examples
    --------
    >>> display_width("漢字"), display_width("e\u0301")
    (4, 1)
    """
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 or c == "\u200d" for c in text)


def size_text(size: int) -> str:
    """A number of bytes for people.

    Examples
    --------
    >>> size_text(999), size_text(1_234_567)
    ('999 bytes', '1.2 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e3:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
