"""Documents whose label is probably wrong, from what a model without them says, and the terms that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import OptionError
from likely.explanation.label_noise import Noise, fit_noise
from likely.formulas import finite_or_none, term_frequency
from likely.labels import python_labels
from likely.options.kinds import is_whole
from likely.scoring.leave_one_out import leave_one_out
from likely.terminal import number, printable
from likely.vectorize.rows import rows_of
from likely.weighing.terms import document_frequencies, negate, scales_of_frequencies
from likely.weighing.variants import Totals

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label
    from likely.weighing.terms import Rules
    from likely.weighing.weights import Classes

    Places = npt.NDArray[np.intp]

TERMS = 8
"""So many terms are given as evidence, at most."""
SHOWN = 200
"""So many characters of a text are shown."""


@dataclass(frozen=True)
class Suspect:
    """A document whose label is probably wrong.

    Attributes
    ----------
    row : int
        Its place among the documents, from 0.
    text : str
        The document.
    label, suggested : str, int or bool
        The class it was given, and the one that it would get from a model that never saw it.
    probability : float
        That the label is wrong.
    terms : list of (str, float)
        What speaks most for the suggested class against the label: the term and what it adds to the log-odds, from
        the counts of all other documents.
    """

    row: int
    text: str
    label: Label
    suggested: Label
    probability: float
    terms: list[tuple[str, float]]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data; None for what is infinite, which JSON does not know."""
        return {**vars(self), "terms": [[term, finite_or_none(value)] for term, value in self.terms]}

    def __str__(self) -> str:
        label, suggested = printable(self.label), printable(self.suggested)
        words = ", ".join(f"{printable(term)} {value:+.3g}" for term, value in self.terms)
        shown = self.text if len(self.text) <= SHOWN else self.text[: SHOWN - 3] + "..."
        first = f"row {self.row}: {label}, rather {suggested} (wrong with probability {number(self.probability)})"
        return "\n".join([first, f"  {words or 'no term, but the prior'}", f"  {printable(' '.join(shown.split()))}"])


def suspects(
    counts: Counts, classes: Classes, rules: Rules, texts: Any, labels: Any, n: int | None, threads: int
) -> list[Suspect]:
    """The documents whose labels are most probably wrong, worst first; see `likely.NaiveBayes.suspects`."""
    if n is not None and not (is_whole(n) and n >= 0):
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number from 0 up")
    texts, labels = _listed(texts), python_labels(labels)
    left = leave_one_out(counts, rules, texts, labels, threads)
    places = {label: place for place, label in enumerate(classes.labels)}
    own = np.array([places[label] for label in labels], np.intp)
    # Nothing is known of the class of a document that is the only one in it.
    judged = np.flatnonzero(classes.totals.documents[own] > 1)
    joint, length, given = left.joint[judged], left.length[judged], own[judged]
    found = worst(fit_noise(joint, length, given), joint, length, given, n)
    rows = judged[found.rows]
    speaking = _evidence(counts, classes, rules, [texts[row] for row in rows], own[rows], found.suggested, threads)
    numbers = zip(rows.tolist(), found.suggested.tolist(), found.probabilities.tolist(), speaking, strict=True)
    return [
        Suspect(row, texts[row], labels[row], classes.labels[suggested], probability, terms)
        for row, suggested, probability, terms in numbers
    ]


@dataclass(frozen=True)
class Worst:
    """Rows with a label that is probably wrong, worst first, the class of each by its text, and how probable."""

    rows: Places
    suggested: Places
    probabilities: Array


def worst(noise: Noise, joint: Array, length: Array, own: Places, n: int | None = None) -> Worst:
    """The ``n`` rows whose labels are most probably wrong, or as many as `best_length` says.

    Only rows whose label is not the best class.

    Examples
    --------
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [-9.0, 0.0], [-1.0, 0.0]])
    >>> from likely.scoring.calibration import Calibration
    >>> noise = Noise(Calibration(1.0, 0.0, 0.0), 0.1)
    >>> worst(noise, joint, np.ones(4), np.array([0, 1, 1, 0])).rows
    array([1])
    """
    if joint.shape[1] < 2:
        return Worst(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0))
    mine = np.arange(len(own))
    others = joint.copy()
    others[mine, own] = -np.inf
    suggested = others.argmax(axis=1)
    odds = noise.log_odds(joint, length, own)
    order = np.argsort(-odds, kind="stable")
    probabilities = 1 / (1 + np.exp(-np.clip(odds, -700.0, 700.0)))
    order = order[: best_length(probabilities[order]) if n is None else len(order)]
    order = order[others[order, suggested[order]] > joint[order, own[order]]][:n]
    return Worst(order, suggested[order], probabilities[order])


