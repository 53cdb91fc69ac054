"""Choosing options: what they score on documents that a model has not seen, without holding any back.

| module | from -> to |
| --- | --- |
| `tune.material` | texts as they come -> their counts, a sample, and how to count them anew |
| `tune.judge` | counts, sample, options -> a trial |
| `tune.search` | which options are tried, in which order |
"""

from __future__ import annotations

from likely.tune.judge import Goal
from likely.tune.material import FEWEST, Budget, Material, gather
from likely.tune.search import Chosen, choose

__all__ = [
    "FEWEST",
    "Budget",
    "Chosen",
    "Goal",
    "Material",
    "choose",
    "gather",
]
