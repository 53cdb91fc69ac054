"""The weights of all kept terms as tables for JSON, exact to the last bit: every distinct number is written once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.weighing.weights import term_deltas

if TYPE_CHECKING:
    from likely.types import Array, Ids, Starts
    from likely.weighing.classes import Classes


def weight_tables(classes: Classes) -> dict[str, object]:
    """The numbers of the linear form (see ``weights.js``), one row per kept term, sorted by term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> found = weight_tables(NaiveBayes().fit(["a a b", "b"], [1, 0]).snapshot().moment.classes)
    >>> found["terms"].split(), found["lengths"], found["classes"]
    (['a', 'b'], [1, 2], [1, 0, 1])
    >>> found["deltas"]["places"], [round(float(np.exp(value))) for value in found["deltas"]["values"]]
    ([1, 0, 0], [2, 3])
    """
    terms = classes.terms
    ids = terms.sorted_ids()
    scales = terms.scales_of(ids)
    starts, of_class, deltas, rests = _cells(classes, ids, scales)
    is_learned = classes.learned is not None
    zeros = np.zeros(len(classes.labels))
    return {
        "value": terms.value,
        "unit_length": terms.normalized,
        "absent": None if classes.variant.absent == -np.inf and not is_learned else 0,
        "bias": numbers(
            classes.finite_log_prior + classes.lacking if classes.learned is None else classes.learned.bias
        ),
        "base": numbers(zeros if is_learned else classes.base),
        "factor": numbers(zeros + 1 if is_learned else classes.factor),
        "terms": "\n".join(terms.native.spell(ids)),
        "scales": None if scales is None or bool((scales == 1).all()) else table(scales),
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


def table(values: Array) -> dict[str, object]:
    """Numbers as a list of the distinct ones, the most frequent first, and the place of each in the list.

    Numbers that fit 32 bits are written with the fewest digits that tell them apart in 32 bits.

    Examples
    --------
    >>> table(np.array([0.1, 0.5, 0.1, -np.inf]))
    {'values': [0.1, None, 0.5], 'places': [0, 2, 0, 1], 'single': False}
    >>> table(np.array([0.1, 2.5], np.float32).astype(np.float64))
    {'values': [0.1, 2.5], 'places': [0, 1], 'single': True}
    """
    distinct, places, frequencies = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(-frequencies, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    with np.errstate(over="ignore"):
        short = distinct.astype(np.float32)
    single = bool(len(distinct)) and bool((short == distinct).all())
    written = [float(str(value)) for value in short[order]] if single else distinct[order].tolist()
    return {"values": numbers(written), "places": rank[places].tolist(), "single": single}


def numbers(values: Array | list[float]) -> list[float | None]:
    """Numbers for JSON, which has no infinite ones: minus infinity is None.

    Examples
    --------
    >>> numbers(np.array([1.5, -np.inf]))
    [1.5, None]
    """
    return [None if value == -np.inf else value for value in np.asarray(values).tolist()]
