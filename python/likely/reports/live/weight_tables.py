"""The weights of all kept terms as tables for JSON, in which equal numbers are written once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely.core.weights import term_deltas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.core.weights import Classes
    from likely.types import Array, Ids, Starts

GRID = 2.0**-40
"""Weights are rounded to multiples of this number (1e-12), which takes fewer digits than all their bits, and makes
weights equal that differ by rounding only. A thousand such words change a probability by less than 3e-10."""


def weight_tables(classes: Classes) -> dict[str, object]:
    """The numbers of the linear form (see ``weights.js``), one row per kept term, sorted by term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> found = weight_tables(NaiveBayes().fit(["a a b", "b"], [1, 0])._snapshot().moment.classes)
    >>> found["terms"].split(), found["lengths"], found["classes"]
    (['a', 'b'], [1, 2], [1, 0, 1])
    >>> [round(float(np.exp(value * GRID))) for value in found["deltas"]["values"]], found["deltas"]["places"]
    ([3, 2, 2], None)
    """
    terms = classes.terms
    ids = terms.sorted_ids()
    scales = terms.scales_of(ids)
    starts, of_class, deltas, rests = _cells(classes, ids, scales)
    is_learned = classes.learned is not None
    zeros = np.zeros(len(classes.labels))
    bias = classes.finite_log_prior + classes.lacking if classes.learned is None else classes.learned.bias
    return {
        "value": terms.value,
        "unit_length": terms.normalized,
        "absent": None if classes.variant.absent == -np.inf and not is_learned else 0,
        "bias": numbers(bias.tolist()),
        "base": numbers((zeros if is_learned else classes.base).tolist()),
        "factor": numbers((zeros + 1 if is_learned else classes.factor).tolist()),
        "terms": "\n".join(terms.native.spell(ids)),
        "scales": None if scales is None else table(scales, on_grid=False),
        "rests": None if rests is None else table(rests),
        "lengths": np.diff(starts).tolist(),
        "classes": of_class.tolist(),
        "deltas": table(deltas),
        "times_scale": is_learned,
    }


def _cells(classes: Classes, ids: Ids, scales: Array | None) -> tuple[Starts, Ids, Array, Array | None]:
    """The starts of the rows, and of each cell its class (by place) and its delta; what is common to all classes."""
    terms, learned = classes.terms, classes.learned
    if learned is not None:
        learned = learned.of_terms(terms.are_kept(learned.ids))
        return learned.starts, learned.classes, learned.weights.astype(np.float64), None
    cells = terms.counts.cells(ids)
    deltas, rests = term_deltas(classes, ids, scales)
    places = classes.live.ranks[cells.classes]
    order = np.lexsort((places, cells.rows))  # whichever class was learned first, the bytes are the same
    return cells.starts, places[order], deltas[order], rests


def table(values: Array, *, on_grid: bool = True) -> dict[str, object]:
    """Numbers as a list of the distinct ones, the most frequent first, and the place of each in the list.

    If most are distinct, there are no places, and the numbers themselves are listed. Numbers that fit 32 bits are
    written with the fewest digits that tell them apart in 32 bits; others, on the grid, as whole multiples of `GRID`.

    Examples
    --------
    >>> table(np.array([0.25, 0.5, 0.5, 0.5, -np.inf, -np.inf]))
    {'values': [0.5, None, 0.25], 'places': [2, 0, 0, 0, 1, 1], 'kind': 'single'}
    >>> table(np.array([0.1]), on_grid=False), table(np.array([0.1]))
    ({'values': [0.1], 'places': None, 'kind': 'double'}, {'values': [109951162778], 'places': None, 'kind': 'grid'})
    """
    with np.errstate(over="ignore"):
        fit_32_bits = bool((values.astype(np.float32) == values).all())
    if fit_32_bits:
        return {**_listed(values, lambda value: float(str(np.float32(value)))), "kind": "single"}
    if not on_grid:
        return {**_listed(values, float), "kind": "double"}
    return {
        **_listed(np.rint(values / GRID), lambda value: int(value) if math.isfinite(value) else value),
        "kind": "grid",
    }


def _listed(values: Array, written: Callable[[float], float]) -> dict[str, object]:
    """The distinct values, most frequent first, and the place of each value; or all values, if most are distinct."""
    distinct, places, frequencies = np.unique(values, return_inverse=True, return_counts=True)
    if 2 * len(distinct) > len(values):
        return {"values": numbers(map(written, values.tolist())), "places": None}
    order = np.argsort(-frequencies, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return {"values": numbers(map(written, distinct[order].tolist())), "places": rank[places].tolist()}


def numbers(values: Iterable[float]) -> list[float | None]:
    """Numbers for JSON, which has no infinite ones: minus infinity is None.

    Examples
    --------
    >>> numbers([1.5, -np.inf])
    [1.5, None]
    """
    return [None if value == -np.inf else value for value in values]
