"""Selecting texts that resemble a target, by importance resampling.

The method is that of Xie et al. 2023, *Data Selection for Language Models via Importance Resampling* (DSIR): each raw
document has a log importance weight, which is the log ratio of two naive Bayes models over hashed n-grams, and the
documents are sampled by these weights without replacement.

| module | contents |
| --- | --- |
| `selecting.select` | `select`, which does it all |
| `selecting.settings` | how documents are weighed and chosen |
| `selecting.targets` | what the documents should resemble, and in which shares |
| `selecting.parts` | the files of raw documents, which are read several times |
| `selecting.importance` | counts of buckets to log importance weights |
| `selecting.weighing` | the two passes over the raw documents: counting, and weighing |
| `selecting.lanes` | several files at a time |
| `selecting.meter` | how much of all files has been read |
| `selecting.best` | the best rows so far, in bounded memory |
| `selecting.choosing` | which rows are chosen, if several targets want the same ones |
| `selecting.selection` | `Selection`, the result |
| `selecting.writing` | the pass that writes the chosen rows |
| `selecting.parquet_rows` | some rows of a Parquet file |
| `selecting.weights_file` | the file with the weight of every document |
"""

from likely.selecting.select import select
from likely.selecting.selection import Selection

__all__ = ["Selection", "select"]
