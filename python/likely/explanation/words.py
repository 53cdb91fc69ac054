"""What a model knows of its words: counts, ratios, and the words that make each class."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.counting.arrow import whole_if_exact
from likely.counting.counts import UNKNOWN, Counts
from likely.errors import OptionError, TextError, UnknownClassError
from likely.formulas import finite_or_none, likelihood_ratio, shrunk_log_ratio
from likely.labels import python_label
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.types import Array, Ids, Label
    from likely.weighing.terms import Rules
    from likely.weighing.weights import Classes

SHRINKAGE = 10.0
"""How many occurrences `top_words` gives to every term before it compares: the guard against rare words."""


@dataclass(frozen=True)
class TermCounts:
    """How often a term occurs in a class, and in how many documents of it."""

    count: float
    documents: float


@dataclass(frozen=True)
class Ratio:
    """One row of the frequency table of two classes.

    Attributes
    ----------
    count_a, count_b : float
        How often the term occurs in either class.
    p_a, p_b : float
        P(term given class).
    ratio, log_ratio : float or None
        p_a / p_b and its logarithm; None where both are 0.
    """

    term: str
    a: Label
    b: Label
    count_a: float
    count_b: float
    p_a: float
    p_b: float
    ratio: float | None
    log_ratio: float | None

    def to_dict(self) -> dict[str, Any]:
        """The fields by name; None for what is infinite, which JSON does not know."""
        return {name: finite_or_none(value) for name, value in asdict(self).items()}


def whole(number: float) -> float:
    """A count as an int where it is one.

    Examples
    --------
    >>> whole(2.0), whole(2.5)
    (2, 2.5)
    """
    return int(number) if float(number).is_integer() else float(number)


def term_counts(counts: Counts, classes: Classes, rules: Rules, term: str) -> dict[Label, TermCounts]:
    """A term's row of the table of counts, over all classes; the same whatever the rules."""
    del rules
    ids = _learned(counts, term)
    figures = (counts.rows(ids, classes.columns, documents=of).sum(axis=0) for of in (False, True))
    return {
        label: TermCounts(whole(count), whole(documents))
        for label, count, documents in zip(classes.labels, *figures, strict=True)
    }


def term_row(counts: Counts, classes: Classes, rules: Rules, term: str) -> list[dict[str, Any]]:
    """A term's counts and its probability in each class."""
    known = term_counts(counts, classes, rules, term)
    counted = classes.terms.rows(_find(counts, classes, term), classes.columns).sum(axis=0)
    above, below = classes.variant.probability(counted, classes.totals)
    probabilities = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return [
        {"class": label, "count": each.count, "documents": each.documents, "probability": float(probability)}
        for (label, each), probability in zip(known.items(), probabilities, strict=True)
    ]


def knows(counts: Counts, classes: Classes, rules: Rules, terms: list[str]) -> list[bool]:
    """For each term, as it is counted, whether it counts."""
    del counts, rules
    found: list[bool] = (classes.terms.find(terms) != UNKNOWN).tolist()
    return found


def _learned(counts: Counts, term: str) -> Ids:
    """The id of a term as an array: empty if it was never learned."""
    if not isinstance(term, str):
        raise TextError(f"term is of type {type(term).__name__}, not str")
    if not term.isascii():
        term = term.encode("utf-8", "replace").decode()  # no term holds half a surrogate pair
    # As it is counted, or as it may stand in a text.
    for spelled in (term, counts.analyzer.native.normalized(term)):
        ids = counts.find([spelled])
        if ids[0] != UNKNOWN:
            return ids
    return ids[:0]


def _find(counts: Counts, classes: Classes, term: str) -> Ids:
    """The id of a term as an array: empty if it does not count."""
    ids = _learned(counts, term)
    scales = classes.terms.scales_of(ids)
    return ids if scales is None else ids[scales > 0]


def column_of(classes: Classes, label: Any) -> int:
    """The place of a class among the sorted ones."""
    label = python_label(label)
    for at, known in enumerate(classes.labels):
        if known == label and type(known) is type(label):
            return at
    known_labels = ", ".join(repr(known) for known in classes.labels[:20])
    raise UnknownClassError(f"the model knows no class {label!r}: it knows {known_labels}")


