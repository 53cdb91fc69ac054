"""A learning curve as a table, a chart and advice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.terminal import WIDTH, counted, percent, printable, table, wrapped

if TYPE_CHECKING:
    from likely.evaluation.learning_curve import Forecast, LearningCurve

HEIGHT = 12
"""The number of lines of the chart."""
FAR = 100.0
"""A number of documents that is more than this many times as large as that of the data is not told."""
_MARGIN = 8


def learning_curve_text(curve: LearningCurve) -> str:
    """The measured accuracies, a chart with the fitted law, and the advice."""
    parts = [wrapped(_head(curve)), _points(curve)]
    if curve.law is not None:
        parts.append(chart(curve))
        floor, factor, exponent = curve.law
        parts.append(f"fitted: error = {floor:.4g} + {factor:.4g} / documents^{exponent:.2g}")
    return "\n\n".join([*parts, wrapped(curve_advice(curve))])


def _head(curve: LearningCurve) -> str:
    documents = counted(curve.of, "document")
    sample = "" if curve.of <= curve.documents * 1.01 else f", of which a sample of {curve.documents:,} was learned"
    judged = f"{counted(curve.judged, 'text')} judged by {curve.way}, the same ones by models of all sizes"
    options = ", ".join(f"{name}={value}" for name, value in curve.options.items()) or "the defaults"
    chosen = f" The options were chosen once, on all documents: {printable(options)}." if curve.is_tuned else ""
    return f"{documents}{sample}; {judged}.{chosen}"


def _points(curve: LearningCurve) -> str:
    rows = [["documents", "accuracy", "95 % interval"]]
    rows += [
        [f"{each.documents:,}", percent(each.accuracy, 2), _between(each.interval.low, each.interval.high)]
        for each in curve.points
    ]
    width = max(len(row[0]) for row in rows)
    return table([[row[0].rjust(width), *row[1:]] for row in rows])


def _between(low: float, high: float) -> str:
    return f"{100 * low:.2f} to {100 * high:.2f} %"


def chart(curve: LearningCurve) -> str:
    """The measured accuracies (o) and the fitted law (.) up to twice the number of documents, on a log scale."""
    width = WIDTH - _MARGIN - 3
    first, last = curve.points[0].documents, 2 * curve.of
    span = math.log(last / first)
    at = [first * math.exp(span * column / (width - 1)) for column in range(width)]
    law = [_law(curve, size) for size in at]
    shown = [*law, *(point.accuracy for point in curve.points)]
    bottom, top = min(shown), max(shown)
    step = max(top - bottom, 0.01) / (HEIGHT - 1)
    cells = [[" "] * width for _ in range(HEIGHT)]

    def put(column: int, value: float, mark: str) -> None:
        cells[HEIGHT - 1 - min(round((value - bottom) / step), HEIGHT - 1)][column] = mark

    for column, value in enumerate(law):
        put(column, value, ".")
    for point in curve.points:
        put(round(math.log(point.documents / first) / span * (width - 1)), point.accuracy, "o")
    lines = []
    for row, line in enumerate(cells):
        label = percent(bottom + (HEIGHT - 1 - row) * step) if row % 3 == 0 or row == HEIGHT - 1 else ""
        lines.append(f"{label:>{_MARGIN}} |{''.join(line)}".rstrip())
    left, right = f"{first:,}", f"{last:,} documents"
    axis = f"{'':>{_MARGIN}} +{'-' * width}"
    return "\n".join([*lines, axis, f"{'':>{_MARGIN}}  {left}{right:>{width - len(left)}}"])


def _law(curve: LearningCurve, documents: float) -> float:
    return 0.0 if curve.law is None else min(max(1 - curve.law.error(documents), 0.0), 1.0)


def curve_advice(curve: LearningCurve) -> str:
    """Whether more documents would help, and how many for one point of accuracy."""
    doubled, now, more = curve.doubled, curve.now, curve.documents_for_one_point
    if doubled is None or now is None or more is None:
        return (
            f"There are too few documents to say whether more would help: {counted(len(curve.points), 'size')} of "
            "models could be measured, and a law needs four. Label more documents."
        )
    gives = f"{percent(doubled.value)} ({100 * doubled.interval.low:.1f} to {100 * doubled.interval.high:.1f})"
    twice = f"Doubling to {2 * curve.of:,} documents would give about {gives}, now it is {percent(now.value)}."
    if curve.is_flat:
        return f"The curve is flat: more documents of this kind would hardly help. {twice}"
    return f"{twice} {_one_point(curve, more)}"


def _one_point(curve: LearningCurve, more: Forecast) -> str:
    most = FAR * curve.of
    if more.value > most:
        return "One point more is out of reach of more documents alone."
    high = "any number" if more.interval.high > most else _rounded(more.interval.high)
    range_told = f"{_rounded(more.interval.low)} to {high}"
    return f"One point more takes about {_rounded(more.value)} documents in all ({range_told})."


def _rounded(number: float) -> str:
    """The number with two digits that mean something."""
    digits = max(0, math.floor(math.log10(max(number, 1))) - 1)
    return f"{round(number / 10**digits) * 10**digits:,}"
