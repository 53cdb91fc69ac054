"""`train`: labelled texts from anywhere to a model, in one call, with options that suit them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from likely.errors import LengthError, OptionError, SourceError
from likely.evaluation.trials import AUTO, BESIDE
from likely.model.examiner import calibrated_on
from likely.model.naive_bayes import NaiveBayes
from likely.options.presets import with_preset
from likely.options.table import check_options
from likely.reading import Reading, corpus_of
from likely.reading.sampling import Sample, Sampler, in_memory
from likely.scoring.leave_one_out import check_exact
from likely.training.tuning import FEWEST, Budget, Goal, Material, choose, gather
from likely.training.tuning.material import Batches, count

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.reading import Corpus


@dataclass(frozen=True)
class Wish:
    """How options are to be chosen.

    Attributes
    ----------
    plain : bool
        Not at all: the classifier of the lecture notes.
    strongest : bool
        Also among those that take longer to learn and cannot learn on.
    tune_for : str or None
        What is to be good: "auto", "log-loss", "accuracy", "macro-f1" or "f1:CLASS".
    budget : str, number or None
        About how long it may take.
    """

    plain: bool = False
    strongest: bool = False
    tune_for: str | None = None
    budget: Any = None

    def check(self, options: dict[str, Any]) -> None:
        """Raise ``OptionError`` for wishes that contradict each other or the options given."""
        others = [name for name in options if name not in BESIDE]
        if self.plain and (self.is_asked or others):
            what = others[0] if others else "choosing options"
            raise OptionError(f"plain is multinomial, alpha 1 and single words: {what} contradicts it")
        Goal(AUTO if self.tune_for is None else self.tune_for)
        self.time  # noqa: B018

    @property
    def is_asked(self) -> bool:
        """Whether it was said that options are to be chosen."""
        return self.strongest or self.tune_for is not None or self.budget is not None

    @property
    def time(self) -> Budget:
        """About how long it may take."""
        return Budget() if self.budget is None else Budget.of(self.budget)

    def tunes(self, options: dict[str, Any]) -> bool:
        """Whether options are to be chosen beside those given: if none were, or if that was said."""
        return not self.plain and (self.is_asked or not any(name not in BESIDE for name in options))


def train(source: Any, labels: Any = None, **settings: Any) -> NaiveBayes:
    r"""Learn from labelled texts, wherever they are, with options that suit them.

    Without options, what suits is found out: each of some dozen settings is judged by what it says of documents that
    it has not seen, which takes no held-out data (`NaiveBayes.leave_one_out`). What was tried is then in `tuning_`.
    With any option it is as for `NaiveBayes`, unless ``tune_for``, ``budget`` or ``strongest`` is given: then the
    others are chosen. Either way probabilities are calibrated, if that can be done.

    Parameters
    ----------
    source
        A file (CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines, each plain or compressed), several files, a
        glob, a folder with a sub-folder for each class, a mailbox for each class, a frame (pandas, polars, Arrow,
        DuckDB); or the texts, if ``labels`` are given.
    labels : iterable of str, int or bool, optional
        One for each text.
    **settings
        How to choose: ``plain=True`` for the classifier of the lecture notes (multinomial, alpha 1, single words);
        ``tune_for``, what is to be good: 'auto' (log-loss, of settings that are not significantly less often right
        than the best), 'log-loss', 'accuracy', 'macro-f1' or 'f1:CLASS'; ``budget``, about how long it may take, such
        as '30s'; ``strongest=True`` to consider ``variant='nbsvm'`` too, which takes longer and cannot learn on.

        How to read: ``text`` and ``label``, the names of the columns (guessed if not given); ``sql``, a query, asked
        of the source if that is a database file; ``format`` of the files; ``header=False`` for CSV without one;
        ``strict=True`` to have bad rows be errors; ``encoding`` of text tables and lines, UTF-8 if not given. All
        others are options, as for `NaiveBayes`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "reviews.csv")
    ...     _ = path.write_text("review,sentiment\ngood fun,+\nvery dull,-\n")
    ...     model = train(path, alpha=0.5)
    >>> model.predict(["good"])
    array(['+'], dtype='<U1')
    >>> from likely.sample import load_sample
    >>> print(train(*load_sample()).tuning_.command)
    likely train DATA -o MODEL --variant binary --alpha 0.056 --min-documents 2 --document-weight equal
    """
    wishes = {each.name for each in fields(Wish)}
    reads = {each.name for each in fields(Reading)} if labels is None else set()
    options = {name: value for name, value in settings.items() if name not in reads | wishes}
    check_options(options, others=sorted(reads | wishes))
    wish = Wish(**{name: value for name, value in settings.items() if name in wishes})
    wish.check(options)
    if labels is None:
        corpus = corpus_of(source, {name: value for name, value in settings.items() if name in reads})
        with corpus.told():
            return train_corpus(corpus, options, wish)
    batch = in_memory(source, labels)
    return _train(_Documents([batch], lambda: [batch]), options, wish)


def train_corpus(corpus: Corpus, options: dict[str, Any], wish: Wish | None = None) -> NaiveBayes:
    """The model of a corpus; whoever opened it tells what was read."""

    def batches() -> Batches:
        return ((batch.texts, batch.labels_as(None)) for batch in corpus)

    again = batches if corpus.is_rereadable() else None
    return _train(_Documents(batches(), again), options, wish or Wish())


@dataclass(frozen=True)
class _Documents:
    """Labelled texts, batch by batch, and how to read them again, if that can be done."""

    batches: Batches
    again: Callable[[], Batches] | None


def _train(documents: _Documents, options: dict[str, Any], wish: Wish) -> NaiveBayes:
    wish.check(options)
    options = with_preset(options)
    if wish.tunes(options):
        material = gather(documents.batches, documents.again, _beside(options), wish.time)
        return _tuned(material, options, wish)
    model = NaiveBayes(**options)
    sampler = Sampler(calibrated_on(model.options()["variant"]))
    twice = model.reads_twice()
    if twice is None:
        model.learn_counts(count(model.options(), sampler.watch(documents.batches)))
    elif documents.again is None:
        raise SourceError(f"{twice} reads the texts twice, which a stream cannot be: give a file or a table")
    else:
        first = [sampler.watch(documents.batches)]
        again = documents.again
        model.learn_counts(model.count_batches(lambda: first.pop() if first else again()))
    return _calibrated(model, sampler.sample(), options)


def _beside(options: dict[str, Any]) -> dict[str, Any]:
    """The options that are held while the others are chosen."""
    return {name: value for name, value in options.items() if name not in ("calibrate", "abstain")}


def _tuned(material: Material, options: dict[str, Any], wish: Wish) -> NaiveBayes:
    sample = material.sample
    if sample.of < FEWEST or len(material.counts.live()) < 2:
        return _as_given(material, options)
    held = _beside(options)
    terms = material.counts.totals().presences.sum() / sample.of
    size = wish.time.documents(float(terms), len(material.counts.live()))
    judged = replace(material, sample=sample.first(size))
    try:
        chosen = choose(judged, held, Goal(wish.tune_for or AUTO), sample if wish.strongest else None)
    except LengthError:  # each document is the only one of its class
        return _as_given(material, options)
    model = NaiveBayes(**{**options, **chosen.options})
    if chosen.counts is not None:
        model.learn_counts(chosen.counts)
    elif material.read is not None:
        model.learn_counts(model.count_batches(material.read))
    model._tuning = chosen.tuning
    enough = len(judged.sample) >= min(len(sample), calibrated_on(model.variant))
    if not (chosen.counts is None or enough):
        return _calibrated(model, sample, options)
    if options.get("calibrate", True):
        model._set_calibrated(chosen.calibrated)
    return model


def _as_given(material: Material, options: dict[str, Any]) -> NaiveBayes:
    """The model of documents that nothing can be chosen by."""
    model = NaiveBayes(**options)
    if material.read is not None:
        model.learn_counts(model.count_batches(material.read))
        return model
    twice = model.reads_twice()
    if twice is not None:
        raise SourceError(f"{twice} reads the texts twice, which cannot be done here: leave the wish to tune out")
    model.learn_counts(material.counts)
    return model


def _calibrated(model: NaiveBayes, sample: Sample, options: dict[str, Any]) -> NaiveBayes:
    """The model with probabilities that mean something, if it can have them and nobody wants none."""
    if sample.of < FEWEST or not options.get("calibrate", True):
        return model
    if not model._rules(None).learned and not options.get("calibrate"):
        try:
            check_exact(model._counts, model._rules(None))
        except OptionError:  # nobody has asked for it
            return model
    few = sample.first(calibrated_on(model.options()["variant"]))
    try:
        return model.fit_calibration(few.texts, few.labels)
    except LengthError:  # each document is the only one of its class
        if options.get("calibrate"):
            raise
        return model
