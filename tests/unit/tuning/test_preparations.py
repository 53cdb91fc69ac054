"""Which preparations are worth a try: those of the language that the texts are in."""

from __future__ import annotations

import pytest
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts
from likely.options.model import with_defaults
from likely.reading.rows import Labelled
from likely.training.search import language_of, preparations, stemming


def counted(*texts: str) -> Counts:
    return Counts.count_batches(Analyzer.of(with_defaults({})), [Labelled(list(texts), ["x"] * len(texts))], 1)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the cat and the dog are not of this world", "en"),
        ("der Hund und die Katze sind nicht von dieser Welt", "de"),
        ("le chat et le chien ne sont pas de ce monde", "fr"),
        ("кот и собака не из этого мира", "ru"),
        ("lorem quux zyzzyva frobnicate", None),
        ("", None),
        ("12 34 56", None),
    ],
)
def test_the_language_is_that_of_the_stop_words(text: str, language: str | None) -> None:
    assert language_of(counted(text)) == language


def test_stems_are_tried_in_the_language_and_longer_n_grams_where_shorter_ones_were_best() -> None:
    assert stemming(counted("the cat and the dog are not of this world")) == [{"stem": "english"}]
    assert stemming(counted("quux frob")) == []
    assert list(preparations({})) == [{"punctuation": "keep"}, {"document_weight": "equal"}]
    assert {"ngrams": (1, 3)} in list(preparations({"ngrams": (1, 2)}))
