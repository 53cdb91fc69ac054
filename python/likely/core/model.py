"""`Model`: options and counts; it learns, forgets, merges, predicts and is saved. `NaiveBayes` trains and asks it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar, cast

import numpy as np

from likely.core import file as model_file
from likely.core.decisions import ChosenThresholds, Threshold, Unseen, decided, decision_of, threshold_of
from likely.core.file import Saved, Snapshot, prune
from likely.core.shift import Sees, Shift, ShiftWatch
from likely.core.state import CountedTexts, NewClasses, State, check_classes, count_corpus, count_texts
from likely.core.terms import class_weights
from likely.core.tuning_record import KEPT_ASIDE, not_default, train_command
from likely.core.variants import LEARNED
from likely.core.weights import ModelSettings, ModelView, WeighedClasses, usual_unknown
from likely.errors import ArgumentError, LabelError, MismatchError, NotAdditiveError, OptionError
from likely.formulas import expected_collisions
from likely.labels import ClassPlaces, python_labels
from likely.options.compound import reject_label_of
from likely.options.kinds import is_whole
from likely.options.model import MODEL, ModelOptions, with_preset

if TYPE_CHECKING:
    from likely.core.analyzer import Analyzer
    from likely.core.calibration import CalibrationRecord
    from likely.core.counts import Counts
    from likely.core.leave_one_out import LeftOut
    from likely.core.scorer import Answers, RoughAnswers, Scorer
    from likely.reading.batch import Chosen
    from likely.reading.corpus import Corpus
    from likely.types import (
        Abstain,
        Array,
        Groups,
        Label,
        LabelArray,
        Labels,
        Path,
        Places,
        Prior,
        Rows,
        SampleWeight,
        Source,
        Texts,
    )


P = ParamSpec("P")
T = TypeVar("T")


class Unlearned(NamedTuple):
    """Answers about learned documents, each by a model without it.

    Attributes
    ----------
    rows : array
        The documents that can be judged: those whose class has other documents too.
    log_probabilities : array
        One row per document that can be judged, one column per class.
    best : array
        The place of the predicted class of each of them; -1 where the model abstains.
    """

    rows: Places
    log_probabilities: Array
    best: Places


class Model(ModelOptions):
    """A model that counts, scores and is stored: the part of `NaiveBayes` that the core needs."""

    _state: State
    """Everything that was learned."""

    def __post_init__(self) -> None:
        self._state = State(ModelSettings.of(self._options()).analyzer)

    @classmethod
    def _with(cls, given: Mapping[str, object], chosen: Mapping[str, object]) -> Self:
        """A model that has learned nothing, with options that were given, and others that were chosen beside them."""
        model = cls(**({**chosen, **with_preset(given)}))
        model._hold(dict(given), dict(chosen))
        return model

    def _settle(self) -> ModelSettings:
        """The current options with what follows from them, computed again if an option has changed."""
        settled: ModelSettings | None = self._settled
        if settled is not None:  # the content of an option that is a mapping may have changed
            made_from = ((self.prior, settled.rules.prior), (self.class_weight, settled.rules.class_weight))
            if not any(isinstance(value, Mapping) and value != made for value, made in made_from):
                return settled
        settled, learned = ModelSettings.of(self._options()), self._state.analyzer
        if self._state.is_fitted and settled.analyzer.counted_as != learned.counted_as:
            raise MismatchError(
                f"the model has learned with {learned}, but weighting, tf, norm, document_weight or variant was "
                "changed since: set it back, or call fit to learn again"
            )
        self._settled = settled
        return settled

    def _remember_columns(self, columns: Chosen | None) -> Self:
        """Take over the names of the columns that the model was trained on."""
        self._state.columns = columns
        return self

    def _remember(self, corpus: Corpus) -> Self:
        """Take over what the model was trained to read: columns, or mail."""
        if corpus.has_mail:
            self._state.remember_mail()
        return self._remember_columns(corpus.columns)

    def _alike(self) -> Self:
        """A model that has learned nothing, with the same options, given and chosen."""
        return type(self)._with(self._given, self._chosen)

    @property
    def classes_(self) -> LabelArray:
        """The labels, sorted."""
        return self._ask_kept(lambda moment: moment.counts.live().array)

    @property
    def class_documents_(self) -> Array:
        """The (weighted) number of documents of each class."""
        return self._ask_kept(lambda moment: moment.counts.totals().documents[moment.counts.live().numbers])

    @property
    def class_tokens_(self) -> Array:
        """N_c, the sum of the counts of each class, whatever the weights of the classes."""
        return self._ask_kept(lambda moment: moment.terms.unweighted.class_tokens()[moment.counts.live().numbers])

    @property
    def class_weights_(self) -> Array:
        """The weight of each class, which multiplies its counts and documents (1 without ``class_weight``).

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(class_weight="balanced").fit(["good", "so good", "fun", "dull"], ["+", "+", "+", "-"])
        >>> model.class_weights_, model.class_documents_
        (array([0.66666667, 2.        ]), array([3., 1.]))
        """
        return self._ask_kept(lambda moment: class_weights(moment.counts, moment.rules))

    @property
    def log_prior_(self) -> Array:
        """Log P(c) of each class."""
        return self._ask_kept(lambda moment: moment.classes.log_prior)

    @property
    def vocabulary_(self) -> list[str]:
        """The kept terms, sorted. They were learned and are neither too rare nor too frequent."""
        return self._ask_kept(lambda moment: moment.counts.native.spell(moment.terms.sorted_ids()))

    @property
    def terms_(self) -> int:
        """The number of terms that were learned."""
        return self._ask_kept(lambda moment: moment.counts.terms)

    @property
    def _dropped_terms(self) -> int:
        """The number of terms that were dropped from the model, together with their counts."""
        return self._ask_kept(lambda moment: moment.counts.dropped)

    @property
    def _collisions(self) -> float | None:
        """The expected number of terms that share a bucket with another; None if terms have names."""
        bits = self.analysis_.hash_bits
        return expected_collisions(self.terms_, 2**bits) if bits else None

    @property
    def analysis_(self) -> Analyzer:
        """The analyzer that split the learned texts into terms."""
        return self._state.analyzer

    @property
    def columns_(self) -> Chosen | None:
        """The columns ``text`` and ``label`` that `likely.train` read; None if the source has no columns."""
        return self._state.columns

    @property
    def calibration_(self) -> CalibrationRecord | None:
        """The calibration of the probabilities and its measured effect; None if they are not calibrated.

        It is also None if an option was changed that the scores depend on; if only the prior was changed,
        probabilities are shifted to it. ``age`` says how much the model has learned and forgotten since.
        """
        return self._state.calibration_for(self._settle().rules)

    @property
    def thresholds_(self) -> dict[Label, float]:
        """The decision threshold of each class that has one.

        They were given by the option ``thresholds``, or chosen by `fit_thresholds` or `likely.train`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(thresholds={"spam": 0.3}).fit(["hello", "win"], ["ham", "spam"]).thresholds_
        {'spam': 0.3}
        """
        settled = self._settle()
        labels: list[Label] = self.classes_.tolist()
        found = decision_of(self._state.thresholds(settled, labels), labels)
        return {} if found is None else found.by_class(labels)

    def _ask(self, question: Callable[Concatenate[ModelView, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function of the model at this moment."""
        settled = self._settle()
        with self._state.lock:
            return question(self._state.moment(settled.rules), *args, **kwargs)

    def _ask_kept(self, question: Callable[Concatenate[ModelView, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `_ask`, for a function that needs only the classes and the kept terms, not all counts."""
        settled = self._settle()
        with self._state.lock:
            return question(self._state.moment(settled.rules, whole=False), *args, **kwargs)

    def learn(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        sample_weight: SampleWeight | None = None,
        *,
        new_classes: bool = True,
        **reading: object,
    ) -> Self:
        """Learn from more labelled texts. They may have new words and, unless you refuse them, new classes.

        The result does not depend on the order of the texts, nor on the batches. If there is an error, nothing is
        learned. A source is read by the columns that the model was trained on (`columns_`), if it has them.

        Parameters
        ----------
        texts
            As for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`: a file, a folder,
            a DataFrame.
        labels, sample_weight : optional
            As for `fit`.
        new_classes : bool
            Whether texts of classes that the model does not have are learned, or raise ``LabelError``.
        **reading
            How to read a source: ``text``, ``label``, ``as_label``, ``weight``, ``sql``, ``format``, ``header``,
            ``sheet``, ``strict``, ``allow_partial``, ``encoding``, ``strip_labels``, ``fold_labels``,
            ``missing_labels``, ``label_separator``, as for `likely.train`.
            (``group`` is for training only.)

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good"], ["+"]).learn(["bad"], ["-"])
        >>> model.classes_
        array(['+', '-'], dtype='<U1')
        >>> model.learn(["so so"], ["?"], new_classes=False)
        Traceback (most recent call last):
        likely.errors.LabelError: 1 new class: '?' (1 text). Known classes: '+', '-'. Correct the labels, or
        allow new classes
        """
        self._learn_counted(self._count(texts, labels, sample_weight, reading), new_classes=new_classes)
        return self

    def _learn_counted(self, counted_texts: CountedTexts, *, new_classes: bool = True) -> None:
        """Learn counted texts; ``LabelError`` if it has new classes that are not allowed."""
        settled = self._settle()
        check_classes(counted_texts.counts.index.labels, settled)
        with self._state.lock:  # two threads may both be the first to learn
            self._log_new_classes(counted_texts, new_classes)
            if self._state.is_fitted:
                self._check_additive()
                self._state.correct(counted_texts.counts, None, settled.rules)
            else:  # classes that class_weight names may still come
                self._state.replace(*counted_texts)
                self._settled = settled

    def _log_new_classes(self, counted_texts: CountedTexts, allowed: bool) -> None:
        """Log the new classes of counted texts, or raise ``LabelError`` if they are not allowed."""
        log = logging.getLogger("likely")
        if not allowed:
            self._state.check_fitted()
            self._new_classes_of(counted_texts).check()
        elif self._state.is_fitted and log.isEnabledFor(logging.INFO):
            found = self._new_classes_of(counted_texts)
            if found.documents:
                log.info(str(found))

    def _new_classes_of(self, counted_texts: CountedTexts) -> NewClasses:
        """The classes that counted texts would add to the model."""
        with self._state.lock:
            return NewClasses.of(counted_texts.counts, self._state.counts)

    def partial_fit(
        self,
        texts: Texts,
        labels: Labels,
        classes: Labels | None = None,
        sample_weight: SampleWeight | None = None,
    ) -> Self:
        """`learn`, with the name and the signature of scikit-learn.

        A model with ``tune`` must be fitted first: batches are not enough to choose options.
        If ``classes`` are given, every label must be one of them. A class is in `classes_` after its first document.
        """
        if classes is not None:
            labels = python_labels(labels)
            ClassPlaces(python_labels(classes)).of_all(labels)
        return self.learn(texts, labels, sample_weight)

    def forget(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        sample_weight: SampleWeight | None = None,
        **reading: object,
    ) -> Self:
        """Forget what was learned from these texts, exactly. The arguments are those of `learn`.

        If the counts show that a text was never learned, that is an error, and nothing is forgotten. (The counts do
        not show which words were in the same text.) A pruned model cannot forget: ``NotAdditiveError``.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
        >>> model.learn(["great"], ["+"]).forget(["great"], ["+"]).vocabulary_
        ['bad', 'fun', 'good']
        """
        self._check_can_forget()
        self._forget_counted(self._count(texts, labels, sample_weight, reading))
        return self

    def _forget_counted(self, counted_texts: CountedTexts) -> None:
        """Forget counted texts."""
        self._check_can_forget()
        self._state.correct(None, counted_texts.counts, self._settle().rules, ages=1.0)

    def _correct(self, learned: Counts | None, forgotten: Counts | None) -> None:
        """Learn some texts and forget others in one step, as if what is forgotten had never been learned.

        They are single documents, or sums of them, which `check_correctable` and `check_label` have
        allowed. What is forgotten must have been learned since the model was trained.
        """
        self._state.correct(learned, forgotten, self._settle().rules)

    def _count_one(self, text: str, label: Label) -> Counts:
        """Count one document. The model does not change."""
        return count_texts(self._to_learn(), [text], [label], None).counts

    def _check_label(self, label: Label) -> None:
        """Raise ``LikelyError`` if a label does not fit the options or the classes of the model."""
        check_classes([label], self._settle())
        if self._kind not in (None, type(label)):
            raise LabelError(
                f"the label {label!r} is of type {type(label).__name__}, but the labels so far are of type "
                f"{getattr(self._kind, '__name__', '')}"
            )

    def _read_rest(self) -> None:
        """Read what has not been read yet of the model file. The first question that needs it would do so too."""
        with self._state.lock:
            _ = self._state.counts

    def _check_correctable(self) -> None:
        """Raise ``LikelyError``, which says why, if single documents can be neither learned nor forgotten."""
        self._to_learn()
        if self._state.analyzer.lengths is not None:
            raise NotAdditiveError(
                "with norm='l2' the counts of a document depend on all others, so single documents can be "
                "neither learned nor forgotten: train with all documents"
            )

    def _check_can_forget(self) -> None:
        """Raise ``NotAdditiveError`` if the model cannot forget single documents."""
        self._check_additive()
        self._state.counts.check_whole("forget documents")

    def _count(
        self,
        texts: Texts | Source,
        labels: Labels | None,
        sample_weight: SampleWeight | None,
        reading: Mapping[str, object],
    ) -> CountedTexts:
        if labels is not None:
            if reading:
                raise OptionError(
                    f"{next(iter(reading))} is an option for reading a source: leave it out if you give labels"
                )
            return count_texts(self._to_learn(), cast("Texts", texts), labels, sample_weight)
        from likely.reading.corpus import corpus_of

        corpus = corpus_of(cast("Source", texts), reading)
        with corpus.reporting():
            return self._count_corpus(corpus, sample_weight)

    def _count_corpus(self, corpus: Corpus, sample_weight: SampleWeight | None = None) -> CountedTexts:
        """Count a corpus; its labels are converted to the type of this model's labels."""
        corpus.expect(self._state.columns, self._state.counts.live().labels, weighted=True)
        return count_corpus(self._to_learn(), corpus, self._kind, sample_weight)

    @property
    def _kind(self) -> type | None:
        known = self._state.counts.index.labels
        return type(known[0]) if known else None

    def _to_learn(self) -> ModelSettings:
        """The current options; ``LikelyError`` if the model cannot learn more with them."""
        self._check_additive()
        if self.tune is not None and not (self._state.is_fitted or self._chosen):
            raise OptionError(f"tune={self.tune!r} needs all documents at once to choose options: call fit first")
        settled, learned = self._settle(), self._state.analyzer
        if settled.analyzer is not learned and self._state.is_fitted and settled.analyzer != learned:
            raise MismatchError(
                f"the model has learned with {learned}, but its options now mean {settled.analyzer}: "
                "set the options back, or call fit to learn again"
            )
        return replace(settled, analyzer=learned) if learned.mail else settled

    def _check_additive(self) -> None:
        """Raise ``NotAdditiveError`` if single documents can be neither learned nor forgotten."""
        self._refuse_learned("learned on, forgotten or merged", "call fit (or `likely train`) with all documents")

    def _refuse_learned(self, done: str, instead: str) -> None:
        if self.variant == LEARNED and self._state.is_fitted:
            learned = f"with variant={LEARNED!r} weights are learned from all documents at once"
            raise NotAdditiveError(f"{learned}, so single documents cannot be {done}: {instead}")

    def __add__(self, other: Self) -> Self:
        """The model of the documents of both models, with the options of this one.

        It is as if the larger model had learned the documents of the smaller one: it is calibrated as the larger one
        is, and `calibration_` says by how many documents the model has changed since. If only one is calibrated, its
        calibration is kept.
        """
        if not isinstance(other, Model):
            return NotImplemented
        self._check_additive()
        counts = self._copied_counts()
        try:
            counts.add(other._copied_counts())
        except MismatchError as error:
            if counts.analyzer.lengths is not None:
                raise
            raise MismatchError(f"{error}. To train both alike: {self._command}") from None
        sizes = self._state.documents, other._state.documents
        larger, smaller = (self, other) if sizes[0] >= sizes[1] else (other, self)
        calibrated, changed = (larger, min(sizes)) if larger._is_calibrated_for(self) else (smaller, max(sizes))
        return self._combined(other, counts, calibrated, changed)

    @property
    def _command(self) -> str:
        """The command that trains a model with the same options, without a search."""
        return self._state.tuning.command if self._state.tuning else train_command(not_default(self._options()))

    def __radd__(self, other: object) -> Self:
        """0 + model, the first step of ``sum(models)``: an equal model."""
        if other != 0:
            return NotImplemented
        return self + self._alike()

    def __sub__(self, other: Self) -> Self:
        """The model of the documents of this model without those of the other, calibrated as this one is."""
        if not isinstance(other, Model):
            return NotImplemented
        self._check_can_forget()
        counts = self._copied_counts()
        counts.subtract(other._copied_counts())
        return self._combined(other, counts, self, other._state.documents)

    def _combined(self, other: Model, counts: Counts, calibrated: Model, changed: float) -> Self:
        """A model with the options of this one, and the calibration of one of them after ``changed`` documents."""
        model = self._alike()
        model._state.replace(counts)
        is_wanted = self.calibrate is not False or self._is_calibrated_for(self)
        if is_wanted and calibrated._is_calibrated_for(self):
            model._state.take_calibration(calibrated._state, changed)
        is_same = not other._state.is_fitted or other.columns_ == self.columns_
        return model._remember_columns(self.columns_ if is_same else None)

    def _is_calibrated_for(self, other: Model) -> bool:
        """Whether the model is calibrated for scores with the options of the other."""
        return self._state.calibration_for(other._settle().rules) is not None

    def _copied_counts(self) -> Counts:
        with self._state.lock:
            return self._state.counts.copy()

    def _texts(self, texts: Texts | Rows) -> Texts:
        """The texts; of a DataFrame, the column that the model was trained on, or else one that is guessed."""
        if type(texts) is list and not (texts and isinstance(texts[0], dict)):
            return cast("Texts", texts)
        from likely.reading.frames import text_column

        return text_column(texts, self._state.columns.text if self._state.columns else None)

    def _scorer(self) -> Scorer:
        return self._state.scorer(self._settle())

    def predict(
        self,
        texts: Texts | Rows,
        *,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
    ) -> LabelArray:
        """Predict the most probable class of each text; of equally probable classes the first in `classes_`.

        If classes have thresholds (`thresholds_`), a class is predicted if its probability reaches its threshold; of
        several such classes, the one with the largest probability / threshold. If none does, the most probable class
        without a threshold is predicted; if every class has one, that with the largest probability / threshold.

        Parameters
        ----------
        texts
            The texts, as for `fit`; or a DataFrame, with the column that the model was trained on, or else the one
            that `likely.train` would read. A missing text is an error. `likely.batch.scoring.score` and
            `likely predict` answer row by row instead, with a ``problem`` where a text is missing.
        prior : {"fitted", "uniform"} or mapping, optional
            P(class) for these texts, if it differs from the training data.
        abstain : float or mapping, optional
            Return None if the predicted class is less probable than this number. ``{"margin": 0.2}`` abstains if
            it leads the best other class by less; ``{"precision": 0.95}`` as often as it takes to get this share of
            the answers right, measured on the training data. A text without known words then gets None too. 0 never
            abstains. Default: the option of the model, which may also name a ``label`` to return instead of None:
            ``{"probability": 0.9, "label": "unsure"}``.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], [True, False])
        >>> model.predict(["good", "bad bad", ""])
        array([ True, False, False])
        >>> model.predict(["good", "bad bad", ""], abstain=0.7)
        array([None, False, None], dtype=object)
        >>> unsure = NaiveBayes(abstain={"probability": 0.7, "label": -1}).fit(["good", "bad"], [1, 0])
        >>> unsure.predict(["good", "bad bad", ""])
        array([-1,  0, -1])
        >>> NaiveBayes(thresholds={"spam": 0.3}).fit(["hello", "win"], ["ham", "spam"]).predict(["hello"])
        array(['spam'], dtype='<U4')
        """
        if prior is None and self._threshold(abstain) is None:
            return self._scorer().best(self._texts(texts))
        return self._predict_all(texts, prior=prior, abstain=abstain).answers

    def _threshold(self, abstain: Abstain | None) -> Threshold | None:
        wanted = self.abstain if abstain is None else abstain
        if wanted is None:
            return None
        MODEL["abstain"].check(wanted)
        record = self._state.calibration_for(self._settle().rules)
        return threshold_of(wanted, record.curve if record else None)

    def predict_joint_log_proba(self, texts: Texts | Rows, *, prior: Prior | None = None) -> Array:
        """The scores log P(c) + sum of log P(w|c) over the known words: one row per text, one column per class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> np.exp(model.predict_joint_log_proba(["good"])) * [2 * 5, 2 * 4]
        array([[2., 1.]])
        """
        return self._scorer().joint(self._texts(texts), prior)

    def predict_log_proba(self, texts: Texts | Rows, *, prior: Prior | None = None) -> Array:
        """The logarithms of `predict_proba`: one row per text, one column per class."""
        return self._scorer().log_probabilities(self._texts(texts), prior)

    def predict_proba(self, texts: Texts | Rows, *, prior: Prior | None = None) -> Array:
        """Probability of each class: one row per text, one column per class (order of `classes_`).

        Probabilities are calibrated if the model is.

        Parameters
        ----------
        texts, prior
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
        return np.exp(self.predict_log_proba(texts, prior=prior))

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
        found = self._scorer().answers(self._texts(texts), _checked(n), prior=prior)
        return found.labels, found.probabilities

    def _predict_all(
        self,
        texts: Texts | Rows,
        n: int = 1,
        *,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        watch: Sees | None = None,
        scorer: Scorer | None = None,
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
        scorer : optional
            The scorer of another moment, such as one for many batches.
        """
        scorer, threshold = scorer or self._scorer(), self._threshold(abstain)
        label = reject_label_of(abstain)
        reject = reject_label_of(self.abstain) if label is None else label
        return scorer.answers(
            self._texts(texts), _checked(n), prior=prior, threshold=threshold, reject_label=reject, watch=watch
        )

    def _rough_answers(
        self, texts: Texts | Rows, *, prior: Prior | None = None, scorer: Scorer | None = None
    ) -> RoughAnswers | None:
        """Probabilities that may be wrong by a stated amount, which take less time for large amounts of text.

        They are exact unless the model has many classes and counts the characters of words. None is returned if the
        model abstains or has thresholds.

        Parameters
        ----------
        texts, prior
            As for `predict`.
        scorer : optional
            The scorer of another moment, such as one for many batches.
        """
        scorer = scorer or self._scorer()
        return scorer.rough_answers(self._texts(texts), prior) if self._threshold(None) is None else None

    def estimate_prior(self, texts: Texts | Rows) -> dict[Label, float]:
        """The share of each class in texts without labels, which can be given as ``prior``.

        The shares in the training data are often not those of the texts to classify. Expectation maximization
        (Saerens, Latinne and Decaestecker 2002) finds the shares that make the texts most probable. The probabilities
        of the model should be calibrated.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])
        >>> shares = model.estimate_prior(["good", "fun", "good fun", "dull plot"])
        >>> shares["+"] > 0.6
        True
        >>> model.predict(["unheard of"], prior=shares)
        array(['+'], dtype='<U1')
        """
        return self._scorer().estimate_prior(self._texts(texts), self._implied_prior())

    def _implied_prior(self) -> list[float] | None:
        """The prior that calibrated probabilities imply; None if the model is not calibrated."""
        record = self._state.calibration_for(self._settle().rules)
        return None if record is None else record.prior

    def _shift(self, texts: Texts | Rows, *, prior: Prior | None = None) -> Shift:
        """How far texts are from the training data: unknown terms and shares of the classes, with a ``warning``.

        The share of unknown terms is compared with that of learned documents, each left out in turn. The shares of
        the classes are estimated as in `estimate_prior`, from a sample of the texts. ``warning`` is None, or it says
        what is wrong and what to do.

        Parameters
        ----------
        texts, prior
            As for `predict`.
        """
        watch = self._watch(prior=prior)
        self._scorer().answers(self._texts(texts), prior=prior, watch=watch)
        return watch.shift()

    def _watch(self, *, prior: Prior | None = None) -> ShiftWatch:
        """A watch for texts that come in batches: `predict_all` shows it the texts, its `shift` is as here."""
        with self._state.lock:
            classes = self._scorer().classes
            return ShiftWatch(classes, self._usual(classes), self._implied_prior(), prior)

    def _usual(self, classes: WeighedClasses) -> float | None:
        """The share of the terms of new texts that is usually unknown; None if it is not known."""
        record = self._state.calibration_for(self._settle().rules)
        if record is None or record.unknown is None or record.changed or classes.terms.counts.dropped:
            return usual_unknown(classes.terms)
        return record.unknown  # it was counted without copies, which the counts do not show

    def _judged(
        self, texts: Texts, labels: Labels, sample_weight: SampleWeight | None, groups: Groups | None
    ) -> tuple[LeftOut, Places]:
        """The scores of documents from models without them, and the gold class of each, by place."""
        from likely.core.cross_validation import judged

        return self._ask(judged, self._settle().threads, texts, labels, sample_weight, groups)

    def _check_can_leave_out(self) -> None:
        self._refuse_learned("left out", "use cross-validation: fit to some documents, evaluate on others")

    def _judge_left_out(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
        *,
        abstain: Abstain | None = None,
    ) -> Unlearned:
        """What the model would answer about learned documents if it had not learned them, their copies and groups.

        The probabilities are those of `leave_one_out`, with the calibration and the thresholds of the model.
        ``abstain`` is that of `evaluate`.
        """
        self._check_can_leave_out()
        left, gold = self._judged(texts, labels, sample_weight, groups)
        rows = np.flatnonzero(np.isfinite(left.joint[np.arange(len(gold)), gold]))
        if not len(rows):
            raise ArgumentError(
                "no document can be evaluated: every class has only one distinct document, or one group. Give "
                "more documents, or other groups"
            )
        settled, classes = self._settle(), self.classes_.tolist()
        record = self._state.calibration_for(settled.rules)
        unseen = Unseen.of(left, gold, record.calibration if record else None, classes)
        decision = decision_of(self._state.thresholds(settled, classes), classes)
        best = decided(unseen.log_probabilities, decision)
        threshold = threshold_of(abstain, record.curve if record else None)
        if threshold is not None:
            best = np.where(threshold.unsure(unseen.log_probabilities, left.length[rows], best), -1, best)
        return Unlearned(rows, unseen.log_probabilities, best)

    def pruned(self, *, min_documents: int = 1) -> Self:
        """The model without its rare terms: the one that `save` writes with the same argument.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.pruned(min_documents=2).vocabulary_
        ['good', 'plot']
        """
        with self._state.lock:
            self._state.check_fitted()
            whole = self._snapshot()
            snapshot, pruning = prune(whole, min_documents)
        if snapshot is whole:
            return self
        model = self._of(snapshot, self._given, self._chosen)
        model._state.pruning = pruning
        return model

    def save(self, path: Path, *, min_documents: int = 1) -> Saved:
        """Write the model to a file. If there is an error, a file that was there before is unchanged.

        The file is a Parquet table with the columns term, class, count and documents, which DuckDB, Spark, polars and
        pandas read too. It contains the words of the training texts, but not the texts. The model in memory does not
        change.

        Parameters
        ----------
        path : str or path-like
            The path of the file, which usually ends in ``.likely``.
        min_documents : int
            Leave out terms that occur in fewer documents. Rare terms add little, and may be names or numbers.

        Returns
        -------
        Saved
            The size of the file, the number of terms in it, and how much information was left out.

        Examples
        --------
        >>> import tempfile
        >>> from likely import NaiveBayes, load
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saved = model.save(f"{folder}/reviews.likely", min_documents=2)
        ...     load(f"{folder}/reviews.likely").vocabulary_
        ['good', 'plot']
        >>> saved.terms, saved.dropped_terms
        (2, 2)
        """
        with self._state.lock:
            model = self.pruned(min_documents=min_documents)
            self._state.warn_if_raw(self._settle().rules)  # the file will not have the calibration
            return model_file.save(model._snapshot(), path, model._state.pruning)

    def _snapshot(self, *, whole: bool = True) -> Snapshot:
        """Everything that a file of this model holds, as it is now: options, counts, calibration, tuning.

        A snapshot does not change if the model learns later. With ``whole=False`` its counts may be only those of the
        kept terms, which are enough to score texts, and a large model file need not be read whole.
        """
        settled = self._settle()
        chosen = tuple(name for name in MODEL if name in self._chosen)
        return self._state.snapshot(settled.values, settled.rules, chosen, whole=whole)

    @classmethod
    def _from_snapshot(cls, snapshot: Snapshot) -> Self:
        """The model of a snapshot."""
        options, free = snapshot.options, snapshot.chosen
        given = {name: value for name, value in options.items() if name not in free and _is_given(name, snapshot)}
        own = replace(snapshot, counts=snapshot.counts.frozen())  # the model learns, the snapshot does not change
        return cls._of(own, given, {name: options[name] for name in free})

    @classmethod
    def _of(cls, snapshot: Snapshot, given: Mapping[str, object], chosen: Mapping[str, object]) -> Self:
        model = cls._with(given, chosen)
        model._state.replace(snapshot.counts, snapshot.learned, snapshot.tuning, snapshot.rest)
        rules, prior = model._settle().rules, snapshot.calibrated_prior
        model._state.calibrate(snapshot.calibration, rules if prior is None else replace(rules, prior=prior))
        if snapshot.thresholds is not None:
            model._state.decide(ChosenThresholds(snapshot.thresholds, model.thresholds, rules))
        return model._remember_columns(snapshot.columns)

    def __getstate__(self) -> dict[str, Any]:
        """The bytes of the model's file, and the options as they were given."""
        with self._state.lock:
            # The bytes of a model are the same for any number of threads.
            data = model_file.to_bytes(self._snapshot())
        return {"model": data, "given": self._given}

    def __setstate__(self, state: dict[str, Any]) -> None:
        given = dict(state["given"])
        snapshot = model_file.from_bytes(state["model"], given.get("tokenizer"))
        if "stop_words" in given:  # it may be a file, which the model no longer needs
            given["stop_words"] = snapshot.options["stop_words"]
        chosen = {name: snapshot.options[name] for name in snapshot.chosen}
        vars(self).update(vars(self._of(snapshot, given, chosen)))

    def __sklearn_is_fitted__(self) -> bool:
        return self._state.is_fitted


def _is_given(name: str, snapshot: Snapshot) -> bool:
    """Whether an option that tuning was not free to choose counts as given.

    If tuning has chosen, all others that change what is learned were given. Otherwise a snapshot does not tell:
    options with default values are then taken as not given, so that a task that is set later can change them. The
    types are compared because 1 document is not the share 1.0.
    """
    if snapshot.chosen and name not in KEPT_ASIDE:
        return True
    value, default = snapshot.options[name], MODEL[name].default
    return value != default or type(value) is not type(default)


def _checked(n: int) -> int:
    if not is_whole(n) or n < 1:
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number >= 1")
    return n
