"""The options as types, for signatures with ``**options: Unpack[...]``: one class per table.

A contract test compares the names, and the values of each ``Literal``, with the tables.
"""

from __future__ import annotations

import os  # noqa: TC003 - needed to resolve the annotations
from collections.abc import Collection  # noqa: TC003 - needed to resolve the annotations
from typing import Literal, TypedDict

from likely.types import (  # noqa: TC001 - needed to resolve the annotations
    Abstain,
    ClassWeight,
    Label,
    Prior,
    Thresholds,
    Tokenizer,
)


class AnalysisOptions(TypedDict, total=False):
    """The options that decide which terms a text has, as `NaiveBayes` takes them."""

    analyzer: Literal["word", "char", "char_wb", "both"]
    ngrams: tuple[int, int]
    char_ngrams: tuple[int, int]
    lowercase: bool
    accents: Literal["keep", "strip"]
    normalize: Literal["none", "nfc", "nfkc"]
    punctuation: Literal["drop", "keep"]
    numbers: Literal["keep", "mask"]
    urls: Literal["split", "keep", "mask"]
    emails: Literal["split", "keep", "mask"]
    mentions: Literal["split", "keep", "mask"]
    hashtags: Literal["split", "keep", "mask"]
    stop_words: str | Collection[str] | None
    stem: str
    negation: str | Collection[str]
    hash_bits: int
    tokenizer: Tokenizer | None


class VectorizeOptions(AnalysisOptions, total=False):
    """The options of `likely.vectorize.vectorize`."""

    threads: int | None


class ModelOptions(AnalysisOptions, total=False):
    """The options of a model (`likely.options.table.MODEL`)."""

    task: Literal["sentiment", "spam", "topics", "language", "authorship"] | None
    variant: Literal[
        "multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm"
    ]
    alpha: float
    prior: Prior
    class_weight: ClassWeight
    spelling: Literal["off", "on"]
    min_documents: float
    max_documents: float
    max_terms: int | None
    weighting: Literal["counts", "tfidf"]
    tf: Literal["sublinear", "raw"]
    idf: Literal["plain", "smooth"]
    norm: Literal["none", "l2"]
    loss: Literal["hinge", "logistic"]
    cost: float
    interpolation: float
    document_weight: Literal["length", "equal"]
    tune: str | None
    budget: str | float | None
    prefer: Literal["balanced", "small", "accurate"]
    strongest: bool
    calibrate: bool | None
    thresholds: Thresholds | None
    abstain: Abstain | None
    reject_label: Label | None
    threads: int | None


class ReadingOptions(TypedDict, total=False):
    """The options of reading (`likely.options.table.READING`)."""

    text: str | None
    label: str | None
    weight: str | None
    group: str | None
    labels_file: str | os.PathLike[str] | None
    sql: str | None
    format: (
        Literal["csv", "tsv", "jsonl", "json", "parquet", "arrow", "excel", "fasttext", "lines", "mbox", "eml"] | None
    )
    header: bool | None
    sheet: str | None
    strict: bool
    allow_partial: bool
    encoding: str | None
    strip_labels: bool | None
    fold_labels: bool | None
    missing_labels: Literal["keep", "skip"] | None
    label_separator: str | None
    repeated_headers: Literal["keep", "skip"] | None


class TuningOptions(TypedDict, total=False):
    """The options of tuning (`likely.options.table.TUNING`)."""

    plain: bool


class SelectingOptions(TypedDict, total=False):
    """The options of selecting (`likely.options.table.SELECTING`)."""

    best: bool
    seed: int
    min_words: int
    buckets: int


class SelectOptions(SelectingOptions, AnalysisOptions, ReadingOptions, total=False):
    """All options of `likely.select`."""

    alpha: float
    threads: int | None


class TrainingOptions(ModelOptions, ReadingOptions, TuningOptions, total=False):
    """All options of `likely.train`."""
