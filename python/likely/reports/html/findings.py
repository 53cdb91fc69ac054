"""Findings about documents as HTML: probably mislabelled ones, and terms that are not independent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.html.markup import block, escaped, heading, hidden_html, named_html, paragraph, table_html
from likely.terminal import counted, number, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.explanation.independence import Independence
    from likely.explanation.mislabelled import Suspect

MOST_ROWS = 20
"""At most this many rows are shown."""
MOST_TERMS = 4
"""At most this many terms per document are shown."""
MOST_CHARACTERS = 200
"""At most this many characters of a document are shown."""


def suspects_html(found: Sequence[Suspect]) -> str:
    """The documents that are probably mislabelled, worst first."""
    if not found:
        return block("suspects", paragraph("No document is probably mislabelled."))
    rows = [
        [
            f"{each.row + 1:,}",
            named_html(each.label),
            named_html(each.suggested),
            escaped(percent(each.probability)),
            ", ".join(named_html(term) for term, _ in each.terms[:MOST_TERMS]),
            _text(each.text),
        ]
        for each in found[:MOST_ROWS]
    ]
    documents = counted(len(found), "document that is", "documents that are")
    return block(
        "suspects",
        heading(escaped(f"{documents} probably mislabelled")),
        table_html(["row", "label", "rather", "wrong with", "because of", "text"], rows, words=6),
        hidden_html(len(found) - MOST_ROWS, "document"),
    )


def _text(text: str) -> str:
    shown = " ".join(text[: MOST_CHARACTERS + 1].split())
    more = "…" if len(text) > MOST_CHARACTERS else ""
    return f'<span dir="auto">{escaped(shown[:MOST_CHARACTERS])}{more}</span>'


def independence_html(found: Independence) -> str:
    """How often the same evidence is counted, and the pairs of terms that are least independent."""
    rows = [
        [
            f"{named_html(pair.a)}, {named_html(pair.b)}",
            f"{pair.documents:,}",
            number(pair.expected),
            number(pair.g2),
            f"{pair.double_counted:+.2f}",
        ]
        for pair in found.pairs[:MOST_ROWS]
    ]
    words = f"the {found.words:,.1f} compared words of an average text are as much evidence as "
    words += f"{found.effective_words:,.1f} independent ones"
    return block(
        "independence",
        heading(escaped(f"Evidence is counted {found.times_counted:.2f} times on average")),
        paragraph(f"Among {found.terms:,} terms in {counted(found.documents, 'text')}: {words}."),
        table_html(["pair", "texts", "expected", "G2", "double counted"], rows) if rows else "",
        hidden_html(len(found.pairs) - MOST_ROWS, "pair"),
    )
