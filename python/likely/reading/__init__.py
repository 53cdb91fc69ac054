"""Labelled texts from files, frames, databases and mailboxes, in batches: the verb is read.

| module | contents |
| --- | --- |
| `reading.corpus` | `Corpus`: labelled texts from any source, in batches |
| `reading.options` | `Reading`: how a source is read |
| `reading.batch` | `Batch`: some rows; `Reader`: what every format offers |
| `reading.skipped` | `Skipped`: the rows that could not be read |
| `reading.sources` | the files and folders that a path, a glob or a list stands for |
| `reading.folders` | what a folder is, and its parts to train on and to test on |
| `reading.archive` | the files in a zip archive, as paths |
| `reading.names` | the names of files as text |
| `reading.opening` | which reader reads a file or folder |
| `reading.formats` | the format of a file, by its name or its first bytes |
| `reading.delimiters` | which character separates the fields of a file |
| `reading.columns` | which column contains the texts and which the labels |
| `reading.remembered` | the columns that a model remembers |
| `reading.label_rules` | what is done to labels as they are read |
| `reading.label_check` | `LabelCheck`: the labels of a source, counted and settled |
| `reading.completeness` | whether what was read is enough to learn from |
| `reading.doubts` | what may be wrong with labels, and which option settles it |
| `reading.stream` | the bytes of a file, decompressed and decoded |
| `reading.compression`, `reading.decoding` | how files are decompressed, and in which encoding they are |
| `reading.records`, `reading.csv`, `reading.jsonl`, `reading.lines` | files of rows that the kernel parses |
| `reading.json_array` | the elements of a JSON array as JSON Lines |
| `reading.excel`, `reading.excel_limits` | Excel workbooks |
| `reading.labels_file` | a separate file of labels |
| `reading.tables` | `TableReader`: tables that come in batches; Parquet files and Arrow files |
| `reading.table_batches` | batches of tables, bounded by rows and by bytes |
| `reading.table_columns` | columns of tables: whether they are sound, and which values can be read |
| `reading.frames` | frames of pandas, polars, Arrow or DuckDB, and lists of dicts |
| `reading.text_column` | the column with the texts of a frame, for the methods that take texts |
| `reading.rows` | rows of Python values as batches of a table |
| `reading.spool` | compressed tables, unpacked to a temporary file |
| `reading.sql` | the rows that a query returns |
| `reading.documents` | folders with one file per document, and mailboxes |
| `reading.mail` | the text of e-mail messages |
| `reading.holdout` | held-out rows |
| `reading.sampling` | samples and folds that depend on the texts alone |
| `reading.prefetch` | reading the next batch while the current one is in use |
"""

from __future__ import annotations

from likely.reading.batch import Batch
from likely.reading.corpus import Corpus, corpus_of
from likely.reading.holdout import Split
from likely.reading.options import Reading, reading_of
from likely.reading.skipped import Skipped

__all__ = ["Batch", "Corpus", "Reading", "Skipped", "Split", "corpus_of", "reading_of"]
