"""How two classifiers compare on the same documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.terminal import WIDTH, counted, cut, number, printable, table

if TYPE_CHECKING:
    from likely.evaluation.comparison import ClassChange, Comparison, Disagreement, WordChange

MOST_CLASSES = 10
"""At most this many classes are listed, those whose mistakes changed most."""
MOST_WORDS = 8
"""At most this many terms are listed for each classifier."""
MOST_EXAMPLES = 3
"""At most this many documents are listed for each classifier."""
LONGEST_LABEL = 16


def comparison_text(found: Comparison) -> str:
    """The accuracies, the test, the classes and the words that explain the difference, and examples."""
    parts = [_head(found), _measures(found), _test(found)]
    if changes := [each for each in found.per_class if _is_changed(each)]:
        parts.append(_classes(changes))
    for in_b, name in ((True, "B"), (False, "A")):
        if words := [each for each in found.words if each.is_right_in_b is in_b]:
            parts.append(_words(words[:MOST_WORDS], name))
    for in_b, name in ((True, "B"), (False, "A")):
        if examples := [each for each in found.disagreements if each.is_right_in_b is in_b]:
            shown = [_example(each) for each in _spread(examples)]
            parts.append("\n".join([f"Documents that only {name} gets right, for example:", *shown]))
    return "\n\n".join(parts)


def _head(found: Comparison) -> str:
    a, b = (cut(printable(name), WIDTH - 3) for name in found.names)
    return f"A: {a}\nB: {b}"


def _measures(found: Comparison) -> str:
    from likely.evaluation.intervals import REPLICATES, SEED  # here, so that `likely --help` need not wait for numpy

    rows = [["", "A", "B", "B - A", "95 % interval"]]
    measures = (
        ("accuracy", found.a.accuracy, found.b.accuracy, "accuracy"),
        ("macro F1", found.a.macro.f, found.b.macro.f, "macro_f1"),
    )
    for shown, a, b, name in measures:
        interval = found.intervals[name]
        difference = getattr(found.differences, name)
        rows.append(
            [shown, number(a), number(b), f"{difference:+.4f}", f"{interval.low:+.4f} to {interval.high:+.4f}"]
        )
    how = f"paired bootstrap over the documents: {REPLICATES:,} replicates, seed {SEED}"
    return f"{counted(found.documents, 'document')}\n{table(rows)}\n({how})"


def _test(found: Comparison) -> str:
    test = found.mcnemar
    which = "exact" if test.is_exact else "chi-squared with continuity correction"
    alone = f"Only A is right on {counted(test.only_first, 'document')}, only B on {test.only_second:,}"
    others = f"both on {found.both_right:,}, neither on {found.neither_right:,}"
    verdict = found.verdict[0].upper() + found.verdict[1:]
    return f"{alone};\n{others}.\nMcNemar's test ({which}): p {_p(test.p_value)}.\n{verdict}."


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def _is_changed(change: ClassChange) -> bool:
    return (change.a.tp, change.a.fp) != (change.b.tp, change.b.fp)


def _classes(changes: list[ClassChange]) -> str:
    rows = [["", "documents", "recall A", "B", "change", "precision A", "B", "change"]]
    rows += [
        [
            cut(printable(each.label), LONGEST_LABEL),
            f"{each.a.tp + each.a.fn:,}",
            *_both(each.a.recall, each.b.recall, each.recall),
            *_both(each.a.precision, each.b.precision, each.precision),
        ]
        for each in changes[:MOST_CLASSES]
    ]
    more = len(changes) - MOST_CLASSES
    rest = f"\n{counted(more, 'more class', 'more classes')} changed." if more > 0 else ""
    return f"Classes that changed, those with the most changed mistakes first:\n{table(rows)}{rest}"


def _both(a: float | None, b: float | None, change: float | None) -> list[str]:
    return [_share(a), _share(b), "-" if change is None else f"{change:+.3f}"]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _words(words: list[WordChange], name: str) -> str:
    rows = [["", "documents", "A", "B"]]
    rows += [
        [cut(printable(each.term), 40), f"{each.documents:,}", _factor(each.a), _factor(each.b)] for each in words
    ]
    told = (
        f"Words that explain what only {name} gets right: what each multiplies the odds\n"
        "of the gold label by, against the wrong prediction"
    )
    return f"{told}:\n{table(rows)}"


def _factor(log_odds: float) -> str:
    return f"x{math.exp(max(min(log_odds, 50.0), -50.0)):.3g}"


def _spread(examples: list[Disagreement]) -> list[Disagreement]:
    """Some of the examples, from the whole list."""
    step = max(1, len(examples) // MOST_EXAMPLES)
    return examples[::step][:MOST_EXAMPLES]


def _example(document: Disagreement) -> str:
    gold, rival = (
        "unsure" if label is None else cut(printable(label), LONGEST_LABEL)
        for label in (document.gold, document.rival)
    )
    head = f"row {document.row + 1:,}: {gold}, not {rival}"
    if document.text is None:
        return f"  {head}"
    return f"  {head}\n    {cut(printable(' '.join(document.text.split())), WIDTH - 4)}"
