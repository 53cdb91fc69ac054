"""Pieces of HTML that all reports for notebooks share: escaped text, tables, and colours for light and dark pages.

Styles are inline, because a notebook may drop a style sheet. Colours are translucent, so the colour of the text stays
that of the page. Colour-blind readers tell blue and orange apart (Okabe and Ito, *Color Universal Design*, 2008).
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from likely.terminal import counted, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

BLUE = "0,114,178"
"""Red, green and blue of the colour of the decision, and of what is right."""
ORANGE = "230,129,0"
"""The same for its rival, and for what is wrong."""
LONGEST = 60
"""At most this many characters of a label or a term are shown; the whole is in the tooltip."""

_CELL = "padding:.15em .6em;border-bottom:1px solid rgba(128,128,128,.3);"

_TABLE = "border-collapse:collapse;margin:.5em 0;font-size:inherit;color:inherit"
_UPRIGHT = "writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;"


def escaped(text: object) -> str:
    r"""The text as it can stand in a page or in an attribute; nothing in it can control the page.

    Examples
    --------
    >>> escaped('<b>"\u202e'), escaped("a\nb")
    ('&lt;b&gt;&quot;\\u202e', 'a\nb')
    """
    return html.escape("\n".join(map(printable, str(text).split("\n"))))


def named_html(text: object) -> str:
    """A label or a term, in the direction of its script; if it is long, its beginning.

    Examples
    --------
    >>> named_html("spam & ham")
    '<bdi>spam &amp; ham</bdi>'
    """
    name = str(text)
    if len(name) <= LONGEST:
        return f"<bdi>{escaped(name)}</bdi>"
    return f'<bdi title="{escaped(name[: 10 * LONGEST])}">{escaped(name[:LONGEST])}…</bdi>'


def tint(colour: str, share: float) -> str:
    """The style of a background in this colour, the stronger the larger the share is (0 to 1).

    Examples
    --------
    >>> tint(BLUE, 0.5), tint(BLUE, 0.0)
    ('background:rgba(0,114,178,0.35);', '')
    """
    return f"background:rgba({colour},{0.7 * min(share, 1.0):.2f});" if share > 0 else ""


def cell(content: str, *, number: bool = False, style: str = "", title: str = "") -> str:
    """A cell of a table; the content is HTML, the title is text."""
    align = "right" if number else "left"
    shown = f' title="{escaped(title)}"' if title else ""
    return f'<td style="{_CELL}text-align:{align};{style}"{shown}>{content}</td>'


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1, upright: bool = False) -> str:
    """A table of HTML: the first ``words`` columns to the left, numbers to the right. The head is text.

    If it is ``upright``, its names run from bottom to top, for many columns.

    A content that starts with ``<td`` is a whole cell.

    Examples
    --------
    >>> table_html(["class", "documents"], [["<bdi>spam</bdi>", "12"]]).count("<td")
    2
    """
    names = "".join(
        f'<th style="{_CELL}text-align:{"left" if at < words else "right"};{_UPRIGHT if upright and at else ""}">'
        f"{escaped(name)}</th>"
        for at, name in enumerate(head)
    )
    lines = "".join(f"<tr>{''.join(_cells(row, words))}</tr>" for row in rows)
    return f'<table style="{_TABLE}"><tr>{names}</tr>{lines}</table>'


def _cells(row: Sequence[str], words: int) -> list[str]:
    return [each if each.startswith("<td") else cell(each, number=at >= words) for at, each in enumerate(row)]


def paragraph(text: str) -> str:
    """A paragraph of plain text; '' for no text."""
    return f'<p style="margin:.4em 0;max-width:50em">{escaped(text)}</p>' if text else ""


def hidden_html(hidden: int, one: str, many: str = "") -> str:
    """How many more there are that are not shown; '' if there are none.

    Examples
    --------
    >>> hidden_html(0, "row"), "2 more rows" in hidden_html(2, "row")
    ('', True)
    """
    return paragraph(f"and {counted(hidden, f'more {one}', f'more {many}' if many else '')}") if hidden > 0 else ""


def block(name: str, *parts: str) -> str:
    """A report: one element that scrolls sideways if the page is narrow; ``name`` is its class."""
    return f'<div class="likely-{name}" style="overflow-x:auto">{"".join(parts)}</div>'


def heading(content: str) -> str:
    """The first line of a report; the content is HTML."""
    return f'<p style="margin:.4em 0"><b>{content}</b></p>'
