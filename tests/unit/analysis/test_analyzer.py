"""Text to terms."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes, analyze
from likely.errors import OptionError, TextError

SCRIPTS = {
    "Hello, world!": ["hello", "world"],
    "It's rock 'n' roll, dogs' a''b": ["it's", "rock", "n", "roll", "dogs", "a", "b"],
    "L'été d’hiver": ["l'été", "d’hiver"],
    "I x 7 _under_score 3.14": ["i", "x", "7", "under", "score", "3", "14"],
    "हिन्दी में लिखना": ["हिन्दी", "में", "लिखना"],
    "বাংলা தமிழ் മലയാളം": ["বাংলা", "தமிழ்", "മലയാളം"],
    "漢字とカタカナー": ["漢", "字", "と", "カ", "タ", "カ", "ナ", "ー"],
    "ภาษาไทย ลาว ខ្មែរ": ["ภ", "า", "ษ", "า", "ไ", "ท", "ย", "ล", "า", "ว", "ខ្", "មែ", "រ"],
    "한국어 문장": ["한국어", "문장"],
    "Привет, МИР": ["привет", "мир"],
    "ΟΔΥΣΣΕΥΣ": ["οδυσσευς"],
    "İstanbul": ["i̇stanbul"],
    "مرحبا بالعالم": ["مرحبا", "بالعالم"],
    "می‌خواهم": ["می‌خواهم"],
    "שלום עולם": ["שלום", "עולם"],
    "ok👍🏽ok 👩‍👩‍👧‍👦 🇫🇷🇩🇪 ❤️ ☺": ["ok", "👍🏽", "ok", "👩‍👩‍👧‍👦", "🇫🇷", "🇩🇪", "❤️", "☺"],
    "price © 5 ™": ["price", "5"],
    "a\x00b\x1fc": ["a", "b", "c"],
    "bad \ud800 surrogate": ["bad", "surrogate"],
    "": [],
    " \n\t ": [],
}


@pytest.mark.parametrize(("text", "expected"), SCRIPTS.items(), ids=range(len(SCRIPTS)))
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    terms = analyze(text)
    assert [t.term for t in terms] == expected
    assert all(text[t.start : t.end].lower() == t.term or "Σ" in text for t in terms)


def test_offsets_in_characters_and_bytes() -> None:
    text = "naïve 漢 😀 end"
    encoded = text.encode()
    for term in analyze(text):
        assert text[term.start : term.end] == encoded[term.start_byte : term.end_byte].decode() == term.term


def test_offsets_beyond_surrogates() -> None:
    term = analyze("\ud800 x")[0]
    assert (term.start, term.end) == (2, 3)


def test_word_n_grams_are_ordered_by_their_end() -> None:
    terms = analyze("New York City", ngrams=(1, 3))
    assert [t.term for t in terms] == ["new", "york", "new york", "city", "york city", "new york city"]
    assert (terms[-1].start, terms[-1].end) == (0, 13)


def test_character_n_grams_fold_white_space() -> None:
    assert [t.term for t in analyze("a \n b", analyzer="char", ngrams=(1, 2))] == ["a", " ", "a ", "b", " b"]


def test_an_n_gram_has_a_key_of_its_own() -> None:
    # Were words able to hold the joint, "a b" could be one word or two.
    terms = {t.term for t in analyze("a\u00a0b a-b a b", ngrams=(1, 2))}
    assert terms == {"a", "b", "a b", "b a"}
    one = {t.term for t in analyze("\u0130", analyzer="char", ngrams=(1, 2))}
    assert one == {"i", "\u0307", "i\u0307"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["a", "a'", "''", "é", "\u0301", "\u200d", "👍\u200d", "a\u0301'", "aé", "<", "漢'"]
)
@pytest.mark.parametrize("unit", ["word", "char"])
def test_long_runs_end(piece: str, unit: str) -> None:
    # Were time quadratic, this would outlast the suite's time limit many times over.
    text = piece * (10_000_000 // len(piece))
    model = NaiveBayes(analyzer=unit).fit([text], ["x"])  # type: ignore[arg-type]
    short = {t.term for t in analyze(text[: 1000 * len(piece)], analyzer=unit)}
    assert len(model.vocabulary_) == len(short)


def test_bad_input_is_named() -> None:
    with pytest.raises(TextError, match="bytes, not str"):
        analyze(b"bytes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="ngrams"):
        analyze("x", ngrams=(2, 1))
    with pytest.raises(OptionError, match="did you mean 'ngrams'"):
        analyze("x", ngram=(1, 1))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"entities": {"mentions": "keep"}}, " " * 55 + "@ab\u200dक्ष"),
        ({"punctuation": "keep"}, " " * 58 + "<3\u200dÉté"),
        ({"entities": {"mentions": "keep"}}, "@a'İzmir"),
        ({"entities": {"urls": "mask"}}, "https://a.fr/x'ΑΣ"),
        ({"entities": {"hashtags": "keep"}}, "#a\u00adİz"),
        ({"punctuation": "keep"}, ":p\u00adßx"),
    ],
    ids=ascii,
)
def test_the_rest_of_a_word_whose_beginning_an_entity_has_taken(options: dict[str, Any], text: str) -> None:
    shown = {term.term for term in analyze(text, **options)}
    for other in ("p" * 200, "q" * 200):  # what another text leaves behind does not matter
        model = NaiveBayes(threads=1, **options).fit([other, text], ["a", "b"])
        assert set(model.vocabulary_) - {other} == shown
        assert model.known([text]) == 1


def test_a_mark_within_an_armenian_word_ends_no_clause() -> None:
    text = "not Ինչո՞ւ good"
    model = NaiveBayes(negation="on").fit([text], ["a"])
    assert [term.term for term in model.explain(text).terms] == ["not", "NOT_ինչո՞ւ", "NOT_good"]
    assert sorted(model.vocabulary_) == sorted(term.term for term in model.explain(text).terms)
