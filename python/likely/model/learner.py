"""Learning: how a model comes by its counts, and the algebra of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from likely.analysis.analyzer import Analyzer, counted_as, thread_count
from likely.counting.counts import Counts
from likely.errors import LikelyError, MismatchError, NotFittedError, SourceError, UnknownOptionError, WeightError
from likely.formulas import check_prior
from likely.labels import check_among, python_labels
from likely.locks import fork_safe_lock
from likely.options.configured import Settings
from likely.options.table import OPTIONS
from likely.weighing.nbsvm import not_additive, train
from likely.weighing.terms import Rules, choose_terms
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from likely.evaluation.trials import Tuning
    from likely.reading import Corpus
    from likely.scoring.calibration_record import Calibrated
    from likely.types import Ids
    from likely.weighing.weights import Weights


class Learner(Settings):
    """What learns and forgets. `NaiveBayes` adds what can be asked of it."""

    _settled: Rules | None
    """The rules that the options make, until one of them changes."""
    _settled_analyzer: Analyzer | None
    """The same for the analyzer."""

    def _begin(self) -> None:
        self._lock = fork_safe_lock()
        self._start_from(Counts(Analyzer.of(self.options())))

    def _start_from(self, counts: Counts) -> None:
        self._weights: Weights | None = None
        self._other_weights: Weights | None = None
        self._settled = None
        self._calibrated: Calibrated | None = None
        self._calibrated_rules: Rules | None = None
        self._tuning: Tuning | None = None
        self._counts = counts

    def fit(self, texts: Any, labels: Any, sample_weight: Any = None) -> Self:
        """Learn from labelled texts, and from nothing else: what was learned before is dropped.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            As many, all of one kind.
        sample_weight : iterable of numbers >= 0, optional
            How often each document counts. A document of weight 0 is as if it were not there.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        """
        fresh = type(self)(**self.get_params()).learn(texts, labels, sample_weight)
        with self._lock:
            self._start_from(fresh._counts)
        return self

    def learn(self, texts: Any, labels: Any = None, sample_weight: Any = None, **reading: Any) -> Self:
        """Learn further labelled texts, with new words and new classes as they come.

        The order and the batches do not matter. On an error nothing has been learned.

        Parameters
        ----------
        texts
            As for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`: a file, a folder,
            a frame.
        labels : iterable of str, int or bool, optional
            As for `fit`.
        sample_weight : iterable of numbers >= 0, optional
            As for `fit`.
        **reading
            How to read a source: ``text``, ``label``, ``sql``, ``format``, ``header``, ``strict``,
            ``encoding``, as for `likely.train`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good"], ["+"]).learn(["bad"], ["-"])
        >>> model.classes_
        array(['+', '-'], dtype='<U1')
        """
        self.learn_counts(self._count(texts, labels, sample_weight, reading))
        return self

    def learn_counts(self, more: Counts) -> None:
        """Learn what has been counted."""
        check_prior(more.index.labels, self.options()["prior"])
        with self._lock:
            if not self._counts.native.learned:
                self._start_from(more)
            else:
                self._check_additive()
                self._change(lambda counts: counts.add(more))

    def partial_fit(self, texts: Any, labels: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """`learn`, by scikit-learn's name and with its signature.

        ``classes`` may be given as scikit-learn asks; every label must then be one of them. A class is known, and has
        its place in `classes_`, from its first document on.
        """
        if classes is not None:
            labels = python_labels(labels)
            check_among(labels, classes)
        return self.learn(texts, labels, sample_weight)

    def forget(self, texts: Any, labels: Any = None, sample_weight: Any = None, **reading: Any) -> Self:
        """Take back what was learned from these texts, exactly. The arguments are those of `learn`.

        Forgetting what the counts show was never learned is an error that changes nothing. (They do not show which
        words stood together in a text that is gone.)

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
        >>> model.learn(["great"], ["+"]).forget(["great"], ["+"]).vocabulary_
        ['bad', 'fun', 'good']
        """
        self.forget_counts(self._count(texts, labels, sample_weight, reading))
        return self

    def forget_counts(self, less: Counts) -> None:
        """Take back what has been counted."""
        self._check_additive()
        with self._lock:
            self._change(lambda counts: counts.subtract(less))

    def __add__(self, other: Self) -> Self:
        """The model of all documents of both, with the options of this one."""
        return self._combined(other, lambda counts, others: counts.add(others))

    def __radd__(self, other: object) -> Self:
        """What ``sum(models)`` begins with: 0 + model."""
        if other != 0:
            return NotImplemented
        return self + type(self)(**self.get_params())

    def __sub__(self, other: Self) -> Self:
        """The model of the documents of this without those of the other."""
        return self._combined(other, lambda counts, others: counts.subtract(others))

    def _count(self, texts: Any, labels: Any, sample_weight: Any, reading: Mapping[str, Any]) -> Counts:
        if labels is None:
            return self._count_source(texts, sample_weight, reading)
        if reading:
            raise UnknownOptionError(f"{next(iter(reading))} says how to read a source, but labels are given")
        analyzer, threads = self._same_analyzer(), thread_count(self.threads)
        twice = self._reads_twice(analyzer)
        if twice is None:
            return Counts.count(analyzer, texts, labels, sample_weight, threads)
        if isinstance(texts, Iterator) or hasattr(texts, "read_next_batch"):
            raise SourceError(f"{twice} reads the texts twice, which a stream cannot be: give a list")
        labels = list(labels) if isinstance(labels, Iterator) else labels
        sample_weight = list(sample_weight) if isinstance(sample_weight, Iterator) else sample_weight
        counts = Counts.count(analyzer, texts, labels, sample_weight, threads)
        return self._read_again(counts, [(texts, labels, sample_weight)])

    def _count_source(self, source: Any, sample_weight: Any, reading: Mapping[str, Any]) -> Counts:
        from likely.reading import corpus_of

        if sample_weight is not None:
            raise WeightError("sample_weight goes with texts and labels, not with a source to read")
        corpus = corpus_of(source, reading)
        with corpus.told():
            return self.count_corpus(corpus)

    def reads_twice(self) -> str | None:
        """The option for which texts are read a second time when all have been counted, if there is one."""
        return self._reads_twice(self._same_analyzer())

    def count_corpus(self, corpus: Corpus) -> Counts:
        """The counts of a corpus, its labels taken as the kind that this model's labels are."""
        known = self._counts.index.labels
        kind = type(known[0]) if known else None
        twice = self._reads_twice(self._same_analyzer())
        if twice is not None:
            corpus.check_rereadable(twice)
        return self.count_batches(lambda: ((batch.texts, batch.labels_as(kind)) for batch in corpus))

    def count_batches(self, read: Callable[[], Iterable[tuple[Any, Any]]]) -> Counts:
        """The counts of batches of texts and labels, which are read twice if need be."""
        analyzer = self._same_analyzer()
        counts = Counts.count_batches(analyzer, read(), thread_count(self.threads))
        if self._reads_twice(analyzer) is None:
            return counts
        return self._read_again(counts, ((texts, labels, None) for texts, labels in read()))

    def _reads_twice(self, analyzer: Analyzer) -> str | None:
        """The option for which texts are read twice, if there is one."""
        if self.variant == LEARNED:
            return f"variant={self.variant!r}"
        return None if analyzer.lengths is None else "norm='l2'"

    def _read_again(self, counts: Counts, again: Iterable[tuple[Any, Any, Any]]) -> Counts:
        """The counts of the same texts with what a second look at them tells: lengths, or learned weights."""
        rules = self._rules(None)
        if rules.learned:
            counts.linear = train(counts, rules, again, thread_count(self.threads))
            return counts
        scales = choose_terms(counts, rules).scales
        if scales is None:
            return counts
        return counts.at_length_one(again, scales, thread_count(self.threads))

    def _check_counted_as(self, values: Mapping[str, Any]) -> None:
        analyzer = self._counts.analyzer
        if self._counts.native.learned and counted_as(values) != analyzer.counted_as:
            raise MismatchError(
                f"the model has learned with {analyzer}, and weighting, tf, norm, document_weight or variant now say "
                "otherwise: set them back, or call fit to learn anew"
            )

    def _check_additive(
        self,
        done: str = "learned on, forgotten or merged",
        instead: str = "call fit (or likely train) with all documents",
    ) -> None:
        """Raise ``NotAdditiveError`` if what was learned cannot be changed piece by piece."""
        if self.variant == LEARNED and self._counts.native.learned:
            raise not_additive(done, instead)

    def _same_analyzer(self) -> Analyzer:
        self._check_additive()
        analyzer = self._settled_analyzer = self._settled_analyzer or Analyzer.of(self.options())
        if analyzer != self._counts.analyzer and self._counts.native.learned:
            raise MismatchError(
                f"the model has learned with {self._counts.analyzer} and its options now say {analyzer}: "
                "set them back, or call fit to learn anew"
            )
        return analyzer

    def _change(self, change: Callable[[Counts], Ids]) -> None:
        """Change the counts, and let the weights follow. The lock must be held.

        Wherever Ctrl-C strikes, the counts are as before or as after, and weights that do not fit them are gone.
        """
        weights, self._weights, self._other_weights = self._weights, None, None
        try:
            changed = change(self._counts)
        except LikelyError:
            self._weights = weights
            raise
        self._counts = self._counts.compacted()
        if not self._counts.native.learned:
            return
        if weights is not None and weights.rules == self._rules(None) and weights.fits(self._counts):
            weights.update(self._counts, changed)
            self._weights = weights

    def _combined(self, other: Self, combine: Callable[[Counts, Counts], Any]) -> Self:
        if not isinstance(other, Learner):
            return NotImplemented
        self._check_additive()
        mine, theirs = self._copied_counts(), other._copied_counts()
        combine(mine, theirs)
        both = type(self)(**self.get_params())
        both._start_from(mine)
        return both

    def _copied_counts(self) -> Counts:
        with self._lock:
            return self._counts.copy()

    def _rules(self, alpha: float | None) -> Rules:
        if alpha is None and self._settled is not None and not isinstance(self.prior, Mapping):
            return self._settled
        if alpha is not None:
            OPTIONS["alpha"].check(alpha)
        values = self.options()
        self._check_counted_as(values)
        rules = Rules.of(values if alpha is None else {**values, "alpha": alpha})
        if alpha is None:
            self._settled = rules
        return rules

    def _calibrated_for(self, rules: Rules) -> Calibrated | None:
        """The calibration, if it was fitted to what these rules weigh."""
        return self._calibrated if self._calibrated_rules == rules else None

    def _set_calibrated(self, found: Calibrated | None) -> None:
        self._calibrated, self._calibrated_rules = found, None if found is None else self._rules(None)

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("the model has learned nothing yet: call fit or learn first")

    def __sklearn_is_fitted__(self) -> bool:
        return self._counts.native.learned

    def __getstate__(self) -> dict[str, Any]:
        from likely.storage import to_bytes

        with self._lock:
            # The model's bytes are the same whatever the threads.
            return {"model": to_bytes(self), "threads": self.threads, "tokenizer": self.tokenizer}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from likely.storage import restore

        restore(self, state["model"], state["tokenizer"])
        self.threads = state["threads"]
