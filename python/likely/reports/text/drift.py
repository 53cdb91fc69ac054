"""Whether texts have moved away from the training data, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import counted, cut, printable, table, wrapped

if TYPE_CHECKING:
    from likely.evaluation.drift import Check, Drift, MovedTerm

MOST_CLASSES = 10
"""At most this many classes are listed, those whose shares differ most."""
MOST_TERMS = 10
"""At most this many terms are listed."""
LONGEST_TERM = 30


def drift_text(found: Drift) -> str:
    """The checks with their bounds, the shares of the classes, and the terms that moved most."""
    parts = [_verdict(found), _checks(found.checks), _classes(found)]
    if found.terms is not None and found.terms.top:
        parts.append(_terms(found.terms.top[:MOST_TERMS], found.terms.documents))
    return "\n\n".join(parts)


def _verdict(found: Drift) -> str:
    drifted = [check.name for check in found.checks if check.is_drifted]
    documents = counted(found.shift.documents, "document")
    unjudged = sum(check.bound is None for check in found.checks)
    if not drifted:
        if unjudged:
            return f"{documents}: no drift found; {unjudged} of {len(found.checks)} checks could not be judged."
        return f"{documents}: no drift. All checks are within their bounds."
    return f"{documents}: drift in {', '.join(drifted)}."


def _checks(checks: list[Check]) -> str:
    rows = [["", "found", "expected", "drift if", ""]]
    for each in checks:
        sign = "<" if each.name == "accuracy" else ">"
        bound = "-" if each.bound is None else f"{sign} {each.bound:.4f}"
        rows.append(
            [each.name, _number(each.found), _number(each.expected), bound, "DRIFT" if each.is_drifted else "ok"]
        )
        if each.bound is None:
            rows[-1][-1] = "?"
    notes = "\n".join(wrapped(f"{each.name}: {each.note}", "  ") for each in checks)
    return f"{table(rows)}\n{notes}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _classes(found: Drift) -> str:
    shift = found.shift
    if shift.shares is None:
        return "The shares of the classes cannot be estimated: no text has a known term."
    shares = shift.shares if found.gold_shares is None else found.gold_shares
    order = sorted(range(len(shift.labels)), key=lambda at: -abs(float(shares[at] - shift.expected[at])))
    gold = found.gold_shares
    rows = [["class", "training", "estimated", "95 % interval", *(["gold labels"] if gold is not None else [])]]
    for at in order[:MOST_CLASSES]:
        interval = found.intervals[at] if found.intervals is not None else None
        rows.append(
            [
                cut(printable(shift.labels[at]), LONGEST_TERM),
                f"{shift.expected[at]:.1%}",
                f"{shift.shares[at]:.1%}",
                "-" if interval is None else f"{interval.low:.1%} to {interval.high:.1%}",
                *([f"{gold[at]:.1%}"] if gold is not None else []),
            ]
        )
    more = len(order) - MOST_CLASSES
    rest = f"\n{counted(more, 'more class differs', 'more classes differ')} less." if more > 0 else ""
    return f"{table(rows)}{rest}"


def _terms(terms: list[MovedTerm], documents: int) -> str:
    rows = [["moved most", "now", "training", "z"]]
    rows += [
        [cut(printable(each.term), LONGEST_TERM), f"{each.now:.2%}", f"{each.before:.2%}", f"{each.z:+.1f}"]
        for each in terms
    ]
    told = f"(shares of the documents that contain the term, in {documents:,} documents of the data;"
    return f"{table(rows)}\n{told}\nz is the signed root of the log-likelihood ratio G2)"
