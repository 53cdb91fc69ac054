"""`train`: a model from labelled texts of any source, with options that suit them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from likely.core.tuning_record import AUTO, UNRELATED_TO_LEARNING
from likely.errors import OptionError
from likely.model.naive_bayes import NaiveBayes
from likely.options.model import check_options
from likely.options.reading import READING, TUNING
from likely.reading.corpus import Corpus, corpus_of
from likely.training.fit import Documents, TrainingSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.rows import Batches
    from likely.types import Labels, Source, Texts


_ASKING = ("tune", "budget", "prefer")
"""The options with which the caller asks for a choice."""


def training_options(options: Mapping[str, object], *, plain: bool = False) -> dict[str, Any]:
    """The options of the model to train: with ``tune='auto'`` if options are to be chosen.

    That is so if no option is given that changes what is learned, or if the caller asked for it by ``budget``
    or ``prefer``. ``OptionError`` if an option contradicts ``plain``.

    Examples
    --------
    >>> training_options({}), training_options({"alpha": 0.5}), training_options({"alpha": 0.5, "budget": "5s"})
    ({'tune': 'auto'}, {'alpha': 0.5}, {'tune': 'auto', 'alpha': 0.5, 'budget': '5s'})
    """
    TUNING["plain"].check(plain)
    others = [name for name in options if name not in UNRELATED_TO_LEARNING]
    if plain and (others or _is_asked(options)):
        what = others[0] if others else "choosing options"
        raise OptionError(f"plain is the textbook's classifier and takes no other options ({what}): leave plain out")
    if plain or "tune" in options or (others and not _is_asked(options)):
        return dict(options)
    return {"tune": AUTO, **options}


def _is_asked(options: Mapping[str, object]) -> bool:
    return any(options.get(name) not in (None, False) for name in _ASKING)


def train(source: Source | Texts | None = None, labels: Labels | None = None, **settings: object) -> NaiveBayes:
    r"""Train a model on labelled texts from any source, with options that suit them.

    Without options, `train` tries dozens of settings and chooses the best. It judges each setting by its
    predictions for documents that the model has not seen, without held-out data (`NaiveBayes.leave_one_out`);
    `NaiveBayes.tuning_` lists the results. If you give an option of the model, nothing is chosen, unless you also
    give ``tune``, ``budget`` or ``prefer``: then all other options are chosen.

    In both cases the probabilities are calibrated, if possible, and a class that would hardly ever be predicted gets
    a decision threshold, if that costs little accuracy (`NaiveBayes.fit_thresholds`). ``plain=True`` does neither.

    The model is ``NaiveBayes(tune="auto")``, fitted to the texts of the source; if nothing is chosen, it is a model
    with your options and ``calibrate=True``. So a clone of it, as scikit-learn makes for cross-validation, chooses
    and calibrates too.

    Parameters
    ----------
    source
        A file (CSV, TSV, JSON Lines, Parquet, Arrow, Excel, fastText lines, each plain, compressed or in a zip),
        several files, a glob, a folder with one sub-folder per class, one mailbox per class, a DataFrame (pandas,
        polars, Arrow, DuckDB) or a list of dicts; or the texts, if ``labels`` are given; or nothing, if ``sql``
        names the files.
    labels : iterable of str, int or bool, optional
        One label per text.
    **settings
        Options of the model, as for `NaiveBayes`, and these:

        - ``plain=True``: train the textbook classifier (multinomial, alpha 1, single words, not calibrated).
        - ``text``, ``label``: the names of the columns, guessed by default; the guess is logged, and is
          `NaiveBayes.columns_`.
        - ``weight``: a column with the weight of each row; ``group``: one with its group, such as its author.
        - ``as_label``: give every text this label (for `NaiveBayes.learn`).
        - ``sql``: a query for the rows; the source, if there is one, is a database file.
        - ``format``: the format of the files; ``encoding``: their encoding (detected and logged by default).
        - ``header=False``: CSV files and workbooks have no header; ``sheet``: the sheet of a workbook (by default
          the first one that has rows).
        - ``strict=True``: stop at the first unreadable row; ``allow_partial=True``: train even if over 5% of the rows
          are unreadable, or if skipping them removes a class.
        - ``strip_labels=True``: remove white space around labels; ``fold_labels=True``: ignore their case;
          ``missing_labels="skip"``: leave out rows with labels such as NA and null; ``label_separator=";"``: read
          only the first label of "a;b". Without these, doubtful labels are a `DataWarning`.

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
    likely train DATA -o MODEL --variant binary --alpha 0.03 --stem english --min-documents 3 --document-weight equal
    """
    reading, options, plain = divided(settings, reads=labels is None)
    if labels is None:
        corpus = corpus_of(cast("Source", source), reading)
        with corpus.reporting():
            return train_corpus(corpus, options, plain=plain)
    return train_documents(Documents.held(cast("Texts", source), labels), options, plain=plain)


def divided(
    settings: Mapping[str, object], *, reads: bool = True
) -> tuple[dict[str, object], dict[str, object], bool]:
    """The settings of `train`, checked: how the source is read, if one is; options of the model; and ``plain``.

    Examples
    --------
    >>> divided({"text": "body", "alpha": 0.5, "plain": False})
    ({'text': 'body'}, {'alpha': 0.5}, False)
    """
    of_reading = set(READING) if reads else set()
    options = {name: value for name, value in settings.items() if name not in of_reading and name != "plain"}
    check_options(options, others=sorted({*of_reading, "plain"}))
    plain = cast("bool", settings.get("plain", False))
    training_options(options, plain=plain)
    return {name: value for name, value in settings.items() if name in of_reading}, options, plain


def train_corpus(corpus: Corpus, options: Mapping[str, object], *, plain: bool = False) -> NaiveBayes:
    """The model of a corpus that the caller has opened. It remembers the columns."""
    return train_documents(documents_of(corpus), options, plain=plain)._remember(corpus)


def documents_of(corpus: Corpus) -> Documents:
    """The documents of a corpus, which can be read again if its source can."""

    def batches() -> Batches:
        return corpus.training_batches(afresh=True)

    return Documents(batches(), batches if corpus.is_rereadable() else None)


def train_documents(source: TrainingSource, options: Mapping[str, object], *, plain: bool = False) -> NaiveBayes:
    """The model of some documents."""
    model = NaiveBayes(**training_options(options, plain=plain))
    model._fit_documents(source, calibrates=bool(model.calibrate) if plain else model.calibrate, decides=not plain)
    if model.tune is None and model.calibration_ is not None:
        model.calibrate = True  # so that a clone is calibrated too
    return model
