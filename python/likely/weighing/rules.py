"""`Rules`: the options that turn counts into weights, which can change without counting again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likely.options.kinds import is_whole
from likely.weighing.variants import LEARNED, OF_DOCUMENTS, variant_of

if TYPE_CHECKING:
    from likely.types import Prior
    from likely.weighing.variants.form import Variant

_AS_THEY_ARE = ("variant", "weighting", "idf", "min_documents", "max_documents", "max_terms", "norm", "loss")
"""Options that are taken over unchanged."""


@dataclass(frozen=True)
class Rules:
    """How counts are weighed. The fields are the options of the same names."""

    variant: str
    alpha: float
    prior: Prior
    weighting: str = "counts"
    idf: str = "plain"
    min_documents: float = 1
    max_documents: float = 1.0
    max_terms: int | None = None
    auto_stop_words: bool = False
    spelling: bool = False
    norm: str = "none"
    loss: str = "hinge"
    cost: float = 1.0
    interpolation: float = 1.0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Rules:
        """The rules that all options make."""
        prior = dict(values["prior"]) if isinstance(values["prior"], Mapping) else values["prior"]
        return cls(
            alpha=float(values["alpha"]),
            prior=prior,
            auto_stop_words=isinstance(values["stop_words"], str) and values["stop_words"] == "auto",
            spelling=values["spelling"] == "on",
            cost=float(values["cost"]),
            interpolation=float(values["interpolation"]),
            **{name: values[name] for name in _AS_THEY_ARE},
        )

    @cached_property
    def form(self) -> Variant:
        """The formulas of the variant."""
        return variant_of(self.variant, self.alpha)

    @cached_property
    def presence(self) -> bool:
        """Whether a term counts once per document."""
        return self.variant in OF_DOCUMENTS or (self.learned and not self.tfidf)

    @property
    def learned(self) -> bool:
        """Whether weights are learned from all documents at once instead of following from the counts."""
        return self.variant == LEARNED

    @property
    def tfidf(self) -> bool:
        """Whether terms are weighted by tf-idf."""
        return self.weighting == "tfidf"

    @cached_property
    def count_every_term(self) -> bool:
        """Whether every term counts as it was counted, so that it can be weighed without looking at the others."""
        return self.keep_every_term and not (self.tfidf or self.spelling)

    @cached_property
    def keep_every_term(self) -> bool:
        """Whether no term is too rare or too frequent to be kept."""
        bounds = (self.min_documents, self.max_documents, self.max_terms, self.auto_stop_words)
        return bounds == (1, 1.0, None, False) and is_whole(self.min_documents) and not is_whole(self.max_documents)
