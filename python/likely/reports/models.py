"""What a model has learned, how two differ, and what becomes of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.options.table import OPTIONS
from likely.terminal import printable, size_text, table

if TYPE_CHECKING:
    from likely.analysis.steps import Trace
    from likely.explanation.comparison import Difference

MOST_TERMS = 40
MOST_ROWS = 50
MOST_WORDS = 8


def overview_text(about: dict[str, Any], hidden: int) -> str:
    """A model as `likely inspect` describes it; so many classes are not among those described."""
    rows = [["", "documents", "tokens"]]
    rows += [[printable(e["class"]), f"{e['documents']:,.6g}", f"{e['tokens']:,.0f}"] for e in about["classes"]]
    words = [
        f"{printable(each['class'])}: {', '.join(printable(word['term']) for word in each['top_words'])}"
        for each in about["classes"]
    ]
    more = [f"and {hidden:,} smaller classes: see one with --class, all with --json"] if hidden else []
    changed = {name: value for name, value in about["options"].items() if value != OPTIONS[name].default}
    options = ", ".join(f"{name}={_shown(value)}" for name, value in changed.items()) or "default options"
    head = f"{printable(about['path'])}: {about['terms']:,} terms, {size_text(about['bytes'])}"
    dropped = [f"{about['dropped_terms']:,} terms were dropped from it"] if about["dropped_terms"] else []
    dropped += [_buckets_text(about["buckets"])] if about["buckets"] else []
    listed = ["", "Words that speak most for each class:", *words]
    return "\n".join([head, options, *dropped, "", table(rows), *more, *listed])


def _shown(value: Any) -> str:
    if isinstance(value, list) and len(value) > MOST_WORDS:
        return f"{len(value)} words"
    return printable(value)


def _buckets_text(buckets: dict[str, Any]) -> str:
    share = f"{buckets['used']:,} of {buckets['number']:,} buckets are in use"
    if buckets["collisions"] is None:
        return f"{share}: all are full, so raise hash_bits"
    return f"{share}; about {buckets['collisions']:,.0f} terms share theirs with another"


def term_text(term: str, rows: list[dict[str, Any]]) -> str:
    """A term over all classes."""
    lines = [["", "count", "documents", "P(w|class)"]]
    for row in rows:
        figures = (f"{row['count']:,.6g}", f"{row['documents']:,.6g}", f"{row['probability']:.4g}")
        lines.append([printable(row["class"]), *figures])
    never = "" if any(row["count"] for row in rows) else f"{printable(term)} was never learned.\n"
    return never + table(lines)


def trace_text(trace: Trace) -> str:
    """What becomes of a text, a line a piece."""
    rows = [
        [printable(piece.text), printable(piece.term) if piece.term is not None else "-", piece.why]
        for piece in trace.pieces
    ]
    parts = [table([["text", "term", ""], *rows]) if rows else "There is no term in it."]
    pieces = {piece.term for piece in trace.pieces}
    longer = [printable(term) for term in trace.terms if term not in pieces]
    if longer:
        parts.append(f"n-grams: {', '.join(longer[:MOST_TERMS])}" + (" ..." if len(longer) > MOST_TERMS else ""))
    if trace.unknown is not None:
        unknown = ", ".join(map(printable, trace.unknown[:MOST_TERMS])) or "none"
        parts.append(f"not known to the model, so left out: {unknown}")
    return "\n\n".join(parts)


def difference_text(found: Difference) -> str:
    """How two models differ, a line a difference."""
    if found.is_none:
        return "The models are the same."
    lines = [f"{name}: {printable(old)} -> {printable(new)}" for name, (old, new) in found.options.items()]
    lines += [
        f"class {printable(label)}: {old:,.6g} -> {new:,.6g} documents"
        for label, (old, new) in list(found.documents.items())[:MOST_ROWS]
    ]
    lines.append(
        f"terms: {found.terms[0]:,} -> {found.terms[1]:,} ({found.new_terms:,} new, {found.lost_terms:,} gone); "
        f"{found.changed_counts:,} counts changed"
    )
    if found.changes:
        rows = [["term", "class", "before", "after"]]
        rows += [
            [printable(c.term), printable(c.label), f"{c.before:,.6g}", f"{c.after:,.6g}"] for c in found.changes
        ]
        lines += ["", "Changed most:", table(rows)]
    return "\n".join(lines)
