"""Filtering: files of texts go in, files with the rows that match an expression come out.

| module | contents |
| --- | --- |
| `filtering.where` | `Where`: an expression such as ``p(good) >= 0.8``; `Screen`: which texts match it |
| `filtering.expression` | the parts of an expression, evaluated on arrays |
| `filtering.certainty` | what is certain about an expression whose numbers lie between bounds |
| `filtering.tokens`, `filtering.parser` | text to tokens, and tokens to an expression |
| `filtering.files` | `filter_files`: the matching rows of many files |
| `filtering.pipeline` | reading, scoring and writing at the same time |
| `filtering.places` | which file becomes which file |
| `filtering.record` | what is done already, so that a job that was killed goes on where it was |
| `filtering.outputs` | files that are compressed as the input was, and appear when they are complete |
"""

from __future__ import annotations

from likely.filtering.files import Filtered, Wish, filter_files
from likely.filtering.where import Where

__all__ = ["Filtered", "Where", "Wish", "filter_files"]
