"""The words: those that are typical of a class, those that the model does not know, and those that are dependent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.page.escaping import isolated
from likely.reports.page.markup import bar, head_of, paragraph, percent, rows_of, scrolling, section
from likely.terminal import number

if TYPE_CHECKING:
    from likely.explanation.independence import Independence, Pair
    from likely.reports.page.material import Material
    from likely.types import Label

OPEN_CLASSES = 12
"""Up to this many classes, their words are shown at once; if there are more, each class is opened by its reader."""
MOST_PAIRS = 15
"""At most this many dependent pairs are shown."""


def typical_words(material: Material) -> str:
    """The section with the most typical terms of each class as bars, and the share of unknown terms."""
    strongest = max((score for words in material.words.values() for _, score in words), default=1.0)
    cards = "".join(
        _card(label, words, strongest, is_open=len(material.words) <= OPEN_CLASSES)
        for label, words in material.words.items()
    )
    explained = (
        "The most typical terms of each class against all others: the bar is the logarithm of how much more often a "
        "term occurs in the class."
        if cards
        else "The terms of this model are hashed, so they have no names."
    )
    return section(
        "words", "Words", paragraph(_unknown(material)), paragraph(explained), f'<div class="cards">{cards}</div>'
    )


def _card(label: Label, words: list[tuple[str, float]], strongest: float, *, is_open: bool) -> str:
    rows = "".join(
        f'<tr><th scope="row">{isolated(term)}</th><td>{bar(score / strongest)}</td><td>{score:.2f}</td></tr>'
        for term, score in words
    )
    body = f'<table class="words">{rows}</table>' if rows else paragraph("No term is typical of this class.")
    return f"<details{' open' if is_open else ''}><summary>{isolated(label)}</summary>{body}</details>"


def _unknown(material: Material) -> str:
    shift = material.evaluation.shift
    if shift is None or shift.unknown is None:
        return "The documents have no terms."
    usual = (
        "" if shift.usual is None else f"; in documents like the training data, {percent(shift.usual)} would be usual"
    )
    return f"The model does not know <b>{percent(shift.unknown)}</b> of the {shift.terms:,} terms{usual}."


def dependent_pairs(material: Material) -> str:
    """The section with the pairs of terms that break the assumption of naive Bayes."""
    found = material.independence
    if found is None:
        return section("independence", "Independence", paragraph("The pairs of terms were not examined."))
    pairs = [pair for pair in found.pairs if not is_nested(pair)][:MOST_PAIRS]
    return section(
        "independence",
        "Independence",
        paragraph(
            "Naive Bayes assumes that terms are independent of each other within a class. These pairs of telling "
            "terms violate that most: they occur together in more (or fewer) documents than expected, and their "
            "evidence is counted twice."
        ),
        paragraph(_counted(found)),
        _table(pairs) if pairs else "",
    )


def is_nested(pair: Pair) -> bool:
    """Whether one of the two terms contains the other, as "the best" contains "best": such pairs say nothing new.

    Examples
    --------
    >>> from likely.explanation.independence import Pair
    >>> is_nested(Pair("best", "the best", 9, 1.0, 5.0, 0.1)), is_nested(Pair("hong", "kong", 9, 1.0, 5.0, 0.1))
    (True, False)
    """
    shorter, longer = sorted((pair.a, pair.b), key=len)
    return f" {shorter} " in f" {longer} " or bool(set(shorter.split(" ")) & set(longer.split(" ")))


def _counted(found: Independence) -> str:
    return (
        f"Over the {found.terms:,} most telling terms, the same evidence is counted "
        f"<b>{number(found.times_counted)} times</b>: the {number(found.words)} of them that a document has are "
        f"worth {number(found.effective_words)} independent ones ({found.documents:,} documents)."
    )


def _table(pairs: list[Pair]) -> str:
    rows = [
        [
            f"{isolated(pair.a)} + {isolated(pair.b)}",
            f"{pair.documents:,}",
            f"{pair.expected:,.1f}",
            f"{pair.double_counted:+.2f}",
        ]
        for pair in pairs
    ]
    head = head_of(["pair", "documents with both", "expected", "log-odds counted twice"])
    return scrolling(f"<table>{head}<tbody>{rows_of(rows)}</tbody></table>", "Dependent pairs of terms")
