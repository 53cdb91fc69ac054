"""How two models differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import cut, printable, table

if TYPE_CHECKING:
    from likely.explanation.comparison import Difference

LONGEST = 28
"""Longer terms and labels are cut, in columns of a terminal."""
MOST_ROWS = 50
"""At most this many classes are listed."""


def difference_text(found: Difference) -> str:
    """The differences between two models, one line per difference."""
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
        for each in found.changes:
            term, label = cut(printable(each.term), LONGEST), cut(printable(each.label), LONGEST)
            rows.append([term, label, f"{each.before:,.6g}", f"{each.after:,.6g}"])
        lines += ["", "Changed most:", table(rows)]
    return "\n".join(lines)