def best_length(probabilities: Array) -> int:
    """How many of some findings, the most probable first, to report: as many as let F1 be expected to be the best.

    To report nothing is right if there is nothing (Lewis, *Evaluating and Optimizing Autonomous Text Classification
    Systems*, 1995, for F1 as a matter of expected counts).

    Examples
    --------
    >>> best_length(np.array([0.9, 0.8, 0.1, 0.1])), best_length(np.array([0.1, 0.1]))
    (2, 0)
    """
    if not len(probabilities):
        return 0
    found = np.cumsum(probabilities)
    expected = 2 * found / (np.arange(1, len(found) + 1) + found[-1])
    with np.errstate(divide="ignore"):
        nothing = np.exp(np.log1p(-probabilities).sum())
    return 0 if nothing >= expected.max() else int(expected.argmax()) + 1


def _evidence(
    counts: Counts, classes: Classes, rules: Rules, texts: list[str], own: Places, suggested: Places, threads: int
) -> list[list[tuple[str, float]]]:
    """The terms of each text that speak most for the suggested class against its own, and how much."""
    rows, found = rows_of(counts, texts, threads), []
    for at, text in enumerate(texts):
        part = slice(rows.starts[at], rows.starts[at + 1])
        pair = np.array([suggested[at], own[at]])
        values = log_odds_of_terms(counts, classes, rules, rows.ids[part], rows.frequencies[part], pair)
        order = np.argsort(-values, kind="stable")[:TERMS]
        order = order[values[order] > 0]
        names = _names(counts, rows.ids[part][order], text)
        found.append(list(zip(names, values[order].tolist(), strict=True)))
    return found


def log_odds_of_terms(
    counts: Counts, classes: Classes, rules: Rules, ids: Ids, frequencies: Ids, pair: Places
) -> Array:
    """What the terms of a document add to the log-odds of two classes, the second its own, without the document.

    Exact, but for what depends on all terms with tf-idf and complement_normalized: N_c and the sum of the weights.
    """
    terms, variant, totals, of = classes.terms, classes.variant, classes.totals, classes.terms.documents_count
    values = term_frequency(frequencies.astype(np.float64), sublinear=terms.value == "damped")
    values = np.ones(len(ids)) if terms.value == "presence" else values
    taken = values / np.sqrt((values**2).sum()) if counts.analyzer.equal else values
    scales = _scales_without(counts, rules, ids, float(totals.documents.sum()))
    before = terms.scales_of(ids)
    gone = np.count_nonzero((scales == 0) & (before is None or before > 0))
    less = float((taken * (1.0 if before is None else before)).sum())
    own = np.array([0.0, 1.0])
    without = Totals(
        totals.tokens[pair] - own * less, totals.documents[pair] - own, totals.all_tokens - less, totals.size - gone
    )
    columns, lengths = classes.columns[pair], counts.native.row_lengths(ids)
    cells, documents = (counts.rows(ids, columns, documents=each) for each in (of, True))
    # What only this document has is gone, but for what rounding would leave of it.
    cells[:, 1] = np.where(documents[:, 1] > 1, np.maximum(cells[:, 1] - taken, 0.0), 0.0)
    rows = np.repeat(np.arange(len(ids)), lengths)
    sums = np.bincount(rows, weights=counts.native.cells(ids, of), minlength=len(ids)) - taken
    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = variant.fraction(cells * scales[:, None], (sums * scales)[:, None], without)
        logs = classes.factor[pair] * (np.log(above) - np.log(below))
        odds: Array = values * scales * (logs[:, 0] - logs[:, 1])
    return np.where((scales > 0) & ~np.isnan(odds), odds, 0.0)


def _scales_without(counts: Counts, rules: Rules, ids: Ids, total: float) -> Array:
    """What an occurrence of some terms counts for without one document that has them."""
    left = document_frequencies(counts, ids) - 1
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    scales = scales_of_frequencies(rules, left, total - 1, negates)
    return np.where(left > 0, scales, 0.0)


def _names(counts: Counts, ids: Ids, text: str) -> list[str]:
    """The terms with these ids; hashed ones have no names but in the text."""
    if not counts.analyzer.hash_bits:
        return counts.native.spell(ids)
    terms = list(dict.fromkeys(each.term for each in counts.analyzer.terms(text)))
    names = dict(zip(reversed(counts.find(terms).tolist()), reversed(terms), strict=True))
    return [names[id_] for id_ in ids.tolist()]


def _listed(texts: Any) -> Any:
    """Texts of any container as a list, so that one can be picked."""
    if isinstance(texts, list | str | bytes):
        return texts  # a single one is refused as everywhere
    for method in ("to_pylist", "to_list", "tolist"):  # Arrow; pandas and polars; numpy
        if hasattr(texts, method):
            return getattr(texts, method)()
    if hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__"):
        import pyarrow as pa

        return (pa.chunked_array if hasattr(texts, "__arrow_c_stream__") else pa.array)(texts).to_pylist()
    return list(texts)
