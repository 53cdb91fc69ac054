"""`Mistake`: a wrong prediction; and the collector that keeps the worst of them while documents are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import finite_or_none

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Array, Label, Places

WORST = 10
"""The number of wrong predictions that are kept."""
MOST_CHARACTERS = 300
"""At most this many characters of a document are kept in an evaluation."""


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

    The worst is the one in which the prediction is most probable relative to the gold label. Documents whose gold
    label is not a class of the model are left out, because no model can be right about them; of equal texts only the
    first is kept.

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
        self._kept: list[tuple[float, Mistake]] = []
        self._before = 0

    def see(
        self, log_probabilities: Array, gold: Places, best: Places, text_of: Callable[[int], str] | None = None
    ) -> None:
        """Look at a batch: its probabilities, the places of gold labels and predictions, and the text of a row."""
        wrong = np.flatnonzero((gold != best) & (gold >= 0) & (best >= 0))
        of_gold, of_best = log_probabilities[wrong, gold[wrong]], log_probabilities[wrong, best[wrong]]
        with np.errstate(invalid="ignore"):
            odds = np.nan_to_num(of_best - of_gold, nan=0.0, posinf=np.inf)
        least = self._kept[-1][0] if len(self._kept) == WORST else -np.inf
        for at in np.argsort(-odds, kind="stable").tolist():
            if odds[at] <= least and len(self._kept) == WORST:
                break
            row = int(wrong[at])
            mistake = Mistake(
                self._before + row,
                None if text_of is None else text_of(row),
                self._classes[gold[row]],
                self._classes[best[row]],
                float(np.exp(of_best[at])),
                float(np.exp(of_gold[at])),
                [],
            )
            self._keep(float(odds[at]), mistake)
            least = self._kept[-1][0]
        self._before += len(gold)

    def _keep(self, odds: float, mistake: Mistake) -> None:
        if mistake.text is not None and any(mistake.text == kept.text for _, kept in self._kept):
            return
        self._kept.append((odds, mistake))
        self._kept.sort(key=lambda pair: (-pair[0], pair[1].row))
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
