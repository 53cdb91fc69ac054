"""Labelled texts from files, frames, databases and mailboxes, in batches: the verb is read.

| module | contents |
| --- | --- |
| `reading.corpus` | `Corpus`: labelled texts from any source, in batches |
| `reading.options` | `Reading`: how a source is read |
| `reading.batch` | `Batch`: some rows; `Reader`: what every format offers |
| `reading.labelled` | `Labelled`: documents to learn, with weights and groups if they have some |
| `reading.skipped` | `Skipped`: the rows that could not be read |
| `reading.completeness` | whether what was read is enough to learn from |
| `reading.sources` | the files and folders that a path, a glob or a list stands for |
| `reading.folders` | what a folder is, and its parts to train on and to test on |
| `reading.opening` | which reader reads a file or folder |
| `reading.columns` | which column contains the texts and which the labels |
| `reading.beside` | the columns with the weights and the groups of rows |
| `reading.remembered` | the columns that a model remembers |
| `reading.files` | files as bytes: their format, compression and encoding |
| `reading.records` | files of rows that the kernel parses: CSV, JSON, lines, workbooks |
| `reading.tables` | tables that come in batches: Parquet, Arrow, frames, SQL |
| `reading.documents` | folders with one file per document, and mailboxes |
| `reading.mail` | the text of e-mail messages |
| `reading.labels` | what is done to labels, and what is doubtful about them |
| `reading.holdout` | `Plan`: which rows are held out |
| `reading.folds` | `Rounds`: which rows are learned and which are judged, in folds or held out |
| `reading.whole` | `Whole`: all rows of a source in memory |
| `reading.stratified` | a share of the rows of every class, in whole groups |
| `reading.kept_rows` | the rows that a sampler keeps, as columns |
| `reading.sampling` | samples and folds that depend on the texts alone |
| `reading.spread` | a sample that is spread evenly over a stream |
| `reading.prediction_file` | the predictions in a file that `likely predict` wrote |
| `reading.repeats` | copies among documents |
| `reading.prefetch` | reading the next batch while the current one is in use |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from likely.reading.batch import Batch
    from likely.reading.corpus import Corpus, corpus_of
    from likely.reading.holdout import Split
    from likely.reading.options import Reading, reading_of
    from likely.reading.skipped import Skipped

__all__ = ["Batch", "Corpus", "Reading", "Skipped", "Split", "corpus_of", "reading_of"]

_HOMES = {
    "Batch": "batch",
    "Corpus": "corpus",
    "Reading": "options",
    "Skipped": "skipped",
    "Split": "holdout",
    "corpus_of": "corpus",
    "reading_of": "options",
}
"""Where each name is defined. It is loaded on first use, so that a model is loaded without all readers."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES)
