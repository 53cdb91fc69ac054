"""The terms of a model: their counts, their ratios between two classes, and the typical words of a class."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.core.counts import UNKNOWN, Counts, whole_if_exact
from likely.errors import LabelError, OptionError, TextError
from likely.extras import extra
from likely.formulas import finite_or_none, likelihood_ratio, shrunk_log_ratio
from likely.options.kinds import is_whole
from likely.options.model import MODEL
from likely.terminal import cut, cut_apart, number, printable, size_text, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from likely.core.analyzer import Analyzer, Term
    from likely.core.weights import ModelView, WeighedClasses
    from likely.labels import ClassPlaces
    from likely.types import Array, Ids, Label, Model, Places, Plain


CHAR_MARK = _native.CHAR_MARK
"""The prefix of character n-grams with ``analyzer='both'``."""
STEM_NOTE = 'Words ending in "-" are stems: beauti- stands for beautiful and beauty.'
"""What the mark means that stems have where there is no text with the word."""
AROUND_WORDS = ',.;:!?-\u2013\u2014\u2026"()[]{}\u201c\u201d\u201e\u00ab\u00bb'
"""Punctuation that is not shown between the words of a phrase."""


def marked(analyzer: Analyzer, term: str) -> str:
    """A term for people who do not have its text: if the model stems, each word in it is marked as a stem.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> analyzer = NaiveBayes(stem="english").fit(["no fun"], ["-"]).analysis_
    >>> marked(analyzer, "beauti"), marked(analyzer, "NOT_beauti day"), marked(analyzer, "<url> :-)")
    ('beauti-', 'NOT_beauti- day-', '<url> :-)')
    """
    if analyzer.stem == "none" or analyzer.hash_bits or term.startswith(CHAR_MARK):
        return term
    return re.sub(r"(?<!\S)[^\W\d_][^\s/@.]*(?!\S)", r"\g<0>-", term)


def spelled(analyzer: Analyzer, term: str, place: Term, text: str) -> str:
    """A term as a text has it at a place: a stem as the word that it was made of.

    What says more than the word stays: a mask such as <number:9>, the mark of a negated word, and, if the model does
    not stem, the word that was read for a misspelled one.
    """
    found = text[place.start : place.end]
    is_corrected = term != place.term and analyzer.stem == "none"
    if is_corrected or not found or not analyzer.has_words or term.startswith(CHAR_MARK):
        return marked(analyzer, term)
    parts, words = [term], [found]
    if " " in term:
        around = "" if analyzer.punctuation == "keep" else AROUND_WORDS
        parts, words = term.split(" "), [word for each in found.split() if (word := each.strip(around))]
    if len(words) == len(parts) and ("<" in term or "NOT_" in term):
        negated = "NOT_" if analyzer.negation else " "  # no part has a space
        pairs = zip(parts, words, strict=True)
        words = [part if part[0] == "<" else negated * part.startswith(negated) + word for part, word in pairs]
    return " ".join(words)


SHRINKAGE = 10.0
"""The number of occurrences that `top_words` adds to every term, so that rare words do not come first."""


@dataclass(frozen=True)
class TermCounts:
    """The number of occurrences of a term in a class, and the number of its documents that have the term."""

    count: float
    documents: float


@dataclass(frozen=True)
class Ratio:
    """The counts and probabilities of a term in two classes, and their ratio.

    Attributes
    ----------
    term : str
        The term.
    a, b : str, int or bool
        The classes.
    count_a, count_b : float
        How often the term occurs in each class.
    p_a, p_b : float
        P(term|class).
    ratio, log_ratio : float or None
        p_a / p_b and its logarithm; None if both probabilities are 0.
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

    def to_dict(self) -> dict[str, Label | float | None]:
        """All fields as plain data; infinite numbers are None, because JSON has no infinity."""
        return {name: finite_or_none(value) for name, value in asdict(self).items()}


def term_counts(moment: ModelView, term: str) -> dict[Label, TermCounts]:
    """The counts of a term in each class, also if it is not a kept term."""
    live, ids = moment.counts.live(), _learned(moment.counts, term)
    sums = (moment.counts.rows(ids, live.numbers, documents=of).sum(axis=0) for of in (False, True))
    figures = (whole_if_exact(each).tolist() for each in sums)
    return {label: TermCounts(*each) for label, *each in zip(live.labels, *figures, strict=True)}


