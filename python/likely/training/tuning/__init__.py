"""Choosing options: what they score on documents that a model has not seen, without holding any back.

| module | from -> to |
| --- | --- |
| `tuning.material` | texts as they come -> their counts, a sample, and how to count them anew |
| `tuning.judge` | counts, sample, options -> a trial |
| `tuning.search` | which options are tried, in which order |
"""

from __future__ import annotations

from likely.training.tuning.judge import Goal
from likely.training.tuning.material import FEWEST, Budget, Material, gather
from likely.training.tuning.search import Chosen, choose

__all__ = [
    "FEWEST",
    "Budget",
    "Chosen",
    "Goal",
    "Material",
    "choose",
    "gather",
]
