"""Predictions written as rows: CSV, JSON Lines or Parquet, next to the columns of the input.

| module | contents |
| --- | --- |
| `rows.predictions` | `Predictions`: the new columns of each row |
| `rows.writer` | `Writer`: what the writers of all formats have in common |
| `rows.csv`, `rows.jsonl`, `rows.parquet` | one writer per format |
| `rows.unchanged` | the writers of rows without new columns |
| `rows.formats` | the formats, and which one the name of a file stands for |
| `rows.values` | single values as text or JSON |
| `rows.output` | standard output, or a file that appears when it is complete |
"""