def pair_of(classes: Classes, a: Label | None, b: Label | None) -> tuple[int, int]:
    """The places of two classes, by default the second and the first of two."""
    if a is not None and b is not None:
        return column_of(classes, a), column_of(classes, b)
    if len(classes.labels) != 2:
        raise UnknownClassError(f"say which two of the {len(classes.labels)} classes to compare, as a and b")
    if a is None and b is None:
        return 1, 0
    given = column_of(classes, b if a is None else a)
    return (1 - given, given) if a is None else (given, 1 - given)


def ratio(counts: Counts, classes: Classes, rules: Rules, term: str, a: Any, b: Any) -> Ratio:
    """The row of one term; a term that does not occur has the probabilities of an unseen one."""
    pair = list(pair_of(classes, a, b))
    found = classes.terms.rows(_find(counts, classes, term), classes.columns[pair])
    figures = _ratios(found.sum(axis=0, keepdims=True), classes, rules, pair)
    fields = {name: values[0] for name, values in figures.items()}
    defined = not np.isnan(fields["ratio"])
    return Ratio(
        term=term,
        a=classes.labels[pair[0]],
        b=classes.labels[pair[1]],
        count_a=whole(fields["count_a"]),
        count_b=whole(fields["count_b"]),
        p_a=float(fields["p_a"]),
        p_b=float(fields["p_b"]),
        ratio=float(fields["ratio"]) if defined else None,
        log_ratio=float(fields["log_ratio"]) if defined else None,
    )


def ratio_table(counts: Counts, classes: Classes, rules: Rules, a: Any, b: Any) -> pa.Table:
    """The rows of all terms, sorted by term."""
    import pyarrow as pa

    pair = list(pair_of(classes, a, b))
    ids = classes.terms.sorted_ids()
    found = classes.terms.rows(ids, classes.columns[pair])
    figures = _ratios(found, classes, rules, pair)
    undefined = np.isnan(figures["ratio"])
    columns = {name: pa.array(values, mask=undefined & name.endswith("ratio")) for name, values in figures.items()}
    return pa.table({"term": pa.array(counts.native.spell(ids), pa.string())} | columns)


def _ratios(found: Array, classes: Classes, rules: Rules, pair: list[int]) -> dict[str, Any]:
    """The figures of some terms for two classes, by the names of the table's columns."""
    above, below = classes.variant.probability(found, classes.totals.of(np.array(pair)))
    ratios = likelihood_ratio(above, below)
    with np.errstate(divide="ignore", invalid="ignore"):
        probabilities = np.where(below > 0, above / below, 0.0)
        logs = np.log(ratios)
    return {
        "count_a": whole_if_exact(found[:, 0]),
        "count_b": whole_if_exact(found[:, 1]),
        "p_a": probabilities[:, 0],
        "p_b": probabilities[:, 1],
        "ratio": ratios,
        "log_ratio": logs,
    }


def top_words(counts: Counts, classes: Classes, rules: Rules, label: Any, n: int) -> list[tuple[str, float]]:
    """The terms that occur in a class beyond their share, by the shrunk log-ratio; ties by term."""
    del rules
    column = column_of(classes, label)
    if not is_whole(n):
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number")
    terms = classes.terms
    ids = terms.sorted_ids()
    lengths = terms.native.row_lengths(ids)
    cells = terms.cells(ids)
    at = np.repeat(np.arange(len(ids)), lengths)
    everywhere: Array = np.bincount(at, weights=cells, minlength=len(ids)).astype(np.float64)
    mine = terms.native.cell_classes(ids) == classes.columns[column]
    here: Array = np.bincount(at[mine], weights=cells[mine], minlength=len(ids)).astype(np.float64)
    total = classes.tokens.sum()
    if total == 0:
        return []
    if len(classes.labels) == 1:  # nothing to compare with: the most frequent
        scores = np.log(here / total)
    else:
        inside = classes.tokens[column]
        scores = shrunk_log_ratio(here, everywhere - here, max(inside, 1), max(total - inside, 1), SHRINKAGE)
        scores = np.where(scores > 0, scores, -np.inf)
    order = np.argsort(-scores, kind="stable")[: max(n, 0)]
    order = order[np.isfinite(scores[order])]
    return list(zip(counts.native.spell(ids[order]), map(float, scores[order]), strict=True))
