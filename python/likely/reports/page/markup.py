"""Small pieces of HTML that all sections of a report share. Every text in them is escaped by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely import terminal
from likely.reports.page.escaping import escaped, isolated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.reports.page.example import Example, Piece


def section(anchor: str, title: str, *parts: str) -> str:
    """A section of the page, which the navigation can name.

    Examples
    --------
    >>> section("words", "Words", "<p>None.</p>")
    '<section id="words" aria-labelledby="words-title"><h2 id="words-title">Words</h2><p>None.</p></section>'
    """
    body = "".join(parts)
    heading = f'<h2 id="{anchor}-title">{title}</h2>'
    return f'<section id="{anchor}" aria-labelledby="{anchor}-title">{heading}{body}</section>'


def paragraph(html: str, kind: str = "") -> str:
    """A paragraph of HTML, with the class ``kind`` if it has one."""
    return f'<p class="{kind}">{html}</p>' if kind else f"<p>{html}</p>"


def scrolling(html: str, name: str) -> str:
    """A box that scrolls on its own if its content is wider than the screen; it can be focused by keyboard."""
    return f'<div class="scroll" role="region" aria-label="{escaped(name)}" tabindex="0">{html}</div>'


def rows_of(cells: Iterable[Iterable[str]]) -> str:
    """The rows of a table. The first cell of each is its header.

    Examples
    --------
    >>> rows_of([["a", "1"]])
    '<tr><th scope="row">a</th><td>1</td></tr>'
    """
    return "".join(
        "<tr>"
        + "".join(f'<th scope="row">{cell}</th>' if at == 0 else f"<td>{cell}</td>" for at, cell in enumerate(row))
        + "</tr>"
        for row in cells
    )


def head_of(names: Iterable[str]) -> str:
    """The header of a table."""
    return "<thead><tr>" + "".join(f'<th scope="col">{name}</th>' for name in names) + "</tr></thead>"


def percent(value: float | None) -> str:
    r"""A share in percent, which is not separated from its sign at the end of a line.

    Examples
    --------
    >>> percent(0.88972), percent(None), percent(0.99996)
    ('89.0\xa0%', 'undefined', 'over 99.9\xa0%')
    """
    if value is None:
        return "undefined"
    return terminal.percent(value).replace("< ", "under ").replace("> ", "over ").replace(" %", "\u00a0%")


def bar(share: float, kind: str = "bar") -> str:
    """A horizontal bar whose length is a share of the width of its place.

    Examples
    --------
    >>> bar(0.5)
    '<svg class="bar" aria-hidden="true"><rect width="50.0%" height="100%"/></svg>'
    """
    width = 100 * min(max(share, 0.0), 1.0)
    return f'<svg class="{kind}" aria-hidden="true"><rect width="{width:.1f}%" height="100%"/></svg>'


def highlighted(pieces: list[Piece]) -> str:
    """A text whose words are shaded by what they speak for.

    Examples
    --------
    >>> highlighted([("so ", 0), ("dull", -3)])
    '<bdi class="text">so <mark class="c3">dull</mark></bdi>'
    """
    parts = [
        escaped(text)
        if shade == 0
        else f'<mark class="{"p" if shade > 0 else "c"}{abs(shade)}">{escaped(text)}</mark>'
        for text, shade in pieces
    ]
    return f'<bdi class="text">{"".join(parts)}</bdi>'


def document_item(example: Example, remark: str = "") -> str:
    """A document in a list: its row, its labels with their probabilities, and its text."""
    verdict = (
        f"{isolated(example.predicted)} ({percent(example.probability)})"
        if example.gold == example.predicted
        else f"predicted {isolated(example.predicted)} ({percent(example.probability)}), "
        f"labelled {isolated(example.gold)} ({percent(example.of_gold)})"
    )
    return (
        f'<li class="document"><p class="verdict">Row {example.row + 1:,}: {verdict}{remark}</p>'
        f"<p>{highlighted(example.pieces)}</p></li>"
    )


LEGEND = (
    '<p class="legend"><mark class="p3">Underlined</mark> words speak for the predicted class, '
    '<mark class="c3">dotted</mark> ones for the other class; the darker, the more.</p>'
)
"""How the highlighted words are read. The shades differ in colour and in the line below the word."""
