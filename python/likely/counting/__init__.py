"""Counts of terms per class: all that naive Bayes learns from labelled texts.

| module | contents |
| --- | --- |
| `counting.counts` | `Counts`: made from texts, added, subtracted, selected |
| `counting.ragged` | `Ragged`: a table whose rows have different lengths |
| `counting.rows` | `Rows`: the terms of documents, by id, for learning and leave-one-out |
| `counting.sample_weight` | the weights of documents, checked |
| `counting.arrow` | counts as columns and as an Arrow table: one row per term and class |
"""
