"""What a model confuses, and its worst errors, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import WIDTH, counted, cut, cut_apart, fits, percent, printable, table, wrapped

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.mistakes import Mistake

MOST_CLASSES = 8
"""With more classes, the most confused pairs are shown instead of a matrix."""
MOST_PAIRS = 10
"""At most this many confused pairs are shown."""
LONGEST_LABEL = 28
"""Longer labels are cut in the table of pairs, in columns of a terminal."""
NO_ANSWER = "no answer"
"""The column of documents that have no prediction."""


_GLUE = "\u00a0"
"""Between a word and its weight, which stay in one line: a space that does not break."""


def confusion_text(evaluation: Evaluation) -> str:
    """The confusion matrix if it is small, else the most confused pairs; '' if all predictions are right.

    Examples
    --------
    >>> from likely import evaluate
    >>> print(confusion_text(evaluate(["a", "a", "b"], ["a", "b", "b"])))
    Gold labels (rows) and predictions (columns):
       a  b
    a  1  1
    b  0  1
    """
    rows = _matrix(evaluation) if len(evaluation.labels) <= MOST_CLASSES else []
    if rows and fits(rows):
        return f"Gold labels (rows) and predictions (columns):\n{table(rows)}"
    return _pairs(evaluation)


def _matrix(evaluation: Evaluation) -> list[list[str]]:
    labels = cut_apart([printable(label) for label in evaluation.labels], 10)
    numbers: list[list[int]] = evaluation.confusion.tolist()
    columns = labels
    if evaluation.abstained:
        columns = [*labels, NO_ANSWER]
        sizes = (of.support for of in evaluation.per_class.values())
        numbers = [[*row, size - sum(row)] for row, size in zip(numbers, sizes, strict=True)]
    rows = [[label, *(f"{number:,}" for number in row)] for label, row in zip(labels, numbers, strict=True)]
    return [["", *columns], *rows]


def _pairs(evaluation: Evaluation) -> str:
    pairs = evaluation.confused
    if not pairs:
        return ""
    rows = [["gold label", "predicted", "documents", "of gold"]]
    rows += [
        [
            *(cut(printable(label), LONGEST_LABEL) for label in (pair.gold, pair.predicted)),
            f"{pair.documents:,}",
            percent(pair.share),
        ]
        for pair in pairs[:MOST_PAIRS]
    ]
    more = f" ({len(pairs) - MOST_PAIRS:,} more pairs)" if len(pairs) > MOST_PAIRS else ""
    return f"Most confused{more}:\n{table(rows)}"


def mistakes_text(evaluation: Evaluation) -> str:
    """The worst errors with the words that spoke for them: three lines each; '' if none is known."""
    mistakes = evaluation.mistakes
    if not mistakes:
        return ""
    wrong = evaluation.documents - evaluation.abstained - evaluation.pooled.tp
    head = f"The worst of {counted(wrong, 'error')}, with the words that spoke for the prediction:"
    return "\n".join([head, *map(mistake_text, mistakes)])


def mistake_text(mistake: Mistake) -> str:
    r"""One error: what was predicted with which probability, by which words, and the beginning of the text.

    Examples
    --------
    >>> from likely.evaluation.mistakes import Mistake
    >>> print(mistake_text(Mistake(6, "A great\n bore.", "neg", "pos", 0.93, 0.07, [("great", 2.61), ("a", 0.02)])))
    row 7: neg, predicted pos with 93.0 %: great +2.6, a +0.02
      A great bore.
    """
    gold, predicted = cut_apart([printable(label) for label in (mistake.gold, mistake.predicted)], LONGEST_LABEL)
    head = f"row {mistake.row + 1:,}: {gold}, predicted {predicted} with {percent(mistake.probability)}"
    words = ", ".join(f"{printable(term)}{_GLUE}{_weight(weight)}" for term, weight in mistake.words)
    first = wrapped(f"{head}: {words or 'no word, but the prior'}" if mistake.text is not None else head, "  ")
    first = first.replace(_GLUE, " ")
    if not mistake.text:
        return first
    return f"{first}\n  {cut(printable(' '.join(mistake.text.split())), WIDTH - 2)}"


def _weight(weight: float) -> str:
    return f"{weight:+.0f}" if abs(weight) >= 10 else f"{weight:+.2g}"
