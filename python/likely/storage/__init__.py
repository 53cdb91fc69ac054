"""Model files: one Parquet table with one JSON document.

| module | contents |
| --- | --- |
| `storage.snapshot` | `Snapshot`: everything that a model file holds |
| `storage.model_file` | a snapshot as the bytes of a Parquet file, written and read by the kernel |
| `storage.loading` | a model file that is read while its caller does something else |
| `storage.manifest` | the JSON document of the file, with a digest of the whole file |
| `storage.parts` | which terms come first in the file, because texts are scored with them |
| `storage.stored_options` | options and analyzer as JSON values |
| `storage.prune` | smaller snapshots, without rare terms or within a given file size |
| `storage.atomic` | files that are written completely or not at all |
"""
