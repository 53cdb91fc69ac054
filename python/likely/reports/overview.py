"""The document that `likely inspect` prints, as types."""

from __future__ import annotations

from typing import TypedDict

from likely.types import Label


class WordScore(TypedDict):
    """A word that speaks for a class, and its score."""

    term: str
    score: float


ClassOverview = TypedDict(
    "ClassOverview",
    {"class": Label, "documents": float, "tokens": float, "weight": float, "top_words": list[WordScore]},
)
"""One class: how many documents and tokens it has, its weight, and the words that speak most for it."""

TermRow = TypedDict("TermRow", {"class": Label, "count": float, "documents": float, "probability": float})
"""One term in one class."""


class Buckets(TypedDict):
    """The buckets of a model that hashes its terms."""

    number: int
    used: int
    collisions: float | None


ClassThreshold = TypedDict("ClassThreshold", {"class": Label, "threshold": float})
"""A class and the probability from which it is predicted."""


class Columns(TypedDict):
    """The columns that a model was trained on."""

    text: str
    label: str | None


class Overview(TypedDict):
    """One model."""

    options: dict[str, object]
    columns: Columns | None
    terms: int
    dropped_terms: int
    buckets: Buckets | None
    classes: list[ClassOverview]
    tuning: dict[str, object] | None
    calibration: dict[str, object] | None
    thresholds: list[ClassThreshold]
    path: str
    bytes: int
