"""Choosing options: what they score on documents that a model has not seen, without holding any back.

| module | from -> to |
| --- | --- |
| `tune.sample` | texts as they come -> a sample of them that does not depend on their order |
| `tune.judge` | counts, sample, options -> a trial |
| `tune.search` | which options are tried, in which order |
"""

from __future__ import annotations

from likely.tune.judge import Goal
from likely.tune.sample import Sample, Sampler
from likely.tune.search import Chosen, Material, choose

__all__ = ["Chosen", "Goal", "Material", "Sample", "Sampler", "choose"]