def term_row(moment: ModelView, term: str) -> list[Plain]:
    """The counts of a term and its probability: one row per class."""
    known, classes = term_counts(moment, term), moment.classes
    counted = classes.terms.rows(_find(moment, term), classes.live.numbers).sum(axis=0)
    above, below = classes.variant.probability(counted, classes.totals)
    probabilities = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return [
        {"class": label, "count": each.count, "documents": each.documents, "probability": float(probability)}
        for (label, each), probability in zip(known.items(), probabilities, strict=True)
    ]


def knows(moment: ModelView, terms: list[str]) -> list[bool]:
    """Whether each term is a kept term."""
    return [id_ != UNKNOWN for id_ in moment.terms.find(terms).tolist()]


def read_terms(moment: ModelView, terms: list[str]) -> list[str]:
    """Terms as the model reads them: with spelling correction, unknown words as the known words they misspell."""
    if not moment.rules.spelling:
        return terms
    words = list(dict.fromkeys(word for term in terms for word in term.split(" ")))
    read = dict(zip(words, moment.weights.read_words(words), strict=True))
    return [" ".join(read[word] for word in term.split(" ")) for term in terms]


def _learned(counts: Counts, term: str) -> Ids:
    """The id of a term as an array: empty if it was never learned."""
    if not isinstance(term, str):
        raise TextError(f"term is of type {type(term).__name__}, not str")
    if not term.isascii():
        term = term.encode("utf-8", "replace").decode()  # no term holds half a surrogate pair
    # The term may be given as it was counted, or as it is written in a text.
    for spelled in (term, counts.analyzer.native.normalized(term)):
        ids = counts.find([spelled])
        if ids[0] != UNKNOWN:
            return ids
    return ids[:0]


def _find(moment: ModelView, term: str) -> Ids:
    """The id of a term as an array: empty if it is not a kept term."""
    ids = _learned(moment.counts, term)
    scales = moment.terms.scales_of(ids)
    return ids if scales is None else ids[scales > 0]


def pair_of(places: ClassPlaces, a: Label | None, b: Label | None) -> list[int]:
    """The places of the two classes to compare. Default, with two classes: the second and the first."""
    if a is not None and b is not None:
        return [places.of(a), places.of(b)]
    if len(places) != 2:
        raise LabelError(f"there are {len(places)} classes: give the two to compare as a and b")
    if a is None and b is None:
        return [1, 0]
    given = places.of(b if a is None else a)
    return [1 - given, given] if a is None else [given, 1 - given]


def ratio(moment: ModelView, term: str, a: Label | None, b: Label | None) -> Ratio:
    """The ratio of one term. A term that does not occur has the probabilities of an unseen term."""
    classes = moment.classes
    pair = pair_of(classes.live.places, a, b)
    found = classes.terms.unweighted.rows(_find(moment, term), classes.live.numbers[pair])
    figures = _ratios(found.sum(axis=0, keepdims=True), classes, pair)
    values = {name: column[0].item() for name, column in figures.items()}
    defined: Plain = {name: None if math.isnan(value) else value for name, value in values.items()}
    a, b = (classes.labels[place] for place in pair)
    return Ratio(term, a, b, **defined)


def ratio_table(moment: ModelView, a: Label | None, b: Label | None) -> pa.Table:
    """The ratios of all kept terms as an Arrow table, sorted by term."""
    pa = extra("pyarrow", "A table of ratios")
    classes = moment.classes
    pair = pair_of(classes.live.places, a, b)
    ids = classes.terms.sorted_ids()
    found = classes.terms.unweighted.rows(ids, classes.live.numbers[pair])
    figures = _ratios(found, classes, pair)
    undefined = np.isnan(figures["ratio"])
    columns = {name: pa.array(values, mask=undefined & name.endswith("ratio")) for name, values in figures.items()}
    return pa.table({"term": pa.array(moment.counts.native.spell(ids), pa.string())} | columns)


