"""`NaiveBayes`: the model that users hold. It learns, forgets, merges, and is saved to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np

from likely.errors import MismatchError, OptionError, UnknownOptionError
from likely.formulas import check_prior
from likely.labels import check_among, python_labels
from likely.model.learning import Lesson, count_batches, count_corpus, count_texts
from likely.model.predictions import Predictions
from likely.model.questions import Questions
from likely.model.settled import Settled
from likely.model.state import State
from likely.options.configured import Configured
from likely.options.table import OPTIONS
from likely.reading.sampling import Sampler, folds_of, in_memory
from likely.scoring.calibration_record import calibrate
from likely.scoring.cross_validation import cross_scores
from likely.scoring.leave_one_out import LeftOut, leave_one_out
from likely.storage import model_file
from likely.storage.prune import prune
from likely.vectorize.rows import rows_of
from likely.weighing.nbsvm import not_additive
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.counting.counts import Counts
    from likely.evaluation.trials import Tuning
    from likely.options.typed import ModelOptions, ReadingOptions
    from likely.reading import Corpus
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.storage.model_file import Saved
    from likely.storage.snapshot import Snapshot
    from likely.types import Labels, Path, Places, SampleWeight, Source, Texts, Tokenizer
    from likely.weighing.moment import Moment

CALIBRATED_ON = 5_000
"""Three numbers are fitted: more documents would only take longer."""
CROSS_VALIDATED_ON = 20_000
"""Where a model has to be learned from the other documents, few documents would make it look worse than it is."""


def calibrated_on(variant: str) -> int:
    """The number of documents on which a model is calibrated, at most."""
    return CROSS_VALIDATED_ON if variant == LEARNED else CALIBRATED_ON


class NaiveBayes(Configured, Predictions, Questions):
    """A naive Bayes text classifier: raw text in, a label out, with the arithmetic shown.

    All arguments are options of the one option table (`likely.options.OPTIONS`), by keyword only.

    Parameters
    ----------
    task : str or None
        A preset for a kind of work: it sets options that are left at their defaults, as the reference says.
    variant : str
        Which naive Bayes: 'multinomial' counts a term each time it occurs, 'binary' once a document,
        'bernoulli' also where it is absent; 'complement' asks which other classes it speaks against; 'nbsvm' is
        a linear classifier on naive Bayes's ratios, learned from all documents at once.
    alpha : float
        Added to every count (Laplace's smoothing is 1); with 0 an unseen term has probability 0.
    prior : {"fitted", "uniform"} or mapping
        P(class) before the text is seen: as in the training data, equal for all, or given.
    analyzer : {"word", "char", "char_wb", "both"}
        What a text is cut into: words of any script, characters, characters within words, or words and those.
    ngrams : (int, int)
        How many words or characters in a row make a term: the shortest and the longest.
    char_ngrams : (int, int)
        How many characters in a row make a term beside the words, where analyzer is 'both'.
    lowercase : bool
        Whether words that differ only in case are one term.
    accents : {"keep", "strip"}
        Whether 'café' and 'cafe' are two terms, or one.
    normalize : {"none", "nfc", "nfkc"}
        Unicode's normal form that texts are brought to: 'nfc' composes accents, 'nfkc' also makes full-width
        letters, ligatures and the like plain.
    punctuation : {"drop", "keep"}
        Whether punctuation marks and symbols are terms, each one, and emoticons such as :-) as a whole.
    numbers : {"keep", "mask"}
        Whether a number is a term as it is, or as its shape: 3.14 as <number:9.99>.
    urls : {"split", "keep", "mask"}
        Addresses of the web (https://..., www....): 'split' into words, 'keep' as one term, or 'mask' as one
        term for all of them.
    emails : {"split", "keep", "mask"}
        Addresses of mail: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    mentions : {"split", "keep", "mask"}
        @names: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    hashtags : {"split", "keep", "mask"}
        #names: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    stop_words : str, collection of str or None
        Words that are left out: those of a list, of a language (negators are not among them), or 'auto' for
        terms in more than half of all documents.
    stem : str
        The language whose endings are cut off words (Snowball's stemmers), so that 'loves' and 'loved' are
        one term.
    negation : str or collection of str
        Whether words after a negator, up to the next punctuation, are terms of their own: 'not good' as not,
        NOT_good.
    spelling : {"off", "on"}
        Whether an unknown word is read as the known one that it misspells.
    min_documents : int or float
        Terms in fewer documents do not count (a share if below 1); they are learned all the same.
    max_documents : int or float
        Terms in more documents do not count (1.0 is a share: all of them); they are learned all the same.
    max_terms : int or None
        Only so many terms count, the most frequent ones; of equally frequent ones the first in the alphabet.
    hash_bits : int
        0 to keep the names of terms; else they are counted in 2**hash_bits buckets, without names.
    tokenizer : callable or None
        A function that cuts texts into tokens, for languages or rules of your own; a model file names it.
    weighting : {"counts", "tfidf"}
        What a term counts in a document: its occurrences, or tf-idf, (1 + log tf) * log(N / df).
    tf : {"sublinear", "raw"}
        For tf-idf: whether tf is 1 + log of the occurrences, or their number.
    idf : {"plain", "smooth"}
        For tf-idf: whether idf is log(N / df), or log((1 + N) / (1 + df)) + 1.
    norm : {"none", "l2"}
        For tf-idf and nbsvm: whether all documents have the same length. That reads the texts twice, and nothing
        can be learned on or forgotten.
    loss : {"hinge", "logistic"}
        For nbsvm: the loss that is made least, the squared hinge of support vector machines or the logistic one.
    cost : float
        For nbsvm: what an error costs, measured by the size of the weights (C of support vector machines).
    interpolation : float
        For nbsvm: how far learned weights go from their mean: 1 all the way, 0 for naive Bayes.
    document_weight : {"length", "equal"}
        How much a document counts in learning: the more the longer it is, or all the same, each term over the
        (Euclidean) length of its document.
    calibrate : bool
        Whether learning also fits probabilities that mean something, from what each document would have got
        from a model without it.
    abstain : float, mapping or None
        When to give no class: below a probability of the best one, or a margin to the next, or so that a
        share of the answers is right.
    threads : int or None
        How many threads work at once, None for one a processor; the results are the same for any number.

    Examples
    --------
    >>> model = NaiveBayes().fit(["good fun", "very good", "dull plot"], ["+", "+", "-"])
    >>> model.predict(["a good plot", "how dull"])
    array(['+', '-'], dtype='<U1')
    >>> model.learn(["no fun at all"], ["-"]).predict(["all the fun"])
    array(['-'], dtype='<U1')
    """

    _state: State
    """The only private state, beside the options."""

    def __init__(self, **options: Unpack[ModelOptions]) -> None:
        super().__init__(**options)
        self._state = State(Settled.of(self.options()).analyzer)

    __init__.__signature__ = Configured.__init__.__signature__  # type: ignore[attr-defined]

    def fit(self, texts: Texts, labels: Labels, sample_weight: SampleWeight | None = None) -> Self:
        """Learn from labelled texts, and from nothing else: what was learned before is dropped.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            One label per text, all of one kind.
        sample_weight : iterable of numbers >= 0, optional
            How often each document counts. A document of weight 0 is ignored.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        """
        settled = Settled.of(self.options())
        if not self.calibrate:
            return self._start(settled, count_texts(settled, texts, labels, sample_weight))
        if sample_weight is not None:
            raise OptionError(
                "calibrate=True needs documents of weight 1: leave out sample_weight, or set calibrate=False"
            )
        texts, labels = in_memory(texts, labels)
        sampler = Sampler(calibrated_on(self.variant))
        sampler.add(texts, labels)
        sample = sampler.sample()
        return self._start(settled, count_texts(settled, texts, labels, None)).fit_calibration(
            sample.texts, sample.labels
        )

    def _start(self, settled: Settled, lesson: Lesson) -> Self:
        """Begin with what was learned from all documents."""
        check_prior(lesson.counts.index.labels, settled.rules.prior)
        self._state.replace(*lesson)
        self._settled = settled
        return self

    def learn(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        sample_weight: SampleWeight | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Learn more labelled texts, with new words and new classes as they come.

        The order and the batches do not matter. If there is an error, nothing has been learned.

        Parameters
        ----------
        texts
            As for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`: a file, a folder,
            a frame.
        labels, sample_weight : optional
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
        self.learn_lesson(self._count(texts, labels, sample_weight, reading))
        return self

    def learn_lesson(self, lesson: Lesson) -> None:
        """Learn what has been counted."""
        settled = self._settle()
        check_prior(lesson.counts.index.labels, settled.rules.prior)
        if self._state.is_fitted:
            self._check_additive()
            self._state.add(lesson.counts, settled.rules)
        else:
            self._start(settled, lesson)

    def partial_fit(
        self,
        texts: Texts,
        labels: Labels,
        classes: Labels | None = None,
        sample_weight: SampleWeight | None = None,
    ) -> Self:
        """`learn`, by scikit-learn's name and with its signature.

        ``classes`` may be given as scikit-learn asks; every label must then be one of them. A class is known, and has
        its place in `classes_`, from its first document on.
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

        It is an error, which changes nothing, to forget what the counts show was never learned. (They do not show
        which words stood together in one text.)

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
        >>> model.learn(["great"], ["+"]).forget(["great"], ["+"]).vocabulary_
        ['bad', 'fun', 'good']
        """
        self.forget_lesson(self._count(texts, labels, sample_weight, reading))
        return self

    def forget_lesson(self, lesson: Lesson) -> None:
        """Forget what has been counted."""
        self._check_additive()
        self._state.subtract(lesson.counts, self._settle().rules)

    def _count(
        self,
        texts: Texts | Source,
        labels: Labels | None,
        sample_weight: SampleWeight | None,
        reading: Mapping[str, Any],
    ) -> Lesson:
        if labels is not None:
            if reading:
                raise UnknownOptionError(f"{next(iter(reading))} says how to read a source, but labels are given")
            return count_texts(self._to_learn(), texts, labels, sample_weight)
        from likely.reading import corpus_of

        corpus = corpus_of(texts, reading)
        with corpus.told():
            return count_corpus(self._to_learn(), corpus, self._kind, sample_weight)

    def count_corpus(self, corpus: Corpus) -> Lesson:
        """What a corpus teaches; its labels are read as the kind that this model has."""
        return count_corpus(self._to_learn(), corpus, self._kind)

    def count_batches(self, read: Callable[[], Iterable[tuple[Texts, Labels]]]) -> Lesson:
        """What batches of texts and labels teach; they are read twice if the options need it."""
        return count_batches(self._to_learn(), read)

    @property
    def reads_twice(self) -> str | None:
        """The option because of which texts are read twice, or None."""
        return self._settle().reads_twice

    @property
    def _kind(self) -> type | None:
        known = self._state.counts.index.labels
        return type(known[0]) if known else None

    def __add__(self, other: Self) -> Self:
        """The model of all documents of both, with the options of this one."""
        return self._combined(other, lambda counts, others: counts.add(others))

    def __radd__(self, other: object) -> Self:
        """What ``sum(models)`` begins with: 0 + model."""
        if other != 0:
            return NotImplemented
        return self + type(self)(**self._given)

    def __sub__(self, other: Self) -> Self:
        """The model of the documents of this one without those of the other."""
        return self._combined(other, lambda counts, others: counts.subtract(others))

    def _combined(self, other: Self, combine: Callable[[Counts, Counts], object]) -> Self:
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        self._check_additive()
        mine, theirs = self._copied_counts(), other._copied_counts()
        combine(mine, theirs)
        both = type(self)(**self._given)
        both._state.replace(mine)
        return both

    def _copied_counts(self) -> Counts:
        with self._state.lock:
            return self._state.counts.copy()

    def fit_calibration(self, texts: Texts, labels: Labels) -> Self:
        """Calibrate probabilities on learned documents.

        From then on `predict_proba` gives P(c|text) ~ exp(tau * score / (length ** gamma * spread ** delta)), with the
        numbers fitted by log-loss to the scores of `leave_one_out` (with variant nbsvm, of cross-validation). The raw
        scores stay those of `predict_joint_log_proba`. The calibration holds as long as the options stay as they are.
        What is learned later changes it little: fit it again now and then.

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
        gold = self._ask(lambda moment: moment.counts.live().places).of_all(labels)
        settled = self._settle()
        way = _cross_validated if settled.rules.learned else leave_one_out
        self._state.calibrate(calibrate(self._ask(way, texts, gold, settled.threads), gold), settled.rules)
        return self

    def remember(self, tuning: Tuning, calibration: CalibrationRecord | None = None) -> Self:
        """Take over how the options were chosen, and the calibration that was found on the way."""
        self._state.tuning = tuning
        if calibration is not None:
            self._state.calibrate(calibration, self._settle().rules)
        return self

    def _settle(self) -> Settled:
        """What the options say, worked out again if one of them has changed."""
        settled: Settled | None = self._settled
        if settled is None or (settled.rules.prior != self.prior and isinstance(self.prior, Mapping)):
            settled = Settled.of(self.options())
            self._check_counted_as(settled)
            self._settled = settled
        return settled

    def _to_learn(self) -> Settled:
        """What the options say, if more can be learned by it."""
        self._check_additive()
        settled, counts = self._settle(), self._state.counts
        if settled.analyzer is not counts.analyzer and self._state.is_fitted and settled.analyzer != counts.analyzer:
            raise MismatchError(
                f"the model has learned with {counts.analyzer} and its options now say {settled.analyzer}: "
                "set the options back, or call fit to learn again"
            )
        return settled

    def _check_counted_as(self, settled: Settled) -> None:
        analyzer = self._state.counts.analyzer
        if self._state.is_fitted and settled.analyzer.counted_as != analyzer.counted_as:
            raise MismatchError(
                f"the model has learned with {analyzer}, and weighting, tf, norm, document_weight or variant were "
                "changed since: set them back, or call fit to learn again"
            )

    def _check_additive(self) -> None:
        """Raise ``NotAdditiveError`` if what was learned cannot be changed document by document."""
        if self.variant == LEARNED and self._state.is_fitted:
            raise not_additive("learned on, forgotten or merged", "call fit (or `likely train`) with all documents")

    def __sklearn_is_fitted__(self) -> bool:
        return self._state.is_fitted

    def pruned(self, *, min_documents: int = 1, max_size: int | str | None = None) -> Self:
        """The model without some of its terms; with the arguments of `save`, it is what `save` writes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.pruned(min_documents=2).vocabulary_
        ['good', 'plot']
        """
        with self._state.lock:
            self._state.check_fitted()
            snapshot, pruning = prune(self.snapshot(), min_documents, max_size)
        if snapshot.counts is self._state.counts:
            return self
        model = self._of(snapshot, self._given)
        model._state.pruning = pruning
        return model

    def save(self, path: Path, *, min_documents: int = 1, max_size: int | str | None = None) -> Saved:
        """Write the model to one file, whole; if there is an error, the file is as it was before.

        The file is a Parquet table with the columns term, class, count and documents: DuckDB, Spark, polars and
        pandas read it too. It holds the words of the training texts, but not the texts. The model itself stays as it
        is.

        Parameters
        ----------
        path : str or path-like
            By custom it ends in ``.likely``.
        min_documents : int
            Leave out terms that occur in fewer documents: they say little, and rare ones may be names or numbers.
        max_size : int or str, optional
            Leave out the least informative terms, so that the file has at most this size ('2MB', '1.5 MiB').

        Returns
        -------
        Saved
            The size of the file, the number of terms in it, and how much the terms that were left out would have told.

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
            model = self.pruned(min_documents=min_documents, max_size=max_size)
            return model_file.save(model.snapshot(), path, model._state.pruning)

    def snapshot(self) -> Snapshot:
        """All that a file of this model holds, at this moment: options, counts, calibration, tuning.

        The counts are those of the model: do not change them.
        """
        settled = self._settle()
        return self._state.snapshot(settled.values, settled.rules)

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """The model of a snapshot.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], [1, 0])
        >>> NaiveBayes.from_snapshot(model.snapshot()).predict(["good"])
        array([1])
        """
        # Which options were given is not known: those at their defaults leave room for a task.
        given = {name: value for name, value in snapshot.options.items() if value != OPTIONS[name].default}
        return cls._of(snapshot, given)

    @classmethod
    def _of(cls, snapshot: Snapshot, options: Mapping[str, Any]) -> Self:
        model = cls(**options)
        model._state.replace(snapshot.counts, snapshot.learned, snapshot.tuning)
        model._state.calibrate(snapshot.calibration, model._settle().rules)
        return model

    def __getstate__(self) -> dict[str, Any]:
        with self._state.lock:
            # The bytes of a model are the same for any number of threads.
            data = model_file.to_bytes(self.snapshot())
        return {"model": data, "threads": self.threads, "tokenizer": self.tokenizer}

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = type(self).from_snapshot(model_file.from_bytes(state["model"], state["tokenizer"]))
        vars(self).update(vars(model))
        self.threads = state["threads"]


def _cross_validated(moment: Moment, texts: Texts, gold: Places, threads: int) -> LeftOut:
    """As `leave_one_out` where single documents cannot be left out: one fold of them at a time."""
    rows, folds = rows_of(moment.counts, texts, threads), folds_of(texts)
    joint = cross_scores(moment.counts, rows, gold.astype(np.uint32), folds, moment.rules, threads)
    return LeftOut(joint, np.ones(len(joint)))


def load(path: Path, *, tokenizer: Tokenizer | None = None) -> NaiveBayes:
    """The model of a file that `NaiveBayes.save` wrote.

    It learns, forgets and merges as the saved model would have. Anything else than such a file raises
    ``ModelFileError``: a damaged or hostile file is refused, and nothing in a file is ever run. So a model that was
    made with a ``tokenizer`` needs it again: its file only names it.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     size = model.save(f"{folder}/reviews.likely").size
    ...     load(f"{folder}/reviews.likely").predict(["fun"])
    array(['+'], dtype='<U1')
    """
    return NaiveBayes.from_snapshot(model_file.load(path, tokenizer))
