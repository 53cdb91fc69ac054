"""`Rules`: the options that turn counts into weights. They can change without reading the texts again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likely.core.variants import LEARNED, OF_DOCUMENTS, Variant, variant_of
from likely.options.compound import parts_of
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.types import ClassWeight, Prior


@dataclass(frozen=True)
class Rules:
    """How counts become weights. The fields have the names of the options."""

    variant: str
    alpha: float
    prior: Prior
    class_weight: ClassWeight = None
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
        """The rules that follow from the values of all options."""
        parts = parts_of(values)
        options = {each.name: parts[each.name] for each in fields(cls) if each.name in parts}
        options |= {name: float(parts[name]) for name in ("alpha", "cost", "interpolation")}
        options |= {name: dict(value) for name, value in options.items() if isinstance(value, Mapping)}
        stop_words, spelling = values["stop_words"], values["spelling"] == "on"
        is_auto = isinstance(stop_words, str) and stop_words == "auto"
        return cls(**{**options, "spelling": spelling}, auto_stop_words=is_auto)

    @cached_property
    def form(self) -> Variant:
        """The formulas of the variant."""
        return variant_of(self.variant, self.alpha)

    @cached_property
    def presence(self) -> bool:
        """Whether the value of a term in a document is 1, however often it occurs."""
        return self.variant in OF_DOCUMENTS or (self.learned and not self.tfidf)

    @property
    def learned(self) -> bool:
        """Whether weights are learned from all documents at once (nbsvm) instead of following from the counts."""
        return self.variant == LEARNED

    @property
    def tfidf(self) -> bool:
        """Whether terms are weighted by tf-idf."""
        return self.weighting == "tfidf"

    @cached_property
    def choice(self) -> tuple[object, ...]:
        """Everything that decides which terms are kept: rules with the same choice keep the same terms.

        Examples
        --------
        >>> rules = Rules("binary", 1.0, "fitted", min_documents=2)
        >>> rules.choice == Rules("multinomial", 0.5, "uniform", min_documents=2).choice
        True
        >>> rules.choice == Rules("binary", 1.0, "fitted", min_documents=3).choice
        False
        """
        # 1 document is not the share 1.0.
        bounds = ((bound, is_whole(bound)) for bound in (self.min_documents, self.max_documents))
        return (self.weighting, self.idf, *bounds, self.max_terms, self.auto_stop_words, self.spelling)

    @cached_property
    def count_every_term(self) -> bool:
        """Whether every term is kept with its counts unchanged, so that its weight does not depend on other terms."""
        return self.keep_every_term and not (self.tfidf or self.spelling)

    @cached_property
    def keep_by_frequency(self) -> bool:
        """Whether a term is kept or not by its own document frequency alone, whatever the other documents.

        Examples
        --------
        >>> Rules("binary", 1.0, "fitted", min_documents=2).keep_by_frequency
        True
        >>> Rules("binary", 1.0, "fitted", min_documents=0.1).keep_by_frequency
        False
        """
        by_share = not is_whole(self.min_documents) or (not is_whole(self.max_documents) and self.max_documents != 1)
        return not (by_share or self.max_terms or self.auto_stop_words or self.spelling)

    @cached_property
    def keep_every_term(self) -> bool:
        """Whether all terms are kept: none is too rare or too frequent."""
        bounds = (self.min_documents, self.max_documents, self.max_terms, self.auto_stop_words)
        return bounds == (1, 1.0, None, False) and is_whole(self.min_documents) and not is_whole(self.max_documents)