def _ratios(found: Array, classes: WeighedClasses, pair: list[int]) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of the table of ratios; ``found`` has one row per term and one column per class of the pair.

    The counts are those that were learned; the probabilities are those of the weighted counts.
    """
    weighted = found if classes.factors is None else found * classes.factors[pair]
    above, below = classes.variant.probability(weighted, classes.totals.of(np.array(pair)))
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


def top_words_of(moment: ModelView, labels: list[Label], n: int) -> dict[Label, list[tuple[str, float]]]:
    """The ``n`` terms with the highest shrunk log-ratio of each class, if it is above 0; ties are sorted by term.

    The counts are those that were learned, whatever the weights of the classes.
    """
    classes = moment.classes
    places = [classes.live.places.of(label) for label in labels]
    if not is_whole(n):
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number")
    ids = classes.terms.sorted_ids()
    terms = classes.terms.unweighted
    cells, tokens = terms.cells(ids), terms.class_tokens()[classes.live.numbers]
    values, sums = cells.values, cells.sums
    found: dict[Label, list[tuple[str, float]]] = {}
    for label, place in zip(labels, places, strict=True):
        here = cells.sum(np.where(cells.classes == classes.live.numbers[place], values, 0.0))
        order, scores = _most_typical(here, sums, tokens, place, n)
        found[label] = list(zip(moment.counts.native.spell(ids[order]), scores, strict=True))
    return found


def _most_typical(here: Array, sums: Array, tokens: Array, place: int, n: int) -> tuple[Places, list[float]]:
    """The places of the ``n`` most typical terms of a class, best first, and their scores."""
    total = tokens.sum()
    if total == 0:
        return np.zeros(0, np.intp), []
    if len(tokens) == 1:  # without another class to compare with, the most frequent terms
        scores = np.log(here / total)
    else:
        inside = tokens[place]
        scores = shrunk_log_ratio(here, sums - here, max(inside, 1), max(total - inside, 1), SHRINKAGE)
        scores = np.where(scores > 0, scores, -np.inf)
    possible = np.flatnonzero(np.isfinite(scores))
    if 0 < n < len(possible):  # equal ones stay
        least = np.partition(scores[possible], len(possible) - n)[len(possible) - n]
        possible = possible[scores[possible] >= least]
    order = possible[np.argsort(-scores[possible], kind="stable")][: max(n, 0)]
    return order, [float(score) for score in scores[order]]


def largest_classes(model: Model, most: int) -> list[Label]:
    """The classes with most documents, at most this many, sorted.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> largest_classes(NaiveBayes().fit(["a", "b", "c"], ["z", "y", "z"]), 1)
    ['z']
    """
    largest = np.sort(np.argsort(-model.class_documents_, kind="stable")[:most])
    labels: list[Label] = model.classes_[largest].tolist()
    return labels


def class_overviews(model: Model, shown: list[Label], top: int) -> list[Plain]:
    """The sizes of some classes, and the words that speak most for each of them."""
    figures = (whole_if_exact(each) for each in (model.class_documents_, model.class_tokens_, model.class_weights_))
    sizes = {
        label: each for label, *each in zip(model.classes_.tolist(), *map(np.ndarray.tolist, figures), strict=True)
    }
    analyzer = model.analysis_
    return [
        {
            "class": label,
            **dict(zip(("documents", "tokens", "weight"), sizes[label], strict=True)),
            "top_words": [{"term": term, "word": marked(analyzer, term), "score": score} for term, score in words],
        }
        for label, words in (model._top_words_of(shown, top) if top else {label: [] for label in shown}).items()
    ]


LONGEST_LABEL = 40
"""Longer labels are cut in tables, in columns of a terminal."""
MOST_LISTED_WORDS = 8
"""A list of more words than this is described by its length."""


def overview_text(about: Plain, hidden: int) -> str:
    """The overview of a model, as `likely inspect` prints it; ``hidden`` is the number of classes left out."""
    lists = [(each["class"], [printable(word["word"]) for word in each["top_words"]]) for each in about["classes"]]
    words = [wrapped(f"{printable(label)}: {', '.join(found)}", "  ") for label, found in lists]
    notes = [STEM_NOTE] if about["options"]["stem"] != "none" else []
    more = [f"and {hidden:,} smaller classes: see one with --class, all with --json"] if hidden else []
    head = f"{printable(about['path'])}: {about['terms']:,} terms, {size_text(about['bytes'])}"
    columns = about["columns"]
    trained = [printable(f"trained on text={columns['text']}, label={columns['label']}")] if columns else []
    dropped = [f"{about['dropped_terms']:,} terms were dropped from it"] if about["dropped_terms"] else []
    dropped += [_buckets_text(about["buckets"])] if about["buckets"] else []
    named = [f"{printable(each['class'])} {each['threshold']:.4g}" for each in about["thresholds"]]
    decided = [f"decision thresholds: {', '.join(named)}"] if named else []
    lines = [wrapped(line, "  ") for line in (head, changed_options(about["options"]), *trained, *dropped, *decided)]
    listed = ["", "Words that speak most for each class:", *words]
    return "\n".join([*lines, "", _class_table(about["classes"]), *more, *listed, *notes])


def changed_options(options: Mapping[str, object]) -> str:
    """The options that do not have their default values.

    Examples
    --------
    >>> changed_options({"alpha": 0.5, "variant": "multinomial"}), changed_options({})
    ('alpha=0.5', 'default options')
    """
    changed = {name: value for name, value in options.items() if value != MODEL[name].default}
    return ", ".join(f"{name}={_shown(value)}" for name, value in changed.items()) or "default options"


def _class_table(classes: Sequence[Plain]) -> str:
    """The sizes of the classes; also their weights, if these are not all 1."""
    rows = [["", "documents", "tokens", "weight"]]
    for each in classes:
        sizes = f"{each['documents']:,.6g}", f"{each['tokens']:,.0f}", number(each["weight"])
        rows.append([cut(printable(each["class"]), LONGEST_LABEL), *sizes])
    weighted = any(each["weight"] != 1 for each in classes)
    return table(rows if weighted else [row[:-1] for row in rows])


def _shown(value: object) -> str:
    return f"{len(value)} words" if isinstance(value, list) and len(value) > MOST_LISTED_WORDS else printable(value)


def _buckets_text(buckets: Plain) -> str:
    share = f"{buckets['used']:,} of {buckets['number']:,} buckets are in use"
    if buckets["collisions"] is None:
        return f"{share}: all are full, so use more hash_bits"
    return f"{share}; about {buckets['collisions']:,.0f} terms share a bucket with another term"


def ratios_text(rows: list[Plain], classes: tuple[Label, Label], top: int) -> str:
    """A table of the words that separate two classes most, and the sums over all words."""
    a, b = cut_apart([printable(label) for label in classes], LONGEST_LABEL // 3)
    strongest = sorted(rows, key=lambda row: -abs(row["log_ratio"] or 0.0))[:top]
    chosen = {row["term"] for row in strongest}
    lines = [["", f"n({a})", f"n({b})", f"P(w|{a})", f"P(w|{b})", "ratio", "log"]]
    for row in [
        *(row for row in rows if row["term"] in chosen),
        {"term": "(sum)", "ratio": None, **ratio_sums(rows)},
    ]:
        figures = [f"{row[name]:,.6g}" for name in ("count_a", "count_b")]
        figures += ["" if row[name] is None else number(row[name]) for name in ("p_a", "p_b", "ratio", "log_ratio")]
        lines.append([cut(printable(row["term"]), LONGEST_LABEL // 2), *figures])
    more = f"\nand {len(rows) - top:,} words that separate them less: see more with --top" if len(rows) > top else ""
    return f"{table(lines)}{more}"


def ratio_sums(rows: list[Plain]) -> dict[str, float | None]:
    """The sums of the columns of a table of ratios; a log-ratio of 0 / 0 counts 0, and inf - inf is None."""
    names = ("count_a", "count_b", "p_a", "p_b", "log_ratio")
    columns = {name: [row[name] or 0.0 for row in rows] for name in names}
    return {name: None if {math.inf, -math.inf} <= {*each} else math.fsum(each) for name, each in columns.items()}


def term_text(term: str, rows: Sequence[Plain]) -> str:
    """A table of one term, with one row per class."""
    lines = [["", "count", "documents", "P(w|class)"]]
    for row in rows:
        figures = (f"{row['count']:,.6g}", f"{row['documents']:,.6g}", f"{row['probability']:.4g}")
        lines.append([cut(printable(row["class"]), LONGEST_LABEL), *figures])
    never = "" if any(row["count"] for row in rows) else f"{printable(term)} was never learned.\n"
    return never + table(lines)
