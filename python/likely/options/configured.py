"""The options as arguments: what they are given as, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping  # noqa: TC003 - who asks for the hints wants them
from typing import Any, Literal

from likely.options.conflicts import check_together
from likely.options.estimator import Estimator
from likely.options.presets import expanded
from likely.options.table import check_options


class Settings(Estimator):
    """What has all options of the table as attributes."""

    def __init__(  # noqa: PLR0913
        self,
        *,
        task: Literal["sentiment", "spam", "topics", "language", "authorship"] | None = None,
        variant: Literal[
            "multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm"
        ] = "multinomial",
        alpha: float = 1.0,
        prior: Literal["fitted", "uniform"] | Mapping[Any, float] = "fitted",
        analyzer: Literal["word", "char", "char_wb", "both"] = "word",
        ngrams: tuple[int, int] = (1, 1),
        char_ngrams: tuple[int, int] = (2, 4),
        lowercase: bool = True,
        accents: Literal["keep", "strip"] = "keep",
        normalize: Literal["none", "nfc", "nfkc"] = "none",
        punctuation: Literal["drop", "keep"] = "drop",
        numbers: Literal["keep", "mask"] = "keep",
        urls: Literal["split", "keep", "mask"] = "split",
        emails: Literal["split", "keep", "mask"] = "split",
        mentions: Literal["split", "keep", "mask"] = "split",
        hashtags: Literal["split", "keep", "mask"] = "split",
        stop_words: str | Collection[str] | None = None,
        stem: str = "none",
        negation: str | Collection[str] = "off",
        spelling: Literal["off", "on"] = "off",
        min_documents: float = 1,
        max_documents: float = 1.0,
        max_terms: int | None = None,
        hash_bits: int = 0,
        tokenizer: Callable[[str], Iterable[str]] | None = None,
        weighting: Literal["counts", "tfidf"] = "counts",
        tf: Literal["sublinear", "raw"] = "sublinear",
        idf: Literal["plain", "smooth"] = "plain",
        norm: Literal["none", "l2"] = "none",
        loss: Literal["hinge", "logistic"] = "hinge",
        cost: float = 1.0,
        interpolation: float = 1.0,
        document_weight: Literal["length", "equal"] = "length",
        calibrate: bool = False,
        abstain: float | Mapping[str, float] | None = None,
        threads: int | None = None,
        **unknown: Any,
    ) -> None:
        check_options(unknown)
        self.task = task
        self.variant = variant
        self.alpha = alpha
        self.prior = prior
        self.analyzer = analyzer
        self.ngrams = ngrams
        self.char_ngrams = char_ngrams
        self.lowercase = lowercase
        self.accents = accents
        self.normalize = normalize
        self.punctuation = punctuation
        self.numbers = numbers
        self.urls = urls
        self.emails = emails
        self.mentions = mentions
        self.hashtags = hashtags
        self.stop_words = stop_words
        self.stem = stem
        self.negation = negation
        self.spelling = spelling
        self.min_documents = min_documents
        self.max_documents = max_documents
        self.max_terms = max_terms
        self.hash_bits = hash_bits
        self.tokenizer = tokenizer
        self.weighting = weighting
        self.tf = tf
        self.idf = idf
        self.norm = norm
        self.loss = loss
        self.cost = cost
        self.interpolation = interpolation
        self.document_weight = document_weight
        self.calibrate = calibrate
        self.abstain = abstain
        self.threads = threads
        self._begin()

    def _begin(self) -> None:
        """Whatever else there is to do."""

    def options(self) -> dict[str, Any]:
        """All options as they work: what a task stands for in place of what was left at its default."""
        values = expanded(self.get_params())
        check_together(values)
        return values
