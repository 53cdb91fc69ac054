"""Counts and options to one file and back: the verb is store.

| module | what it knows |
| --- | --- |
| `storage.model_file` | a model as the bytes of a Parquet file, written and read |
| `storage.manifest` | the JSON document in it, and the digest over all of it |
| `storage.parquet_pages`, `storage.thrift` | what a Parquet file claims, checked before it is unpacked |
| `storage.atomic` | files that are there whole or not at all |
"""

from __future__ import annotations

from likely.storage.model_file import Saved, keep, load, restore, save, to_bytes, write

__all__ = ["Saved", "keep", "load", "restore", "save", "to_bytes", "write"]
