"""Labelled texts from wherever they are, in batches: the verb is read.

| module | what it knows |
| --- | --- |
| `corpus.corpus` | `Corpus`: from a source to batches, the columns chosen, bad rows counted |
| `corpus.places` | what a path, a glob or a folder stands for |
| `corpus.formats` | which format a file has, by its name or its first bytes |
| `corpus.columns` | which column is the text and which the label |
| `corpus.stream` | a file, compressed or not, as chunks of bytes |
| `corpus.records`, `corpus.csv`, `corpus.jsonl`, `corpus.lines` | files with a row a line or so |
| `corpus.tables` | Parquet, Arrow, frames, SQL |
| `corpus.documents` | folders with a file a document, and mailboxes |
| `corpus.mail`, `corpus.markup`, `corpus.charsets` | messages to text |
| `corpus.split` | holding rows back |
| `corpus.ahead` | reading the next batch while the last is worked on |
| `corpus.batch` | what they all give: `Batch`; and the rows they had to skip: `Skipped` |
"""

from __future__ import annotations

from likely.corpus.batch import Batch, Skipped
from likely.corpus.corpus import Corpus, Reading, corpus_of, reading_of
from likely.corpus.split import Split

__all__ = ["Batch", "Corpus", "Reading", "Skipped", "Split", "corpus_of", "reading_of"]
