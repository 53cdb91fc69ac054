"""What becomes of a text before it is counted: what is kept, changed and dropped, and why."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from likely.analyze import Analyzer
from likely.options import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.model import NaiveBayes

_WHY_DROPPED = {
    "P": "punctuation",
    "S": "symbol",
    "C": "control character",
    "M": "mark without a letter",
    "Z": "white space",
}


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
        ``analyzer``, ``ngrams`` and ``lowercase``, as for `NaiveBayes`, if there is no model.

    Examples
    --------
    >>> [(piece.text, piece.term, piece.why) for piece in trace("So GOOD!").pieces]
    [('So', 'so', 'lower-cased'), ('GOOD', 'good', 'lower-cased'), ('!', None, 'punctuation')]
    """
    values = {name: getattr(model, name) for name in ANALYZE_OPTIONS} if model else options
    analyzer = Analyzer.of(with_defaults(values, ANALYZE_OPTIONS))
    terms = [term.term for term in analyzer.terms(text)]
    unknown = None
    if model is not None:
        distinct = list(dict.fromkeys(terms))
        unknown = [term for term, known in zip(distinct, model.knows(distinct), strict=True) if not known]
    return Trace(text, list(_pieces(text, analyzer)), terms, unknown)


def _pieces(text: str, analyzer: Analyzer) -> Iterator[Piece]:
    units = Analyzer(analyzer.unit, 1, 1, analyzer.lowercase).terms(text)
    end = 0
    for unit in units:
        yield from _dropped(text, end, unit.start)
        piece = text[unit.start : unit.end]
        yield Piece(unit.start, unit.end, piece, unit.term, _why(piece, unit.term))
        end = unit.end
    yield from _dropped(text, end, len(text))


def _why(piece: str, term: str) -> str:
    if piece == term:
        return "kept"
    return "white space folded" if term.isspace() else "lower-cased"


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
