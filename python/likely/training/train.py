"""`train`: a model from labelled texts of any source, with options that suit them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Unpack, cast

from likely.errors import LengthError, OptionError, SourceError
from likely.evaluation.trials import AUTO
from likely.model.learning import Lesson
from likely.model.naive_bayes import NaiveBayes
from likely.options.presets import with_preset
from likely.options.table import check_options
from likely.reading import Reading, corpus_of
from likely.reading.sampling import Sample, Sampler, in_memory
from likely.reading.sources import read_once
from likely.scoring.calibration_record import calibrated_on
from likely.scoring.decisions import are_given
from likely.scoring.leave_one_out import check_exact
from likely.scoring.threshold_record import DECIDED_ON, has_rare_class, to_decide
from likely.training.wish import Wish
from likely.tuning import FEWEST, Goal, Material, choose, gather
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.options.typed import ModelOptions, TrainingOptions, TuningOptions
    from likely.reading import Corpus
    from likely.reading.labelled import Batches
    from likely.types import Labels, Source, Texts


def train(
    source: Source | Texts | None = None, labels: Labels | None = None, **settings: Unpack[TrainingOptions]
) -> NaiveBayes:
    r"""A model trained on labelled texts from any source, with options that suit them.

    Without options, `train` tries dozens of settings and chooses the best. It judges each setting by its
    predictions for documents that the model has not seen, without held-out data (`NaiveBayes.leave_one_out`);
    `tuning_` lists the results. If you give an option of the model, nothing is chosen, unless you also give
    ``tune_for``, ``budget`` or ``strongest``: then all other options are chosen. In both cases the probabilities are
    calibrated, if that is possible, and a class that would hardly ever be predicted gets a threshold of its own, if
    that costs little accuracy (`NaiveBayes.fit_thresholds`).

    Parameters
    ----------
    source
        A file (CSV, TSV, JSON Lines, Parquet, Arrow, Excel, fastText lines, each plain, compressed or in a zip),
        several files, a glob, a folder with one sub-folder per class, one mailbox per class, or a frame (pandas,
        polars, Arrow, DuckDB) or a list of dicts; or the texts, if ``labels`` are given; or nothing, if ``sql``
        names the files.
    labels : iterable of str, int or bool, optional
        One label per text.
    **settings
        How options are chosen: ``plain=True`` trains the textbook classifier (multinomial, alpha 1, single words);
        ``strongest=True`` also tries ``variant='nbsvm'``, which takes longer to train, and then the model can neither
        learn nor forget; ``tune_for`` is the measure to choose by: 'auto' (the best log-loss among the settings whose
        accuracy is not significantly below the best one), 'log-loss', 'accuracy', 'macro-f1' or 'f1:CLASS';
        ``budget`` is about how long choosing may take, such as '30s'.

        How the source is read: ``text`` and ``label`` are the names of the columns (guessed by default);
        ``labels_file`` is a file with one label per line, in the order of the texts; ``sql`` is a query, and the
        source, if there is one, is a database file; ``format`` is the format of the files;
        ``header=False`` is for CSV files and workbooks without a header; ``sheet`` is the sheet of a workbook (by
        default the first one that has rows); ``strict=True`` makes a row that cannot be read an error;
        ``insist=True`` learns what is left if too many rows cannot be read, or leave one class, or lose one;
        ``encoding`` is the encoding of text files (by default it is recognised, and reported). The guess of the
        columns is in `columns_`, and is logged.

        What is done with doubtful labels, each of which is otherwise a `LabelDoubtWarning`: ``strip_labels=True``
        removes white space around labels; ``fold_labels=True`` ignores their case; ``missing_labels='skip'`` leaves
        out rows with labels such as 'NA' and 'null'; ``label_separator=';'`` reads only the first label of 'a;b';
        ``repeated_headers='keep'`` reads rows that repeat the names of the columns, which are left out by default.

        All other settings are options of the model, as for `NaiveBayes`.

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
    wish = Wish(**cast("TuningOptions", {name: value for name, value in settings.items() if name in wishes}))
    wish.check(options)
    if labels is None:
        reading = {name: value for name, value in settings.items() if name in reads}
        corpus = corpus_of(cast("Source", source), reading)
        with corpus.told():
            return train_corpus(corpus, options, wish)
    batch = in_memory(cast("Texts", source), labels)
    return _train(_Documents([batch], lambda: [batch]), options, wish)


def train_corpus(corpus: Corpus, options: Mapping[str, object], wish: Wish | None = None) -> NaiveBayes:
    """The model of a corpus that the caller has opened. It remembers the columns."""

    def batches() -> Batches:
        return corpus.lessons(afresh=True)

    again = batches if corpus.is_rereadable() else None
    model = _train(_Documents(batches(), again), options, wish or Wish())
    return model.remember_columns(corpus.columns)


