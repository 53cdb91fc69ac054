"""`Predictions`: the methods that predict and explain the classes of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from likely.analysis.analyzer import check_text
from likely.errors import OptionError
from likely.explanation.explanation import explain
from likely.model.shifts import Shifts
from likely.options.kinds import is_whole
from likely.options.table import OPTIONS
from likely.scoring.abstain import threshold_of

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation
    from likely.scoring.abstain import Threshold
    from likely.scoring.scorer import Answers, RoughAnswers, Scorer
    from likely.scoring.shift import Sees
    from likely.types import Abstain, Array, Label, LabelArray, Prior, Rows, Texts


class Predictions(Shifts):
    """The methods for texts. This class has no state of its own."""

    abstain: Abstain | None
    reject_label: Label | None

    def _texts(self, texts: Texts | Rows) -> Texts:
        """The texts; of a frame, the column that the model was trained on, or else one that is guessed."""
        if type(texts) is list and not (texts and isinstance(texts[0], dict)):
            return cast("Texts", texts)
        from likely.reading.tables.text_column import text_column

        return text_column(texts, self._state.columns.text if self._state.columns else None)

    def _scorer(self, alpha: float | None = None) -> Scorer:
        return self._state.scorer(self._settle(), alpha)

    def predict(
        self,
        texts: Texts | Rows,
        *,
        alpha: float | None = None,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
    ) -> LabelArray:
        """The most probable class of each text; of equally probable classes the first in `classes_`.

        If classes have thresholds (`thresholds_`), a class is predicted if its probability reaches its threshold; of
        several such classes, the one with the largest probability / threshold. If none does, the most probable class
        without a threshold is predicted; if every class has one, that with the largest probability / threshold.

        Parameters
        ----------
        texts
            The texts, as for `fit`; or a frame, of which the column is read that the model was trained on, or else
            the one that `likely.train` would read.
        alpha : float, optional
            Smooth with this number instead of the alpha of the model, for this call only. Probabilities are then not
            calibrated, and only thresholds that were given are used, not those that were chosen.
        prior : {"fitted", "uniform"} or mapping, optional
            P(class) for these texts, if it differs from the training data.
        abstain : float or mapping, optional
            Return None instead of a class if this class, after the thresholds have decided, is less probable than
            this number; or, with ``{"margin": ...}``, if it leads the best other class by less; or, with
            ``{"precision": ...}``, as often as is needed to make this share of the answers right, measured on the
            training data. A text without known words then gets None too. Default: the option of the model. With 0
            the model never abstains. The option ``reject_label`` is returned instead of None, if it is set.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], [True, False])
        >>> model.predict(["good", "bad bad", ""])
        array([ True, False, False])
        >>> model.predict(["good", "bad bad", ""], abstain=0.7)
        array([None, False, None], dtype=object)
        >>> NaiveBayes(abstain=0.7, reject_label=-1).fit(["good", "bad"], [1, 0]).predict(["good", "bad bad", ""])
        array([-1,  0, -1])
        >>> NaiveBayes(thresholds={"spam": 0.3}).fit(["hello", "win"], ["ham", "spam"]).predict(["hello"])
        array(['spam'], dtype='<U4')
        """
        texts = self._texts(texts)
        scorer = self._state.scorer(self._settle(), alpha)
        if prior is None and abstain is None and self.abstain is None:
            return scorer.best(texts)
        threshold = self._threshold(abstain)
        if prior is None and threshold is None:
            return scorer.best(texts)
        return scorer.answers(texts, prior, threshold, self.reject_label)

    def _threshold(self, abstain: Abstain | None) -> Threshold | None:
        wanted = self.abstain if abstain is None else abstain
        if wanted is None:
            return None
        OPTIONS["abstain"].check(wanted)
        record = self._state.calibration_for(self._settle().rules)
        return threshold_of(wanted, record.curve if record else None)

    def predict_joint_log_proba(
        self, texts: Texts | Rows, *, alpha: float | None = None, prior: Prior | None = None
    ) -> Array:
        """The scores log P(c) + sum of log P(w|c) over the known words: one row per text, one column per class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> np.exp(model.predict_joint_log_proba(["good"])) * [2 * 5, 2 * 4]
        array([[2., 1.]])
        """
        return self._scorer(alpha).joint(self._texts(texts), prior)

    def predict_log_proba(
        self, texts: Texts | Rows, *, alpha: float | None = None, prior: Prior | None = None
    ) -> Array:
        """The logarithms of `predict_proba`: one row per text, one column per class."""
        return self._scorer(alpha).log_probabilities(self._texts(texts), prior)

    def predict_proba(self, texts: Texts | Rows, *, alpha: float | None = None, prior: Prior | None = None) -> Array:
        """Probability of each class: one row per text, one column per class (order of `classes_`).

        Probabilities are calibrated if the model is.

        Parameters
        ----------
        texts, alpha, prior
            As for `predict`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.predict_proba(["unheard of"])
        array([[0.5, 0.5]])
        >>> model.predict_proba(["unheard of"], prior={"+": 0.9, "-": 0.1})
        array([[0.9, 0.1]])
        """
        return np.exp(self.predict_log_proba(texts, alpha=alpha, prior=prior))

    def decision_function(self, texts: Texts | Rows) -> Array:
        """With two classes, the log-odds of the second: one number per text. Else `predict_joint_log_proba`.

        The log-odds are above 0 where `predict` returns the second class of `classes_`: if a class has a threshold,
        they are shifted by the log-odds of the threshold. They are calibrated if the model is. Infinite numbers are
        replaced by the largest finite ones. The name and the shape are those of scikit-learn, whose scorers (such as
        ``roc_auc``) use this method.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.decision_function(["good", "dull", "unheard of"]).round(3)
        array([-0.47 ,  0.916,  0.   ])
        """
        return self._scorer().decisions(self._texts(texts))

    def known(self, texts: Texts | Rows) -> Array:
        """The share of the terms of each text that the model knows, from 0 to 1: one number per text.

        Terms are counted as often as they occur. A term is known if it was learned and is kept; with
        ``spelling='on'``, a misspelled word counts as the word that it is read as. A text without any term has the
        share 0.0: as for a text without a known term, its class is that of the prior.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).known(["so good", "dull dull", "unheard of", ""])
        array([0.5, 1. , 0. , 0. ])
        """
        return self._scorer().known(self._texts(texts))

    def predict_top(self, texts: Texts | Rows, n: int = 1, *, prior: Prior | None = None) -> tuple[LabelArray, Array]:
        """The ``n`` most probable classes of each text, best first, and their probabilities: one row per text.

        The first class is the predicted one. If a threshold decides, it need not be the most probable one.

        Parameters
        ----------
        texts, prior
            As for `predict`.
        n : int
            The number of classes; all classes, if there are fewer.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> labels, probabilities = model.predict_top(["dull dull"], 2)
        >>> labels
        array([['-', '+']], dtype='<U1')
        >>> probabilities.round(4)
        array([[0.8621, 0.1379]])
        """
        return self._scorer().top(self._texts(texts), _checked(n), prior)

    def predict_all(
        self,
        texts: Texts | Rows,
        n: int = 1,
        *,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        watch: Sees | None = None,
    ) -> Answers:
        """The results of `predict`, `predict_top` and `known`, from one moment and in one pass over the texts.

        Parameters
        ----------
        texts, prior, abstain
            As for `predict`.
        n : int
            As for `predict_top`.
        watch : optional
            A result of `watch` with the same prior: it sees these texts.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> found = model.predict_all(["dull dull day", "unheard of"], abstain=0.6)
        >>> found.answers.tolist(), found.labels.tolist()
        (['-', None], [['-'], ['+']])
        >>> found.probabilities.round(4).tolist(), found.known.round(4).tolist()
        ([[0.8621], [0.5]], [0.6667, 0.0])
        """
        scorer, threshold = self._scorer(), self._threshold(abstain)
        return scorer.all_answers(self._texts(texts), _checked(n), prior, threshold, self.reject_label, watch)

    def rough_answers(self, texts: Texts | Rows, *, prior: Prior | None = None) -> RoughAnswers | None:
        """Probabilities that may be wrong by a stated amount, which take less time for large amounts of text.

        They are exact unless the model has many classes and counts the characters of words. None is returned if the
        model abstains or has thresholds.

        Parameters
        ----------
        texts, prior
            As for `predict`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> found = model.rough_answers(["dull dull day"])
        >>> found.log_probabilities.round(4).tolist(), bool(found.doubt[0] < 0.001)
        ([[-1.981, -0.1484]], True)
        """
        scorer = self._scorer()
        return scorer.rough_answers(self._texts(texts), prior) if self._threshold(None) is None else None

    def explain(self, text: str, *, alpha: float | None = None) -> Explanation:
        """Why a text gets its class: the prior and the contribution of each term, which add up to the score.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> explanation = model.explain("good, unheard-of fun")
        >>> explanation.unknown
        ['unheard', 'of']
        >>> [(e.term, e.count) for e in explanation.terms]
        [('good', 1), ('fun', 1)]
        """
        check_text(text)
        with self._state.lock:
            weights = self._state.weights(self._settle(), alpha)
            scored, threshold = self._scorer(alpha).of_text(text), self._threshold(None)
            return explain(self._state.moment_of(weights), text, scored, threshold)


def _checked(n: int) -> int:
    if not is_whole(n) or n < 1:
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number >= 1")
    return n
