"""The words that explain why only one of two models gets some documents right."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from likely.evaluation.comparison import WordChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.evaluation.comparison import Disagreement
    from likely.explanation.explanation import Explanation
    from likely.types import Label

MOST_WORDS = 20
"""At most this many terms are listed for each of the two models."""


def changed_words(
    explained: Iterable[tuple[Disagreement, Explanation, Explanation]], n: int = MOST_WORDS
) -> list[WordChange]:
    """The terms whose evidence differs most between two models, for documents that only one of them gets right.

    The evidence of a term is what it adds to the log-odds of the gold label against the wrong prediction. A term that
    a model does not know adds nothing. For the documents that B gets right, the terms are listed that speak more for
    the gold label in B than in A; for the others, those that speak less for it.

    Parameters
    ----------
    explained
        Each document with its explanations by A and by B.
    n : int
        At most this many terms for each of the two.
    """
    sums: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for document, by_a, by_b in explained:
        rival = document.rival
        if rival is None:
            continue
        evidence = [dict(_evidence(each, document.gold, rival)) for each in (by_a, by_b)]
        for term in evidence[0].keys() | evidence[1].keys():
            found = sums[term, document.is_right_in_b]
            found[0] += 1
            found[1] += evidence[0].get(term, 0.0)
            found[2] += evidence[1].get(term, 0.0)
    changes = [
        WordChange(term, in_b, int(number), a / number, b / number) for (term, in_b), (number, a, b) in sums.items()
    ]
    changes.sort(key=lambda each: (-abs(each.effect), each.term))
    for_b = [each for each in changes if each.is_right_in_b and each.effect > 0]
    for_a = [each for each in changes if not each.is_right_in_b and each.effect < 0]
    return [*for_b[:n], *for_a[:n]]


def _evidence(explanation: Explanation, gold: Label, rival: Label) -> Iterator[tuple[str, float]]:
    """What each known term adds to the log-odds of the gold label; nothing if a class is unknown to the model."""
    if gold not in explanation.scores or rival not in explanation.scores:
        return
    scale = _scale(explanation, gold, rival)
    for each in explanation.terms:
        added = each.contribution[gold] - each.contribution[rival]
        if math.isfinite(added):  # without smoothing, a term makes a class impossible
            yield each.term, scale * added


def _scale(explanation: Explanation, gold: Label, rival: Label) -> float:
    """What a calibration multiplies the log-odds of this text by; 1 without a calibration.

    So the evidence of two models is comparable, although the scores of one may be more extreme.
    """
    raw = explanation.scores[gold] - explanation.scores[rival]
    if explanation.calibrated is None or not math.isfinite(raw) or raw == 0:
        return 1.0
    of_gold, of_rival = explanation.calibrated[gold], explanation.calibrated[rival]
    return math.log(of_gold / of_rival) / raw if of_gold > 0 and of_rival > 0 else 1.0
