"""What becomes of a text before it is counted: what is kept, changed and dropped, and why."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from likely.analysis.analyzer import Analyzer
from likely.options.conflicts import check_cut
from likely.options.presets import with_preset
from likely.options.table import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.model.naive_bayes import NaiveBayes

_WHY_DROPPED = {
    "P": "punctuation",
    "S": "symbol",
    "C": "control character",
    "M": "mark without a letter",
    "Z": "white space",
}


STEPS = {1: "normalised", 2: "lower-cased", 4: "masked", 16: "stemmed", 32: "negated", 8: "stop word"}
"""What the kernel tells it has done to a piece, one bit each."""


@dataclass(frozen=True)
class Piece:
    """A piece of a text.

    Attributes
    ----------
    start, end : int
        Its place, in characters.
    text : str
        The piece as it stands there.
    term : str or None
        The term it becomes; None if it is dropped.
    why : str
        "kept" as it is, or why it was changed or dropped.
    """

    start: int
    end: int
    text: str
    term: str | None
    why: str


@dataclass(frozen=True)
class Trace:
    """A text in pieces, and the terms it is counted as.

    Attributes
    ----------
    text : str
        The text.
    pieces : list of Piece
        Every piece but white space, in order.
    terms : list of str
        All terms, n-grams included, ordered by where they end.
    unknown : list of str or None
        The terms a model has not learned; None without a model.
    """

    text: str
    pieces: list[Piece]
    terms: list[str]
    unknown: list[str] | None

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


def trace(text: str, model: NaiveBayes | None = None, **options: Any) -> Trace:
    """Follow a text on its way to terms.

    Parameters
    ----------
    text : str
        Any text.
    model : NaiveBayes, optional
        Cut it as this model does, and tell which terms it knows.
    **options
        ``task`` and what decides the terms of a text, as for `NaiveBayes`, if there is no model.

    Examples
    --------
    >>> [(piece.text, piece.term, piece.why) for piece in trace("So GOOD!").pieces]
    [('So', 'so', 'lower-cased'), ('GOOD', 'good', 'lower-cased'), ('!', None, 'punctuation')]
    >>> [(piece.term, piece.why) for piece in trace("Not the best", stop_words=["the"], negation="on").pieces]
    [('not', 'lower-cased'), (None, 'stop word'), ('NOT_best', 'negated')]
    """
    analyzer = _analyzer(options) if model is None else model._counts.analyzer
    terms = [term.term for term in analyzer.terms(text)]
    distinct = list(dict.fromkeys(terms))
    read, unknown = {}, None
    if model is not None:
        as_read = dict(zip(distinct, model.read_terms(distinct), strict=True))
        known = dict(zip(distinct, model.knows(list(as_read.values())), strict=True))
        unknown = [term for term in distinct if not known[term]]
        read = {term: as_read[term] for term in distinct if as_read[term] != term}
    return Trace(text, list(_pieces(text, analyzer, read)), terms, unknown)


def _analyzer(options: dict[str, Any]) -> Analyzer:
    """The analyzer for some options, of which a task may name further ones that are about other things."""
    with_defaults(options, ("task", *ANALYZE_OPTIONS))
    given = with_preset(options)
    values = with_defaults({name: value for name, value in given.items() if name in ANALYZE_OPTIONS})
    check_cut(values)
    return Analyzer.of(values)


def _pieces(text: str, analyzer: Analyzer, read: dict[str, str]) -> Iterator[Piece]:
    end = 0
    for term, start, stop, steps in analyzer.trace(text):
        yield from _dropped(text, end, start)
        piece = text[start:stop]
        yield Piece(start, stop, piece, read.get(term, term) if term else None, _why(piece, term, steps, read))
        end = max(end, stop)
    yield from _dropped(text, end, len(text))


def _why(piece: str, term: str | None, steps: int, read: dict[str, str]) -> str:
    done = [name for bit, name in STEPS.items() if steps & bit]
    if term in read:
        done.append(f"{term} -> {read[term]}")
    if done:
        return ", ".join(done)
    return "white space folded" if term == " " and piece != term else "kept"


def _dropped(text: str, start: int, end: int) -> Iterator[Piece]:
    """What stands between terms, without white space."""
    for reason, group in groupby(range(start, end), key=lambda at: _reason(text[at])):
        places = list(group)
        if reason != "white space":
            yield Piece(places[0], places[-1] + 1, text[places[0] : places[-1] + 1], None, reason)


def _reason(character: str) -> str:
    if character.isspace():
        return "white space"
    return _WHY_DROPPED.get(unicodedata.category(character)[0], "no part of a word")
