"""Words and invisible signs that leak the label."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.data_check import Finding
from likely.explanation.leaks import sign_leaks, word_leaks
from likely.terminal import named, printable
from likely.training.check.characters import invisible_signs, sign_name
from likely.training.check.finding import examples_of
from likely.training.check.sizes import class_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.core.counts import Counts
    from likely.explanation.leaks import Leak
    from likely.reading.rows import Whole
    from likely.training.check.finding import Place
    from likely.types import Label

MUCH = 0.2
"""Words that leak are serious from this share of all documents on. A sign that leaks is always serious."""
MOST_CLASSES = 5
"""At most this many classes are told that words leak, those with most documents."""
_NAMED = 8


def leak_findings(whole: Whole, counts: Counts, place: Place, most: int) -> Iterator[Finding]:
    """The invisible signs and the words that alone predict a class suspiciously well, one finding per class."""
    for leaks in _by_class(_sign_leaks(whole)):
        names = [each.term for each in leaks]
        rows = (row for row, text in enumerate(whole.texts) if names[0] in map(sign_name, invisible_signs(text)))
        fix = f"remove {', '.join(names)} from the texts: nobody sees it, but it tells the class"
        yield _finding(whole, leaks, names, rows, fix, serious=True, most=most)
    for leaks in _by_class(word_leaks(counts))[:MOST_CLASSES]:
        words = [each.term for each in leaks]
        rows = (row for row, text in enumerate(whole.texts) if _has(counts, text, words[0]))
        fix = f"if that is not what the class is about, ignore it: {place.train('--stop-words', ','.join(words))}"
        names = [repr(printable(word)) for word in words]
        yield _finding(whole, leaks, names, rows, fix, serious=leaks[0].share >= MUCH, most=most)


def _by_class(leaks: list[Leak]) -> list[list[Leak]]:
    """The leaks of each class; the class whose best one is in most documents comes first."""
    found: dict[Label, list[Leak]] = {}
    for each in leaks:
        found.setdefault(each.label, []).append(each)
    return list(found.values())


def _has(counts: Counts, text: str, term: str) -> bool:
    # The analyzer is asked only where the word could be.
    return term in text.casefold() and any(each.term == term for each in counts.analyzer.terms(text))


def _sign_leaks(whole: Whole) -> list[Leak]:
    """The invisible signs that leak, by their names."""
    sizes = class_sizes(whole)
    found: Counter[tuple[str, Label]] = Counter()
    for text, label in zip(whole.texts, whole.labels, strict=True):
        for sign in invisible_signs(text):
            found[sign, label] += 1
    signs, labels = sorted({sign for sign, _ in found}), list(sizes)
    inside = np.array([[found[sign, label] for label in labels] for sign in signs], np.float64)
    classes = np.array(list(sizes.values()), np.float64)
    return sign_leaks([*map(sign_name, signs)], inside.reshape(len(signs), len(labels)), labels, classes)


def _finding(
    whole: Whole, leaks: list[Leak], names: list[str], rows: Iterator[int], fix: str, *, serious: bool, most: int
) -> Finding:
    best = leaks[0]
    others = f", and so do {named(names[1:], _NAMED)}" if len(names) > 1 else ""
    following = (
        ""
        if best.next_term is None
        else f"; of the other terms the best, {printable(best.next_term)!r}, is in {100 * best.next_coverage:.3g} %"
    )
    says = (
        f"{names[0]} alone predicts {printable(best.label)}{others}: {100 * best.precision:.3g} % of the "
        f"{best.documents:,} rows with it are of the class, and {100 * best.coverage:.3g} % of the class have it"
        f"{following}."
    )
    of_class = (row for row in rows if whole.labels[row] == best.label)
    return Finding("leaks", serious, best.documents, says, fix, examples_of(whole, of_class, most))
