"""Labelled texts from wherever they are, in batches: the verb is read.

| module | what it knows |
| --- | --- |
| `reading.corpus` | `Corpus`: from a source to batches, the columns chosen, bad rows counted |
| `reading.sources` | what a path, a glob or a folder stands for |
| `reading.formats` | which format a file has, by its name or its first bytes |
| `reading.columns` | which column is the text and which the label |
| `reading.stream` | a file, compressed or not, as chunks of bytes |
| `reading.records`, `reading.csv`, `reading.jsonl`, `reading.lines` | files with a row a line or so |
| `reading.tables` | Parquet, Arrow, frames, SQL |
| `reading.documents` | folders with a file a document, and mailboxes |
| `reading.mail` | messages to text |
| `reading.holdout` | holding rows back |
| `reading.prefetch` | reading the next batch while the last is worked on |
| `reading.batch` | what they all give: `Batch`; and the rows they had to skip: `Skipped` |
"""

from __future__ import annotations

from likely.reading.batch import Batch, Skipped
from likely.reading.corpus import Corpus, Reading, corpus_of, reading_of
from likely.reading.holdout import Split

__all__ = ["Batch", "Corpus", "Reading", "Skipped", "Split", "corpus_of", "reading_of"]
