"""What happens to a text before its terms are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import printable, table

if TYPE_CHECKING:
    from likely.core.analyzer import Trace

MOST_TERMS = 40
"""At most this many terms are listed."""


def trace_text(trace: Trace) -> str:
    """A table of the pieces of a text, one line per piece, and the terms that are made of them."""
    rows = [
        [printable(piece.text), printable(piece.term) if piece.term is not None else "-", piece.why]
        for piece in trace.pieces
    ]
    parts = [table([["text", "term", ""], *rows]) if rows else "The text has no terms."]
    pieces = {piece.term for piece in trace.pieces}
    longer = [printable(term) for term in trace.terms if term not in pieces]
    if longer:
        parts.append(f"n-grams: {', '.join(longer[:MOST_TERMS])}" + (" ..." if len(longer) > MOST_TERMS else ""))
    if trace.unknown is not None:
        unknown = ", ".join(map(printable, trace.unknown[:MOST_TERMS])) or "none"
        parts.append(f"not known to the model, so ignored: {unknown}")
    return "\n\n".join(parts)
