"""`train`: labelled texts from anywhere to a model, in one call."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from likely.corpus import Reading
from likely.model import NaiveBayes
from likely.options import check_options
from likely.presets import with_preset

if TYPE_CHECKING:
    from likely.corpus import Corpus


def train(source: Any, labels: Any = None, **settings: Any) -> NaiveBayes:
    r"""Learn from labelled texts, wherever they are.

    Parameters
    ----------
    source
        A file (CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines, each plain or compressed), several files, a
        glob, a folder with a sub-folder for each class, a mailbox for each class, a frame (pandas, polars, Arrow,
        DuckDB); or the texts, if ``labels`` are given.
    labels : iterable of str, int or bool, optional
        One for each text.
    **settings
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
    >>> train(["good", "bad"], [1, 0]).classes_
    array([0, 1])
    """
    reads = {each.name for each in fields(Reading)} if labels is None else set()
    options = {name: value for name, value in settings.items() if name not in reads}
    reading = {name: value for name, value in settings.items() if name in reads}
    check_options(options, others=sorted(reads))
    model = NaiveBayes(**with_preset(options))
    return model.fit(source, labels) if labels is not None else model.learn(source, **reading)


def train_corpus(corpus: Corpus, options: dict[str, Any]) -> NaiveBayes:
    """The model of a corpus; whoever opened it tells what was read."""
    model = NaiveBayes(**with_preset(options))
    model.learn_counts(model.count_corpus(corpus))
    return model
