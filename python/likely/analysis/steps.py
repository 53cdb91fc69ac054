"""What happens to each piece of a text before it is counted: whether it is kept, changed or dropped, and why."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from likely import _native
from likely.analysis.analyzer import Analyzer
from likely.options.conflicts import check_cut
from likely.options.presets import with_preset
from likely.options.table import ANALYZE_OPTIONS, with_defaults
from likely.terminal import printable, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_WHY_DROPPED = {
    "P": "punctuation",
    "S": "symbol",
    "C": "control character",
    "M": "mark without a letter",
    "Z": "white space",
}
"""Why a character is dropped, by the first letter of its category in Unicode."""

STEPS = dict(_native.STEPS)
"""What the kernel can do to a piece, one bit each."""


class TermReader(Protocol):
    """The part of a model that is needed here: it knows terms, and may read a misspelled term as another one."""

    @property
    def analysis_(self) -> Analyzer:
        """How texts become terms."""

    def read_terms(self, terms: list[str]) -> list[str]:
        """Each term as the model reads it: the same term, or the one that it corrects the spelling to."""

    def knows(self, terms: list[str]) -> list[bool]:
        """Whether the model knows each of the terms."""


@dataclass(frozen=True)
class Piece:
    """A piece of a text.

    Attributes
    ----------
    start, end : int
        The place in the text, in characters: ``text[start:end]``.
    text : str
        The piece as it is written in the text.
    term : str or None
        The term that it becomes; None if it is dropped.
    why : str
        "kept" if it is unchanged, else why it was changed or dropped.
    """

    start: int
    end: int
    text: str
    term: str | None
    why: str


@dataclass(frozen=True)
class Trace:
    """A text in pieces, and the terms that are counted.

    Attributes
    ----------
    text : str
        The text.
    pieces : list of Piece
        Every piece that is not white space, in order.
    terms : list of str
        All terms with n-grams, ordered by where they end.
    unknown : list of str or None
        The terms that the model has not learned; None without a model.
    """

    text: str
    pieces: list[Piece]
    terms: list[str]
    unknown: list[str] | None

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, ready for JSON."""
        return asdict(self)


def trace(text: str, model: TermReader | None = None, **options: object) -> Trace:
    """What happens to a text on its way to terms.

    Parameters
    ----------
    text : str
        Any text.
    model : NaiveBayes, optional
        Analyze the text as this model does, and say which terms it does not know.
    **options
        Without a model: ``task`` and the options that decide the terms of a text, as for `NaiveBayes`.

    Examples
    --------
    >>> [(piece.text, piece.term, piece.why) for piece in trace("So GOOD!").pieces]
    [('So', 'so', 'lower-cased'), ('GOOD', 'good', 'lower-cased'), ('!', None, 'punctuation')]
    >>> [(piece.term, piece.why) for piece in trace("Not the best", stop_words=["the"], negation="on").pieces]
    [('not', 'lower-cased'), (None, 'stop word'), ('NOT_best', 'negated')]
    """
    analyzer = _analyzer(options) if model is None else model.analysis_
    terms = [term.term for term in analyzer.terms(text)]
    distinct = list(dict.fromkeys(terms))
    read, unknown = {}, None
    if model is not None:
        as_read = dict(zip(distinct, model.read_terms(distinct), strict=True))
        known = dict(zip(distinct, model.knows(list(as_read.values())), strict=True))
        unknown = [term for term in distinct if not known[term]]
        read = {term: as_read[term] for term in distinct if as_read[term] != term}
    return Trace(text, list(_pieces(text, analyzer, read)), terms, unknown)


def _analyzer(options: Mapping[str, object]) -> Analyzer:
    """The analyzer for some options. Options of a task that do not decide terms are left out."""
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
    """The dropped pieces between two terms; white space is left out."""
    for reason, group in groupby(range(start, end), key=lambda at: _reason(text[at])):
        places = list(group)
        if reason != "white space":
            yield Piece(places[0], places[-1] + 1, text[places[0] : places[-1] + 1], None, reason)


def _reason(character: str) -> str:
    if character.isspace():
        return "white space"
    return _WHY_DROPPED.get(unicodedata.category(character)[0], "not part of a word")


MOST_TERMS = 40
"""At most this many terms are listed."""


def trace_text(trace: Trace) -> str:
    """A table of the pieces of a text, one line per piece, and the terms that are made of them."""
    rows = [
        [printable(piece.text), printable(piece.term) if piece.term is not None else "-", piece.why]
        for piece in trace.pieces
    ]
    parts = [table([["text", "term", ""], *rows]) if rows else "The text has no terms."]
    pieces = {piece.term for piece in trace.pieces}
    longer = [printable(term) for term in trace.terms if term not in pieces]
    if longer:
        parts.append(f"n-grams: {', '.join(longer[:MOST_TERMS])}" + (" ..." if len(longer) > MOST_TERMS else ""))
    if trace.unknown is not None:
        unknown = ", ".join(map(printable, trace.unknown[:MOST_TERMS])) or "none"
        parts.append(f"not known to the model, so ignored: {unknown}")
    return "\n\n".join(parts)
