"""Documents that are probably mislabelled, by a model that has not seen them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.data_check import Example, Finding
from likely.terminal import printable
from likely.training.check.finding import rows_are
from likely.training.check.sizes import FEW, class_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.rows import Whole
    from likely.training.check.finding import Place

MANY = 0.05
"""From this share of the rows on, wrong labels are serious."""
PROBABLY = 0.5
"""A label is probably wrong from this probability on."""


def mislabelled_findings(whole: Whole, model: NaiveBayes, place: Place, most: int) -> Iterator[Finding]:
    """The documents of not too small classes that contradict their labels, most probably wrong first."""
    sizes = class_sizes(whole)
    suspects = model.suspects(whole.texts, whole.labels, groups=whole.groups)
    # A model knows too little about a class of a few rows to contradict its labels.
    found = [each for each in suspects if sizes[each.label] >= FEW and each.probability >= PROBABLY]
    if found:
        says = rows_are(len(found), len(whole), "is probably mislabelled", "are probably mislabelled") + "."
        examples = [
            Example.of(
                whole,
                each.row,
                f"rather {printable(each.suggested)} ({100 * each.probability:.0f} %): "
                + ", ".join(printable(term) for term, _ in each.terms[:3]),
            )
            for each in found[:most]
        ]
        fix = f"look at them, and correct the labels: likely check {place.quoted} --top {max(len(found), most)}"
        yield Finding("mislabelled", len(found) >= MANY * len(whole), len(found), says, fix, examples)
