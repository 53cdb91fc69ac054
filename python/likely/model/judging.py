"""`Judging`: the methods that judge learned documents by models without them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from likely.counting.sample_weight import check_weights
from likely.model.questions import Questions

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.explanation.suspects import Suspects
    from likely.reading.repeats import Repeats
    from likely.scoring.leave_one_out import LeftOut
    from likely.types import Array, Groups, Labels, Places, SampleWeight, Texts
    from likely.weighing.moment import Moment

    Way = Callable[[Moment, Texts, Places, int, Array | None, list[str] | None], LeftOut]


class Judging(Questions):
    """The questions about learned documents. This class has no state of its own."""

    @property
    def repeats_(self) -> Repeats | None:
        """The copies among the documents, as counted while training; None if they were not, or after loading.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts, labels = ["good", "Good!", "fine", "bad", "so bad"], ["+", "+", "+", "-", "-"]
        >>> model = NaiveBayes(calibrate=True).fit(texts, labels)
        >>> model.repeats_.copies, model.repeats_.differing
        (1, 0)
        """
        return self._state.repeats

    def leave_one_out(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Array:
        """The scores of learned documents, each from a model without it: one row per text, one column per class.

        They are equal to `predict_joint_log_proba` of a model that was trained on all other documents, but no model
        is trained: the counts of the document are subtracted from its class, from the vocabulary and from the prior.
        So this is an unbiased test on the training data. A class whose only document is left out is impossible.

        Parameters
        ----------
        texts, labels
            Documents that were learned, and their labels. Copies among them, which have the same terms equally
            often, are left out together.
        sample_weight : iterable of numbers, optional
            The weight with which each document was learned. Default: 1.
        groups : iterable, optional
            The group of each document, such as its author: all its documents are left out together.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts, labels = ["good fun", "good end", "bad plot", "bad joke"], ["+", "+", "-", "-"]
        >>> model = NaiveBayes().fit(texts, labels)
        >>> model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        >>> model.classes_[model.leave_one_out(texts, labels, groups=["a", "b", "a", "b"]).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        """
        self._check_can_leave_out()
        return self._left_out(self._way(), texts, labels, sample_weight, groups)[0].joint

    def _way(self, most_cells: int | None = None) -> Way:
        """How documents are judged by models without them. Models that only predict do not import the modules."""
        if self._settle().rules.learned:
            from likely.scoring.cross_validation import cross_validated

            return cross_validated
        from likely.scoring.leave_one_out import leave_one_out

        return partial(leave_one_out, most_cells=most_cells)

    def _left_out(
        self,
        way: Way,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None,
        groups: Groups | None,
    ) -> tuple[LeftOut, Places]:
        """The scores of documents from models without them, and the gold class of each, by place."""
        from likely.scoring.leave_one_out.units import group_names

        threads = self._settle().threads

        def scores(moment: Moment) -> tuple[LeftOut, Places]:
            gold = moment.counts.live().places.of_all(labels)
            times = None if sample_weight is None else check_weights(sample_weight, len(gold))
            return way(moment, texts, gold, threads, times, group_names(groups, len(gold))), gold

        return self._ask(scores)

    def _check_can_leave_out(self) -> None:
        if self._settle().rules.learned and self._state.is_fitted:
            from likely.weighing.nbsvm import not_additive

            raise not_additive("left out", "use cross-validation: fit to some documents, evaluate on others")

    def suspects(
        self,
        texts: Texts,
        labels: Labels,
        n: int | None = None,
        *,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Suspects:
        """Learned documents that are probably mislabelled, worst first, with the terms that contradict the label.

        Each document is judged by its leave-one-out scores. A share of the labels is assumed to be wrong at random;
        that share, like the calibration of the scores, is the one that makes the labels most probable. The better
        the model, the more it finds: tune it first.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: preferably all of them.
        n : int, optional
            At most this many. Default: the number with the best expected F1, which is about the number of wrong
            labels.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> labels[7] = "positive"  # it was negative
        >>> worst = NaiveBayes().fit(texts, labels).suspects(texts, labels)[0]
        >>> worst.row, worst.suggested, worst.terms[0][0]
        (7, 'negative', 'broken')
        """
        from likely.explanation.suspects import suspects

        self._check_can_leave_out()
        return self._ask(suspects, texts, labels, n, self._settle().threads, sample_weight, groups)
