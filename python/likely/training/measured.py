"""`Measured`: a model that was measured on rows held out from it, and then learned them too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from likely.model.train import documents_of, train_corpus
from likely.terminal import counted, named
from likely.training.split import plan_holdout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.model.train import Wish
    from likely.reading.corpus import Corpus, Split
    from likely.training.split import Plan

_NAMED = 10
"""At most this many classes are named."""

_ENDS = {
    "learned": "the written model has learned all rows",
    "trained again": "the written model was trained again on all rows, with the same options",
    "kept out": "the written model has not learned the other rows",
}


@dataclass(frozen=True)
class Measured:
    """A model, and its evaluation on held-out rows.

    Attributes
    ----------
    model : NaiveBayes
        The model to write.
    evaluation : Evaluation
        The evaluation of a model that has not learned the rows that were held out.
    corpus : Corpus
        All rows.
    plan : Plan
        Which rows were held out.
    end : {"learned", "trained again", "kept out"}
        What became of the rows that were held out.
    """

    model: NaiveBayes
    evaluation: Evaluation
    corpus: Corpus
    plan: Plan
    end: Literal["learned", "trained again", "kept out"]

    @property
    def rows(self) -> int:
        """The number of rows that the model has learned."""
        return self.plan.learned if self.end == "kept out" else self.plan.rows

    def lines(self) -> list[str]:
        """What was measured, and what was not, in sentences."""
        plan = self.plan
        lines = [f"Measured on a model of {100 * plan.learned / plan.rows:.0f} % of the rows; {_ENDS[self.end]}."]
        if plan.copies:
            rows = f"{counted(plan.copies, 'held-out row')} {'is' if plan.copies == 1 else 'are'}"
            lines.append(f"{rows} not judged, because the model has learned a copy in another group.")
        if plan.untested:
            named_ones = named(plan.untested, _NAMED, repr)
            classes, they = ("class", "it is") if len(plan.untested) == 1 else ("classes", "they are")
            lines.append(
                f"No row of the {classes} {named_ones} could be held out and judged: {they} learned, but not tested."
            )
        return lines

    def to_dict(self) -> dict[str, object]:
        """The same facts for programs."""
        plan = self.plan
        return {
            "rows": plan.rows,
            "learned": plan.learned,
            "judged": plan.judged,
            "copies": plan.copies,
            "untested": plan.untested,
            "end": self.end,
        }


@dataclass(frozen=True)
class Measurement:
    """How a model is trained and measured.

    Attributes
    ----------
    share : float
        The share of the rows that are held out, above 0 and below 1.
    keep_out : bool
        Whether the model never learns the rows that were held out.
    options, wish
        The options of the model that were given, and how the others are chosen.
    prune : callable
        Makes the model that is judged, and later written, from the one that was trained.
    """

    share: float
    keep_out: bool
    options: Mapping[str, object]
    wish: Wish
    prune: Callable[[NaiveBayes], NaiveBayes]

    def run(self, open_corpus: Callable[[Split | None], Corpus]) -> Measured:
        """The model of a source that is read several times: ``open_corpus`` opens all rows, or those of a split."""
        whole = open_corpus(None)
        plan = plan_holdout(whole, self.share)
        model = train_corpus(open_corpus(plan.split("learned")), self.options, self.wish)
        evaluation = self.prune(model)._evaluate_corpus(open_corpus(plan.split("judged")))
        if self.keep_out:
            return Measured(model, evaluation, whole, plan, "kept out")
        if model._reads_twice is not None:
            again = open_corpus(None)
            model._fit_again(documents_of(again))._remember_columns(again.columns)
            return Measured(model, evaluation, whole, plan, "trained again")
        held_out = open_corpus(plan.split("held out"))
        model._learn_lesson(model._count_batches(held_out.lessons))
        return Measured(model, evaluation, whole, plan, "learned")
