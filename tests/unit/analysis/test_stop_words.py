"""The lists of stop words and negators: every word is a term as likely would cut it."""

from __future__ import annotations

import unicodedata

import pytest
from likely import analyze
from likely.core.analyzer import languages, negators, stop_words
from likely.errors import OptionError

ALL = pytest.mark.parametrize("code", languages())


@ALL
def test_every_word_is_one_term(code: str) -> None:
    for words in (stop_words(code), negators(code)):
        assert list(words) == sorted(set(words))
        for word in words:
            assert [term.term for term in analyze(word)] == [word]
            assert word == unicodedata.normalize("NFC", word)
            assert word == word.lower()
            assert "’" not in word


@ALL
def test_the_lists_are_short_and_keep_negators(code: str) -> None:
    assert 60 <= len(stop_words(code)) <= 190
    assert not set(stop_words(code)) & set(negators(code))


@ALL
def test_every_word_is_of_the_script_of_its_language(code: str) -> None:
    scripts = {"ar": "ARABIC", "bn": "BENGALI", "el": "GREEK", "he": "HEBREW", "hi": "DEVANAGARI", "ta": "TAMIL"}
    script = scripts.get(code, "CYRILLIC" if code in ("ru", "uk") else "LATIN")
    for word in (*stop_words(code), *negators(code)):
        letters = word.replace("'", "")
        assert all(unicodedata.name(c).startswith(script) for c in letters), word


def test_there_are_twenty_five_languages() -> None:
    assert len(languages()) == 25
    assert list(languages()) == sorted(languages())


def test_english_contractions_are_negators_with_and_without_apostrophe() -> None:
    assert {"don't", "dont", "can't", "cannot", "never", "nor"} <= set(negators("en"))
    assert not [word for word in stop_words("en") if word.endswith("n't")]


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("german", "did you mean 'de'"),
        ("frensh", "did you mean 'fr'"),
        ("xx", "There are lists for ar"),
        (7, "not allowed"),
    ],
)
def test_an_unknown_code_is_answered_with_the_choices(code: str, hint: str) -> None:
    with pytest.raises(OptionError, match=rf"^stop_words=.*{hint}.*tr \(Turkish\)"):
        stop_words(code)
    with pytest.raises(OptionError, match=r"^negation="):
        negators(code)
