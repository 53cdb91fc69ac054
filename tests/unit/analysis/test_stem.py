"""Stems against PyStemmer 3.1.0, the Snowball project's own Python package (Snowball 3.1.0).

The kernel has Snowball's algorithms of October 2026 (3.1.1 and one rule more). The differences, all of them known,
are in `reference`: nothing else may differ.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
import Stemmer as PyStemmer
from hypothesis import given
from hypothesis import strategies as st
from likely import _native, analyze
from likely.core.analyzer import Analyzer, languages, negators, stop_words
from likely.options.model import with_defaults

LANGUAGES = dict(_native.stem_languages())
LONGEST = 100
LATIN = "abcdefghijklmnopqrstuvwxyz'’"
DEVANAGARI = "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंःँ"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
ALPHABETS = {
    "ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْـ",
    "ca": LATIN + "àèéíòóúïüç·",
    "cs": LATIN + "áčďéěíňóřšťúůýž",
    "da": LATIN + "æøå",
    "de": LATIN + "äöüß",
    "el": "αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",
    "en": LATIN,
    "eo": LATIN + "ĉĝĥĵŝŭ",
    "es": LATIN + "áéíñóúü",
    "et": LATIN + "äõöüšž",
    "eu": LATIN + "ñ",
    "fa": "ءآابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیئؤأيك\u200c",
    "fi": LATIN + "äöå",
    "fr": LATIN + "àâæçéèêëîïôœùûüÿ",
    "ga": LATIN + "áéíóú",
    "hi": DEVANAGARI,
    "hu": LATIN + "áéíóöőúüű",
    "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
    "id": LATIN,
    "it": LATIN + "àèéìíòóùú",
    "lt": LATIN + "ąčęėįšųūž",
    "ne": DEVANAGARI,
    "nl": LATIN + "áäéèëíïóöúüij",
    "no": LATIN + "æøåéèêóòô",
    "pl": LATIN + "ąćęłńóśźż",
    "pt": LATIN + "áâãàçéêíóôõú",
    "ro": LATIN + "ăâîșțşţ",
    "ru": CYRILLIC + "ё",
    "sr": CYRILLIC + "ђјљњћџ" + LATIN + "čćđšž",
    "st": LATIN + "êôš",
    "sv": LATIN + "åäöé",
    "ta": "அஆஇஈஉஊஎஏஐஒஓஔகஙசஞடணதநபமயரலவழளறனஜஷஸஹாிீுூெேைொோௌ்",
    "tr": LATIN + "çğışöü\u0307",
    "yi": "אבגדהוזחטיכךלמםנןסעפףצץקרשתװױײַָּֿׂ",
}
ALL = pytest.mark.parametrize("code", LANGUAGES)


def reference(code: str, word: str) -> str:
    """PyStemmer's stem, but for what our tokens need."""
    if len(word) > LONGEST:
        return word
    plain = word.replace("’", "'")
    if code == "tr":
        plain = plain.replace("i\u0307", "i")
    if (
        code == "fr" and plain.startswith("z'") and len(plain) > 2
    ):  # since August 2026 Snowball takes z' for what l' is
        plain = "l'" + plain.removeprefix("z'")
    return PyStemmer.Stemmer(LANGUAGES[code]).stemWord(plain) or word


def stemmer(language: str) -> _native.Analyzer:
    """An analyzer that does nothing to a word but stem it."""
    return Analyzer.of(with_defaults({"stem": language, "lowercase": False})).native


def check(code: str, words: list[str]) -> None:
    """Compare the stems of those strings that are words: nothing else, such as an emoji, is stemmed."""
    native = stemmer(code)
    tokens = [word for word in words if [piece[1:3] for piece in native.trace(word)] == [(0, len(word))]]
    words = [word for word in tokens if word[0].isalnum()]
    assert [(word, native.normalized(word)) for word in words] == [(word, reference(code, word)) for word in words]


def test_the_versions_are_those_stated() -> None:
    assert PyStemmer.version() == "3.1.0"
    others = {"porter", "dutch_porter"}  # algorithms that are no languages
    assert set(LANGUAGES.values()) == set(PyStemmer.algorithms()) - others
    assert set(ALPHABETS) == set(LANGUAGES)
    root = Path(__file__).parents[3]
    assert 'frostem = { version = "=1.20260821.8"' in (root / "crates/likely-core/Cargo.toml").read_text()


def test_codes_and_names_are_the_same() -> None:
    for code, name in LANGUAGES.items():
        assert stemmer(code).normalized("internationales") == stemmer(name).normalized("internationales")


@pytest.mark.parametrize("code", sorted(set(languages()) & set(LANGUAGES)))
def test_our_own_words(code: str) -> None:
    check(code, [*stop_words(code), *negators(code)])


@ALL
def test_words_of_every_script(code: str) -> None:
    tables = tomllib.loads((Path(__file__).parents[2] / "golden/tokens.toml").read_text(encoding="utf-8"))
    texts = [case["text"] for table in tables.values() for case in table]
    check(code, sorted({term.term for text in texts for term in analyze(text)}))


@ALL
def test_any_letters_of_the_language(code: str) -> None:
    endings = [*stop_words(code), ""] if code in languages() else [""]
    words = st.builds(str.__add__, st.text(ALPHABETS[code], max_size=14), st.sampled_from(endings))

    @given(st.lists(words, min_size=20, max_size=40))
    def agree(words: list[str]) -> None:
        check(code, words)

    agree()


@ALL
def test_words_of_no_language(code: str) -> None:
    odd = [
        "",
        "'",
        "’",
        "''",
        "a\0b",
        "\0",
        "👍🏽",
        "👩‍👩‍👧",
        "漢",
        "น้",
        "e\u0301te\u0301s",
        "i\u0307",
        "x" * 101,
        "ya" * 500_000,
    ]
    mixed = [
        "z'",
        "z’ami",
        "z'l'ami",
        "naïveкниги",
        "कtab",
        "iPhone",
        "1990s",
        "ßßß",
        "\U0010ffff",
        "ﬁnding",
        "ςσς",
        "ىىى",
    ]
    check(code, odd + mixed)


@pytest.fixture(scope="module")
def sentences(data_folder: Path) -> dict[str, list[str]]:
    """Real sentences of 75 languages."""
    found = defaultdict(list)
    with gzip.open(data_folder / "lingua_langid/all.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            found[row["label"]].append(row["text"])
    return found


@ALL
def test_real_words(code: str, sentences: dict[str, list[str]]) -> None:
    # The corpus calls Norwegian Bokmål nb; Nepali and Yiddish it has not, but words in their letters.
    texts = sentences[{"no": "nb", "ne": "hi", "yi": "he"}.get(code, code)][:400]
    words = sorted({term.term for text in texts for term in analyze(text)})
    assert len(words) > 1000
    check(code, words)


def test_real_english(data_folder: Path) -> None:
    words = set()
    with gzip.open(data_folder / "imdb/train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for _, line in zip(range(1000), lines, strict=False):
            words |= {term.term for term in analyze(json.loads(line)["text"])}
    check("en", sorted(words))
