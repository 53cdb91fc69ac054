"""`Learner`: the methods by which a model learns, forgets, merges and is calibrated."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, Unpack, cast

from likely.class_places import check_among
from likely.errors import MismatchError, OptionError, UnknownOptionError
from likely.formulas import check_prior
from likely.labels import python_labels
from likely.model.deciding import Deciding, cross_validated
from likely.model.learning import Lesson, count_batches, count_corpus, count_texts
from likely.model.new_classes import NewClasses
from likely.model.settled import Settled
from likely.model.state import State
from likely.options.configured import Configured
from likely.reading.sampling import Sampler, in_memory
from likely.scoring.abstain import fitting_reject_label
from likely.scoring.calibration_record import calibrate, calibrated_on
from likely.scoring.decisions import are_given
from likely.scoring.leave_one_out import leave_one_out
from likely.scoring.threshold_record import DECIDED_ON, to_decide
from likely.weighing.nbsvm import not_additive
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.evaluation.trials import Tuning
    from likely.options.typed import ModelOptions, ReadingOptions
    from likely.reading import Corpus
    from likely.reading.batch import Chosen as ChosenColumns
    from likely.reading.labelled import Batches
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.types import Label, Labels, SampleWeight, Source, Texts


class Learner(Deciding):
    """A model that learns and forgets: its options, its state, and the methods that change the state."""

    _state: State
    """Everything that was learned."""

    def __init__(self, **options: Unpack[ModelOptions]) -> None:
        super().__init__(**options)
        self._state = State(Settled.of(self.options()).analyzer)

    __init__.__signature__ = Configured.__init__.__signature__  # type: ignore[attr-defined]

    def fit(self, texts: Texts, labels: Labels, sample_weight: SampleWeight | None = None) -> Self:
        """Learn from labelled texts. Everything that was learned before is forgotten.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            One label per text, all of one type.
        sample_weight : iterable of numbers >= 0, optional
            The weight of each document: 2 is the same as giving it twice. A document of weight 0 is ignored.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        """
        settled = Settled.of(self.options())
        is_wish = self.thresholds is not None and not are_given(self.thresholds)
        if not self.calibrate and not is_wish:
            return self._start(settled, count_texts(settled, texts, labels, sample_weight))._checked_thresholds()
        if sample_weight is not None:
            name = f"thresholds={self.thresholds!r}" if is_wish else "calibrate=True"
            raise OptionError(f"{name} needs documents of weight 1: leave out sample_weight, or the option")
        held = in_memory(texts, labels)
        sampler = Sampler(DECIDED_ON)
        sampler.add(held)
        sample = sampler.sample()
        self._start(settled, count_texts(settled, held.texts, held.labels, None))
        if self.calibrate:
            few = sample.first(calibrated_on(self.variant))
            self.fit_calibration(few.texts, few.labels)
        if not is_wish:
            return self._checked_thresholds()
        few = to_decide(sample, len(self.classes_))
        return self.fit_thresholds(few.texts, few.labels)

    def _start(self, settled: Settled, lesson: Lesson) -> Self:
        """Start with the lesson of all documents."""
        self._check_labels(lesson.counts.index.labels, settled)
        self._state.replace(*lesson)
        self._settled = settled
        return self

    def learn(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        sample_weight: SampleWeight | None = None,
        *,
        new_classes: bool = True,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Learn from more labelled texts. They may have new words and, unless you refuse them, new classes.

        The result does not depend on the order of the texts, nor on the batches. If there is an error, nothing is
        learned. A source is read by the columns that the model was trained on (`columns_`), if it has them.

        Parameters
        ----------
        texts
            As for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`: a file, a folder,
            a frame.
        labels, sample_weight : optional
            As for `fit`.
        new_classes : bool
            Whether texts of classes that the model does not have are learned, or raise ``UnknownClassError``.
        **reading
            How to read a source: ``text``, ``label``, ``labels_file``, ``sql``, ``format``, ``header``, ``sheet``,
            ``strict``, ``insist``, ``encoding``, ``strip_labels``, ``fold_labels``, ``missing_labels``,
            ``label_separator``, ``repeated_headers``, as for `likely.train`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good"], ["+"]).learn(["bad"], ["-"])
        >>> model.classes_
        array(['+', '-'], dtype='<U1')
        >>> model.learn(["so so"], ["?"], new_classes=False)
        Traceback (most recent call last):
        likely.errors.UnknownClassError: 1 new class: '?' (1 text). Known classes: '+', '-'. Correct the labels, or
        allow new classes
        """
        self.learn_lesson(self._count(texts, labels, sample_weight, reading), new_classes=new_classes)
        return self

    def learn_lesson(self, lesson: Lesson, *, new_classes: bool = True) -> None:
        """Learn a lesson; ``UnknownClassError`` if it has new classes that are not allowed."""
        settled = self._settle()
        self._check_labels(lesson.counts.index.labels, settled)
        with self._state.lock:  # two threads may both be the first to learn
            self._tell_new_classes(lesson, new_classes)
            if self._state.is_fitted:
                self._check_additive()
                self._state.add(lesson.counts, settled.rules)
            else:
                self._start(settled, lesson)

    def _tell_new_classes(self, lesson: Lesson, allowed: bool) -> None:
        """Log the new classes of a lesson, or raise ``UnknownClassError`` if they are not allowed."""
        log = logging.getLogger("likely")
        if not allowed:
            self._state.check_fitted()
            self.new_classes_of(lesson).check()
        elif self._state.is_fitted and log.isEnabledFor(logging.INFO):
            found = self.new_classes_of(lesson)
            if found.documents:
                log.info(str(found))

    def new_classes_of(self, lesson: Lesson) -> NewClasses:
        """The classes that a lesson would add to the model."""
        with self._state.lock:
            return NewClasses.of(lesson.counts, self._state.counts)

    def _check_labels(self, labels: list[Label], settled: Settled) -> None:
        """Raise ``OptionError`` if an option does not fit these classes."""
        check_prior(labels, settled.rules.prior)
        if self.reject_label is not None:
            fitting_reject_label(labels, self.reject_label)

    def partial_fit(
        self,
        texts: Texts,
        labels: Labels,
        classes: Labels | None = None,
        sample_weight: SampleWeight | None = None,
    ) -> Self:
        """`learn`, with the name and the signature of scikit-learn.

        If ``classes`` are given, every label must be one of them. A class is in `classes_` after its first document.
        """
        if classes is not None:
            labels = python_labels(labels)
            check_among(labels, classes)
        return self.learn(texts, labels, sample_weight)

    def forget(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        sample_weight: SampleWeight | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Forget what was learned from these texts, exactly. The arguments are those of `learn`.

        If the counts show that a text was never learned, that is an error, and nothing is forgotten. (The counts do
        not show which words were in the same text.) A pruned model cannot forget: ``PrunedError``.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
        >>> model.learn(["great"], ["+"]).forget(["great"], ["+"]).vocabulary_
        ['bad', 'fun', 'good']
        """
        self._check_can_forget()
        self.forget_lesson(self._count(texts, labels, sample_weight, reading))
        return self

    def forget_lesson(self, lesson: Lesson) -> None:
        """Forget a lesson."""
        self._check_can_forget()
        self._state.subtract(lesson.counts, self._settle().rules)

    def _check_can_forget(self) -> None:
        """Raise ``NotAdditiveError`` or ``PrunedError`` if the model cannot forget single documents."""
        self._check_additive()
        self._state.counts.check_whole("forget documents")

    def _count(
        self,
        texts: Texts | Source,
        labels: Labels | None,
        sample_weight: SampleWeight | None,
        reading: Mapping[str, object],
    ) -> Lesson:
        if labels is not None:
            if reading:
                raise UnknownOptionError(
                    f"{next(iter(reading))} is an option for reading a source: leave it out if you give labels"
                )
            return count_texts(self._to_learn(), cast("Texts", texts), labels, sample_weight)
        from likely.reading import corpus_of

        corpus = corpus_of(cast("Source", texts), reading)
        with corpus.told():
            return self.count_corpus(corpus, sample_weight)

    def count_corpus(self, corpus: Corpus, sample_weight: SampleWeight | None = None) -> Lesson:
        """The lesson of a corpus; its labels are converted to the type of this model's labels."""
        corpus.expect(self._state.columns, self._state.counts.live().labels)
        return count_corpus(self._to_learn(), corpus, self._kind, sample_weight)

    def count_batches(self, read: Callable[[], Batches]) -> Lesson:
        """The lesson of labelled texts in batches, which are read twice if the options require it."""
        return count_batches(self._to_learn(), read)

    @property
    def reads_twice(self) -> str | None:
        """The option that requires that texts are read twice, or None."""
        return self._settle().reads_twice

    @property
    def _kind(self) -> type | None:
        known = self._state.counts.index.labels
        return type(known[0]) if known else None

    def __add__(self, other: Self) -> Self:
        """The model of the documents of both models, with the options of this one."""
        return self._combined(other, lambda counts, others: counts.add(others))

    def __radd__(self, other: object) -> Self:
        """0 + model, the first step of ``sum(models)``: an equal model."""
        if other != 0:
            return NotImplemented
        return self + type(self)(**self._given)

    def __sub__(self, other: Self) -> Self:
        """The model of the documents of this model without those of the other."""
        return self._combined(other, lambda counts, others: counts.subtract(others))

    def _combined(self, other: Self, combine: Callable[[Counts, Counts], object]) -> Self:
        if not isinstance(other, Learner):
            return NotImplemented
        self._check_additive()
        mine, theirs = self._copied_counts(), other._copied_counts()
        combine(mine, theirs)
        both = type(self)(**self._given)
        both._state.replace(mine)
        is_same = not other._state.is_fitted or other.columns_ == self.columns_
        return both.remember_columns(self.columns_ if is_same else None)

    def _copied_counts(self) -> Counts:
        with self._state.lock:
            return self._state.counts.copy()

    def fit_calibration(self, texts: Texts, labels: Labels) -> Self:
        """Calibrate probabilities on learned documents.

        From then on `predict_proba` returns P(c|text) ~ exp(tau * score / (length ** gamma * spread ** delta)). The
        parameters minimize the log-loss of the scores of `leave_one_out` (with variant nbsvm, of cross-validation).
        The scores of `predict_joint_log_proba` do not change. The calibration is valid until an option is changed
        that the scores depend on. Calibrate again after you have learned many more documents.

        Parameters
        ----------
        texts, labels
            Documents that were learned, with weight 1, and their labels: all of them, or a few thousand.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes().fit(texts, labels).fit_calibration(texts, labels)
        >>> model.calibration_.after["log_loss"] < model.calibration_.before["log_loss"]
        True
        """
        settled = self._settle()
        way = cross_validated if settled.rules.learned else leave_one_out
        self._state.calibrate(calibrate(*self._left_out(way, texts, labels)), settled.rules)
        return self

    def remember(self, tuning: Tuning, calibration: CalibrationRecord | None = None) -> Self:
        """Take over the record of how the options were chosen, and the calibration from the same search."""
        self._state.tuning = tuning
        if calibration is not None:
            self._state.calibrate(calibration, self._settle().rules)
        return self

    def remember_columns(self, columns: ChosenColumns | None) -> Self:
        """Take over the names of the columns that the model was trained on."""
        self._state.columns = columns
        return self

    def _settle(self) -> Settled:
        """The current options with what follows from them, computed again if an option has changed."""
        settled: Settled | None = self._settled
        if settled is None or (settled.rules.prior != self.prior and isinstance(self.prior, Mapping)):
            settled = Settled.of(self.options())
            self._check_counted_as(settled)
            self._settled = settled
        return settled

    def _to_learn(self) -> Settled:
        """The current options; ``LikelyError`` if the model cannot learn more with them."""
        self._check_additive()
        settled, counts = self._settle(), self._state.counts
        if settled.analyzer is not counts.analyzer and self._state.is_fitted and settled.analyzer != counts.analyzer:
            raise MismatchError(
                f"the model has learned with {counts.analyzer}, but its options now mean {settled.analyzer}: "
                "set the options back, or call fit to learn again"
            )
        return settled

    def _check_counted_as(self, settled: Settled) -> None:
        analyzer = self._state.counts.analyzer
        if self._state.is_fitted and settled.analyzer.counted_as != analyzer.counted_as:
            raise MismatchError(
                f"the model has learned with {analyzer}, but weighting, tf, norm, document_weight or variant was "
                "changed since: set it back, or call fit to learn again"
            )

    def _check_additive(self) -> None:
        """Raise ``NotAdditiveError`` if single documents can be neither learned nor forgotten."""
        if self.variant == LEARNED and self._state.is_fitted:
            raise not_additive("learned on, forgotten or merged", "call fit (or `likely train`) with all documents")

    def __sklearn_is_fitted__(self) -> bool:
        return self._state.is_fitted
