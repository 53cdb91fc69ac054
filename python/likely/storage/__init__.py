"""Snapshots to one file and back.

| module | what it does |
| --- | --- |
| `storage.snapshot` | `Snapshot`: all that a model file holds |
| `storage.model_file` | a snapshot as the bytes of a Parquet file, written and read |
| `storage.manifest` | the JSON document in it, and the digest over all of it |
| `storage.learned_weights` | learned weights as a column of the table |
| `storage.prune` | a smaller snapshot: rare terms dropped, or as many terms as fit a size |
| `storage.parquet_pages`, `storage.thrift` | what a Parquet file claims, checked before it is unpacked |
| `storage.atomic` | files that are written whole or not at all |
"""
