"""The choice of options by leave-one-out or cross-validation, without held-out data.

| module | contents |
| --- | --- |
| `tuning.material` | `Material`: counts of all documents or of a subset, a sample, and how to count them again |
| `tuning.judge` | a trial: how good some options are |
| `tuning.search` | which options are tried, in which order |
| `tuning.alphas` | the values of alpha to try |
| `tuning.size` | fewer terms, if the model is about as good |
| `tuning.learned` | the settings of nbsvm that are tried, by cross-validation |
| `tuning.rare` | weights of classes, where a class is rare |
| `tuning.preparations` | options that change the terms of a text |
| `tuning.characters` | whether n-grams of characters suit some texts better than words |
| `tuning.recount` | the counts of texts with some options |
| `tuning.growth` | how many terms more documents would have |
"""

from __future__ import annotations

from likely.tuning.judge import Goal
from likely.tuning.material import FEWEST, Budget, Material, gather, gather_from, sampler_for
from likely.tuning.search import Chosen, choose

__all__ = [
    "FEWEST",
    "Budget",
    "Chosen",
    "Goal",
    "Material",
    "choose",
    "gather",
    "gather_from",
    "sampler_for",
]