@dataclass(frozen=True)
class _Documents:
    """Labelled texts in batches, and a function that reads them again, if that is possible."""

    batches: Batches
    again: Callable[[], Batches] | None


def _model(options: Mapping[str, object]) -> NaiveBayes:
    return NaiveBayes(**cast("ModelOptions", options))


def _train(documents: _Documents, options: Mapping[str, object], wish: Wish) -> NaiveBayes:
    wish.check(options)
    options = with_preset(options)
    if wish.tunes(options):
        material = gather(documents.batches, documents.again, _fixed(options), wish.time)
        return _decided(_tuned(material, options, wish), material.sample, wish)
    model = _model(options)
    sampler = Sampler(DECIDED_ON)
    twice = model.reads_twice
    if twice is None:
        model.learn_lesson(model.count_batches(lambda: sampler.watch(documents.batches)))
    elif documents.again is None:
        raise read_once(twice)
    else:
        first = [sampler.watch(documents.batches)]
        again = documents.again
        model.learn_lesson(model.count_batches(lambda: first.pop() if first else again()))
    sample = sampler.sample()
    return _decided(_calibrated(model, sample, options), sample, wish)


def _fixed(options: Mapping[str, object]) -> dict[str, object]:
    """The options that stay fixed while the others are chosen."""
    return {name: value for name, value in options.items() if name not in ("calibrate", "thresholds", "abstain")}


def _tuned(material: Material, options: Mapping[str, object], wish: Wish) -> NaiveBayes:
    """The model with the best options, besides those that were given."""
    sample, classes = material.sample, len(material.counts.live().labels)
    if sample.of < FEWEST or classes < 2:
        return _as_given(material, options)
    terms = material.counts.totals().presences.sum() / sample.of
    size = wish.time.documents(float(terms), classes)
    judged = replace(material, sample=sample.first(size))
    try:
        chosen = choose(judged, _fixed(options), Goal(wish.tune_for or AUTO), sample if wish.strongest else None)
    except LengthError:  # each document is the only one of its class
        return _as_given(material, options)
    model = _model({**options, **chosen.options})
    if chosen.counts is not None:
        model.learn_lesson(Lesson(chosen.counts))
    elif material.read is not None:
        model.learn_lesson(model.count_batches(material.read))
    enough = len(judged.sample) >= min(len(sample), calibrated_on(model.variant))
    if not (chosen.counts is None or enough):
        return _calibrated(model, sample, options).remember(chosen.tuning)
    return model.remember(chosen.tuning, chosen.calibration if options.get("calibrate", True) else None)


def _as_given(material: Material, options: Mapping[str, object]) -> NaiveBayes:
    """The model with the given options, for documents that are too few to choose others."""
    model = _model(options)
    if material.read is not None:
        model.learn_lesson(model.count_batches(material.read))
        return model
    twice = model.reads_twice
    if twice is not None:
        raise SourceError(
            f"{twice} reads the texts twice, which is not possible here: leave out tune_for, budget and strongest"
        )
    model.learn_lesson(Lesson(material.counts))
    return model


def _calibrated(model: NaiveBayes, sample: Sample, options: Mapping[str, object]) -> NaiveBayes:
    """The model with calibrated probabilities, if that is possible and ``calibrate=False`` was not given."""
    if sample.of < FEWEST or not options.get("calibrate", True):
        return model
    snapshot = model.snapshot()
    if not snapshot.rules.learned and not options.get("calibrate"):
        try:
            check_exact(snapshot.counts, snapshot.rules)
        except OptionError:  # calibrate was not given, so this is not an error
            return model
    few = sample.first(calibrated_on(model.variant))
    try:
        return model.fit_calibration(few.texts, few.labels)
    except LengthError:  # each document is the only one of its class
        if options.get("calibrate"):
            raise
        return model


def _decided(model: NaiveBayes, sample: Sample, wish: Wish) -> NaiveBayes:
    """The model with thresholds: those for the option, for the F1 that it was tuned for, or for rare classes."""
    if are_given(model.thresholds) or (wish.plain and model.thresholds is None):
        return model
    is_asked = model.thresholds is not None
    if wish.tune_for is not None and wish.tune_for.startswith("f1:") and not is_asked:
        model.set_params(thresholds=wish.tune_for)
    elif not is_asked and (
        model.calibration_ is None or model.variant == LEARNED or not has_rare_class(model.class_documents_)
    ):
        return model  # for nbsvm, all folds would have to be learned again
    few = to_decide(sample, len(model.classes_))
    try:
        return model.fit_thresholds(few.texts, few.labels)
    except (LengthError, OptionError):  # too few documents, or options for which documents cannot be left out
        if is_asked:
            raise
        return model.set_params(thresholds=None)
