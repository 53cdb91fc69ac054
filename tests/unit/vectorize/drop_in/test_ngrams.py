"""N-grams in plain Python: as scikit-learn makes them, in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from likely.vectorize.drop_in.ngrams import CharInWordNgrams, CharNgrams, WordNgrams
from sklearn.feature_extraction.text import CountVectorizer

ranges = st.integers(1, 4).flatmap(lambda low: st.tuples(st.just(low), st.integers(low, 5)))
texts = st.text("ab é \t\n", max_size=20)


@given(texts, ranges)
def test_characters_and_characters_within_words(text: str, lengths: tuple[int, int]) -> None:
    for analyzer, ours in (("char", CharNgrams(lengths)), ("char_wb", CharInWordNgrams(lengths))):
        theirs = CountVectorizer(analyzer=analyzer, ngram_range=lengths, lowercase=False).build_analyzer()
        assert ours(text) == theirs(text)


@given(st.lists(st.sampled_from(["aa", "bb", "of", "the"]), max_size=8), ranges, st.booleans())
def test_words_after_stop_words_are_left_out(tokens: list[str], lengths: tuple[int, int], stopped: bool) -> None:
    stop_words = ["of", "the"] if stopped else None
    theirs = CountVectorizer(ngram_range=lengths, stop_words=stop_words).build_analyzer()
    ours = WordNgrams(lengths, frozenset(stop_words) if stop_words else None)
    assert list(ours(tokens)) == theirs(" ".join(tokens))
