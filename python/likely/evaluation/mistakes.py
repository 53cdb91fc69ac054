"""`Mistake`: a wrong prediction; and the collector that keeps the worst of them while documents are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from likely.formulas import finite_or_none

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Array, Label, Places

WORST = 10
"""The number of wrong predictions that are kept."""
MOST_CHARACTERS = 300
"""At most this many characters of a document are kept in an evaluation."""

_Rank: TypeAlias = tuple[float, float, int]
"""-log P(prediction), log P(gold label) and the row of a mistake: the smaller, the worse."""


@dataclass(frozen=True)
class Mistake:
    """A wrong prediction of which the model was sure.

    Attributes
    ----------
    row : int
        The number of the document in the data, from 0; printed, it is a row, which is counted from 1.
    text : str or None
        The document: at most `MOST_CHARACTERS` characters of it. None if it is not known.
    gold, predicted : str, int or bool
        The gold label, and the prediction.
    probability, of_gold : float
        The probability of the prediction, and of the gold label.
    words : list of (str, float)
        The terms that spoke most for the prediction against the gold label, each with what it adds to the log-odds.
    """

    row: int
    text: str | None
    gold: Label
    predicted: Label
    probability: float
    of_gold: float
    words: list[tuple[str, float]]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data; infinite numbers are None, because JSON has no infinity."""
        return {**vars(self), "words": [[term, finite_or_none(weight)] for term, weight in self.words]}


class Worst:
    """Keeps the worst mistakes of documents that come in batches.

    The worst is the one whose prediction is most probable; of equally probable ones, that whose gold label is least
    probable. Documents whose gold label is not a class of the model are left out, because the model cannot be right
    about them; equal texts are kept once.

    Examples
    --------
    >>> import numpy as np
    >>> worst = Worst(["a", "b"])
    >>> worst.see(np.log([[0.9, 0.1], [0.2, 0.8]]), np.array([1, 1]), np.array([0, 1]), ["one", "two"].__getitem__)
    >>> [(each.row, each.text, each.gold, each.predicted, round(each.of_gold, 3)) for each in worst.found()]
    [(0, 'one', 'b', 'a', 0.1)]
    """

    def __init__(self, classes: list[Label]) -> None:
        self._classes = classes
        self._kept: list[tuple[_Rank, Mistake]] = []
        self._before = 0

    def see(
        self, log_probabilities: Array, gold: Places, best: Places, text_of: Callable[[int], str] | None = None
    ) -> None:
        """Look at a batch: its probabilities, the places of gold labels and predictions, and the text of a row."""
        wrong = np.flatnonzero((gold != best) & (gold >= 0) & (best >= 0))
        of_gold, of_best = log_probabilities[wrong, gold[wrong]], log_probabilities[wrong, best[wrong]]
        for at in np.lexsort((of_gold, -of_best)).tolist():
            row = int(wrong[at])
            rank = -float(of_best[at]), float(of_gold[at]), self._before + row
            if len(self._kept) == WORST and rank > self._kept[-1][0]:
                break
            mistake = Mistake(
                self._before + row,
                None if text_of is None else text_of(row),
                self._classes[gold[row]],
                self._classes[best[row]],
                float(np.exp(of_best[at])),
                float(np.exp(of_gold[at])),
                [],
            )
            self._keep(rank, mistake)
        self._before += len(gold)

    def _keep(self, rank: _Rank, mistake: Mistake) -> None:
        if mistake.text is not None and any(mistake.text == kept.text for _, kept in self._kept):
            return
        self._kept.append((rank, mistake))
        self._kept.sort(key=lambda pair: pair[0])
        del self._kept[WORST:]

    def found(self, words_of: Callable[[Mistake], list[tuple[str, float]]] | None = None) -> list[Mistake]:
        """The worst mistakes, the worst first, with their words if a function for them is given."""
        return [
            replace(
                each,
                text=None if each.text is None else each.text[:MOST_CHARACTERS],
                words=[] if words_of is None else words_of(each),
            )
            for _, each in self._kept
        ]
