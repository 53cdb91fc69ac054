"""`Labelled`: texts with their labels, and with their weights and groups if they have some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from likely.types import Groups, Labels, SampleWeight, Texts  # noqa: TC001 - needed to resolve the annotations


class Labelled(NamedTuple):
    """Some documents to learn.

    Attributes
    ----------
    texts, labels
        One label per text.
    weights : optional
        The weight of each document; None if each weighs 1.
    groups : optional
        The group of each document: its author, thread or source; None if no groups were named.

    Examples
    --------
    >>> batch = Labelled(["good", "bad"], ["+", "-"])
    >>> batch.weights is None, batch.groups is None
    (True, True)
    """

    texts: Texts
    labels: Labels
    weights: SampleWeight | None = None
    groups: Groups | None = None


Batches: TypeAlias = Iterable[Labelled]
"""Labelled texts in batches."""
