"""`Learner`: the methods by which a model learns more, forgets and merges."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self, Unpack, cast

from likely.class_places import check_among
from likely.core.variants import LEARNED
from likely.errors import LabelError, MismatchError, NotAdditiveError, OptionError, UnknownOptionError
from likely.labels import python_labels
from likely.model.fitter import Fitter
from likely.model.learning import Lesson, count_batches, count_corpus, count_texts
from likely.model.merging import added, subtracted
from likely.model.new_classes import NewClasses
from likely.reading.sampling import Sampler
from likely.scoring.calibration_record import calibrated_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.model.settled import Settled
    from likely.options.typed import ReadingOptions
    from likely.reading import Corpus
    from likely.reading.labelled import Batches
    from likely.reading.sampling import Sample
    from likely.types import Label, Labels, SampleWeight, Source, Texts


class Learner(Fitter):
    """A model that learns and forgets single documents."""

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
            How to read a source: ``text``, ``label``, ``weight``, ``labels_file``, ``sql``, ``format``, ``header``,
            ``sheet``, ``strict``, ``insist``, ``encoding``, ``strip_labels``, ``fold_labels``, ``missing_labels``,
            ``label_separator``, ``repeated_headers``, as for `likely.train`. (``group`` is for training only.)

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
            else:  # classes that class_weight names may still come
                self._state.replace(*lesson)
                self._settled = settled

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

    def correct(self, learned: Lesson | None, forgotten: Lesson | None) -> None:
        """Learn one lesson and forget another in one step, as if what is forgotten had never been learned.

        The lessons are those of single documents, or sums of them, which `check_correctable` and `check_label` have
        allowed. What is forgotten must have been learned since the model was trained.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
        >>> right, wrong = (model.count_one("so so", label) for label in "+-")
        >>> model.correct(wrong, None)
        >>> model.correct(right, wrong)
        >>> model.class_documents_
        array([2., 1.])
        """
        self._state.correct(
            None if learned is None else learned.counts,
            None if forgotten is None else forgotten.counts,
            self._settle().rules,
        )

    def count_one(self, text: str, label: Label) -> Lesson:
        """The lesson of one document. The model does not change."""
        return count_texts(self._to_learn(), [text], [label], None)

    def check_label(self, label: Label) -> None:
        """Raise ``LikelyError`` if a label does not fit the options or the classes of the model."""
        self._check_labels([label], self._settle())
        if self._kind not in (None, type(label)):
            raise LabelError(
                f"the label {label!r} is of type {type(label).__name__}, but the labels so far are of type "
                f"{getattr(self._kind, '__name__', '')}"
            )

    @property
    def is_fitted(self) -> bool:
        """Whether the model has learned anything."""
        return self._state.is_fitted

    @property
    def has_rest(self) -> bool:
        """Whether a part of the model file has not been read yet: that of the terms that scoring does not need."""
        return self._state.has_rest

    def read_rest(self) -> None:
        """Read what has not been read yet of the model file. The first question that needs it would do so too."""
        with self._state.lock:
            _ = self._state.counts

    def check_correctable(self) -> None:
        """Raise ``LikelyError``, which says why, if single documents can be neither learned nor forgotten."""
        self._check_can_forget()
        self._to_learn()
        if self._state.analyzer.lengths is not None:
            raise NotAdditiveError(
                "with norm='l2' the counts of a document depend on all others, so that single documents can be "
                "neither learned nor forgotten: train with all documents"
            )

    def _check_can_forget(self) -> None:
        """Raise ``NotAdditiveError`` or ``PrunedError`` if the model cannot forget single documents."""
        self._check_additive()
        self._state.check_whole("forget documents")

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

    def settled_to_learn(self) -> Settled:
        """The options by which texts are counted elsewhere for this model; ``LikelyError`` if it cannot learn."""
        return self._to_learn()

    def check_can_forget(self) -> None:
        """Raise ``LikelyError``, which says why, if documents cannot be forgotten."""
        self._check_can_forget()

    @property
    def label_kind(self) -> type | None:
        """The type of the labels; None if the model has learned nothing yet."""
        return self._kind

    @property
    def reads_twice(self) -> str | None:
        """The option that requires that texts are read twice, or None."""
        return self._settle().reads_twice

    def sample_corpus(self, corpus: Corpus) -> Sample:
        """Documents of a corpus to calibrate on; their labels are converted to the type of this model's labels."""
        corpus.expect(self._state.columns, self._state.counts.live().labels)
        sampler = Sampler(calibrated_on(self.variant))
        for batch in corpus.lessons(self._kind):
            sampler.add(batch)
        return sampler.sample()

    @property
    def _kind(self) -> type | None:
        known = self._state.counts.index.labels
        return type(known[0]) if known else None

    def _alike(self) -> Self:
        """A model that has learned nothing, with the same options, given and chosen."""
        return type(self)._with(self._given, self._chosen)

    def __add__(self, other: Self) -> Self:
        """The model of the documents of both models, with the options of this one.

        If one of them is calibrated, so is the sum: as the larger one is, if both are. `calibration_` says by how
        many documents the model has changed since.
        """
        return added(self, other) if isinstance(other, Learner) else NotImplemented

    def __radd__(self, other: object) -> Self:
        """0 + model, the first step of ``sum(models)``: an equal model."""
        if other != 0:
            return NotImplemented
        return self + self._alike()

    def __sub__(self, other: Self) -> Self:
        """The model of the documents of this model without those of the other."""
        return subtracted(self, other) if isinstance(other, Learner) else NotImplemented

    def _to_learn(self) -> Settled:
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
        return settled

    def _check_additive(self) -> None:
        """Raise ``NotAdditiveError`` if single documents can be neither learned nor forgotten."""
        if self.variant == LEARNED and self._state.is_fitted:
            from likely.core.nbsvm import not_additive

            raise not_additive("learned on, forgotten or merged", "call fit (or `likely train`) with all documents")
