"""Models in a real browser: they cut texts as the kernel does, and answer what Python answers."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.analyzer import Analyzer
from likely.explanation.words import spelled
from likely.options.model import with_defaults
from likely.report.live.model_data import live_model, preparation
from likely.report.live.scripts import bundled, stemmer

from tests.browser.random_texts import BLOCKS, RandomTexts

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Tabs

GOLDEN = Path(__file__).parents[1] / "golden"
LABELS = ["x", "y", "z"]
CLOSE = 1e-9

PREPARATIONS: list[dict[str, Any]] = [
    {},
    {"ngrams": (1, 3)},
    {"lowercase": False, "ngrams": (2, 2)},
    {"accents": "strip"},
    {"normalize": "nfc"},
    {"normalize": "nfkc"},
    {"normalize": "nfkc", "accents": "strip"},
    {"punctuation": "keep"},
    {"entities": {"numbers": "mask"}},
    {"entities": {"urls": "mask", "emails": "mask", "mentions": "mask", "hashtags": "mask"}},
    {
        "entities": {"urls": "keep", "emails": "keep", "mentions": "keep", "hashtags": "keep", "numbers": "mask"},
        "punctuation": "keep",
    },
    {"negation": "on"},
    {"negation": "on", "punctuation": "keep", "entities": {"urls": "mask"}},
    {"stop_words": "en", "negation": "on"},
    {"stop_words": "auto"},
    {"analyzer": "char", "ngrams": (1, 3)},
    {"analyzer": "char_wb", "ngrams": (2, 4)},
    {"analyzer": "char_wb", "ngrams": (3, 5), "lowercase": False, "accents": "strip"},
    {"analyzer": "both"},
    {"stem": "en", "stop_words": "en"},
    {"stem": "ru", "normalize": "nfc", "negation": "on", "ngrams": (1, 2)},
    {"hash_bits": 12},
    {"hash_bits": 18, "ngrams": (1, 2), "negation": "on"},
    {"hash_bits": 15, "analyzer": "both"},
]
WEIGHTS: list[dict[str, Any]] = [
    {"variant": "binary"},
    {"variant": "bernoulli"},
    {"variant": "complement"},
    {"variant": "complement_binary", "class_weight": "balanced"},
    {"variant": "complement_normalized"},
    {"variant": "nbsvm"},
    {"variant": "nbsvm", "weighting": "tfidf", "norm": "l2"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf_raw_smooth"},
    {"weighting": "tfidf", "norm": "l2"},
    {"document_weight": "equal"},
    {"alpha": 0},
    {"alpha": 0, "calibrate": True},
    {"prior": "uniform", "min_documents": 2, "max_terms": 500},
    {"prior": {"x": 0.5, "y": 0.5, "z": 0.0}},
    {"calibrate": True},
    {"calibrate": True, "variant": "complement"},
    {"thresholds": {"x": 0.2, "y": 0.4}},
    {"thresholds": {"x": 0.5, "y": 0.4, "z": 0.6}},
    {"abstain": 0.5},
    {"abstain": {"margin": 0.2, "label": "?"}},
]

TRAINING = RandomTexts(1).texts(600)
TEXTS = [*RandomTexts(2).texts(1000), "", " ", "the", "never Ինչո՞ւ good"]


def check_stemmers(options: dict[str, Any]) -> None:
    if "stem" in options and stemmer("english") is None:
        pytest.skip("Snowball's stemmers were not fetched: `make install` fetches them")


@pytest.fixture
def scripts_for(tmp_path: Path, open_page: Tabs) -> Callable[[str], Page]:
    """A function that opens a page with nothing but the classes of JavaScript, and the stemmer of a language."""

    def opened(language: str) -> Page:
        page = tmp_path / "scripts.html"
        shown = "Object.assign(window, { Analyzer, Classifier, strengths });"
        script = f"{bundled('classifier', language)}\n{bundled('highlight')}\n{shown}"
        start = "<!doctype html><meta charset='utf-8'><title>s</title>"
        page.write_text(f"{start}<script type='module'>{script}</script>", encoding="utf-8")
        return open_page(page)

    return opened


@pytest.fixture
def scripts(scripts_for: Callable[[str], Page]) -> Page:
    """The page without a stemmer."""
    return scripts_for("none")


def asked(page: Page, function: str, *values: object) -> Any:
    """The result of a function. Values travel as ASCII, because drivers change halves of surrogate pairs."""
    return json.loads(
        page.evaluate(
            f"values => JSON.stringify(({function})(...values.map(JSON.parse)))",
            [json.dumps(value) for value in values],
        )
    )


def terms_in_browser(page: Page, analyzer: Analyzer, texts: list[str]) -> list[list[list[object]]]:
    function = """(settings, texts) => {
        const analyzer = new Analyzer(settings);
        return texts.map(text => analyzer.terms(text).map(({ term, start, end }) => {
            return [term, start, end, analyzer.spelled(term, text.slice(start, end))];
        }));
    }"""
    found: list[list[list[object]]] = asked(page, function, preparation(analyzer), texts)
    return found


def terms_in_kernel(analyzer: Analyzer, text: str) -> list[list[object]]:
    """The terms with their places in UTF-16 code units, and as the text has them."""
    units = np.concatenate([[0], np.cumsum([2 if c > "\uffff" else 1 for c in text], dtype=int)])
    return [
        [each.term, int(units[each.start]), int(units[each.end]), spelled(analyzer, each.term, each, text)]
        for each in analyzer.terms(text)
    ]


@pytest.mark.parametrize("table", ["tokens", "prepared"])
def test_golden_tables(scripts: Page, table: str) -> None:
    rows = [row for rows in tomllib.loads((GOLDEN / f"{table}.toml").read_text("utf-8")).values() for row in rows]
    checked = 0
    for row in rows:
        options = row.get("options", {})
        if "stem" in options:
            continue
        analyzer = Analyzer.of(with_defaults(options))
        assert terms_in_browser(scripts, analyzer, [row["text"]]) == [terms_in_kernel(analyzer, row["text"])], row
        checked += 1
    assert checked >= 50


def test_every_character_has_the_class_of_the_kernel(scripts: Page) -> None:
    analyzer = Analyzer.of(with_defaults({}))
    codes = [*range(0x20000), *range(0xE0000, 0xE0200), 0x2F800, 0x323AF, 0x3347A, 0x10FFFF]
    characters = [chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF]
    texts = [
        " ".join(f"a{c}b'{c} {c}{c}\u6f22{c}\u0301{c}\u2019{c}#{c}" for c in characters[first : first + 512])
        for first in range(0, len(characters), 512)
    ]
    for text, found in zip(texts, terms_in_browser(scripts, analyzer, texts), strict=True):
        assert found == terms_in_kernel(analyzer, text)


@pytest.mark.filterwarnings("ignore::likely.errors.ImpossibleWarning")
@pytest.mark.parametrize("options", [*PREPARATIONS, *WEIGHTS], ids=str)
def test_a_thousand_texts_in_forty_scripts_get_the_answers_of_python(
    scripts_for: Callable[[str], Page], options: dict[str, Any]
) -> None:
    assert len(BLOCKS) >= 40
    check_stemmers(options)
    model = NaiveBayes(**options).fit(TRAINING, [LABELS[at % 3] for at in range(len(TRAINING))])
    live = live_model(model._snapshot())
    function = """(file, texts) => {
        const model = new Classifier(file);
        return texts.map(text => {
            const { label, probabilities, known, terms } = model.classify(text);
            return [label, probabilities, terms ? known / terms : 0];
        });
    }"""
    labels, probabilities, known = zip(
        *asked(scripts_for(live.stem_language), function, live.file, TEXTS), strict=True
    )
    assert list(labels) == model.predict(TEXTS).tolist()
    np.testing.assert_allclose(np.array(probabilities), model.predict_proba(TEXTS), rtol=0, atol=CLOSE)
    np.testing.assert_allclose(np.array(known), model.known(TEXTS), rtol=0, atol=CLOSE)


def test_a_smaller_model_is_the_one_that_python_makes(scripts: Page) -> None:
    model = NaiveBayes(calibrate=True, ngrams=(1, 2)).fit(TRAINING, [LABELS[at % 3] for at in range(len(TRAINING))])
    live = live_model(model._snapshot(), 30_000)
    small = NaiveBayes._from_snapshot(live.snapshot)
    found = asked(
        scripts, "(f, texts) => texts.map(t => new Classifier(f).classify(t).probabilities)", live.file, TEXTS[:50]
    )
    assert live.terms < live.all_terms
    np.testing.assert_allclose(np.array(found), small.predict_proba(TEXTS[:50]), rtol=0, atol=CLOSE)


@pytest.mark.parametrize(("calibrate", "words"), [(False, " "), (True, "abcde")])
def test_words_are_marked_as_python_marks_them(scripts: Page, calibrate: bool, words: str) -> None:
    from likely.explanation.explanation import contrast_by_character

    texts = ["Good film, good fun; not dull!", "\U0001f600 the 😀 plot not bad", "never heard of"]
    model = NaiveBayes(ngrams=(1, 2), negation="on", calibrate=calibrate)
    learned = [f"{text} {word}" for word in words for text in ("good fun film", "not bad 😀 plot", "dull the")]
    model.fit(learned, LABELS * len(words))
    live = live_model(model._snapshot())
    function = "(f, texts) => texts.map(t => Array.from(strengths(t, new Classifier(f).classify(t).evidence)))"
    for text, found in zip(texts, asked(scripts, function, live.file, texts), strict=True):
        explanation = model.explain(text)
        assert explanation.rival is not None
        by_character = contrast_by_character(explanation, explanation.label, explanation.rival).tolist()
        by_unit = [height for c, height in zip(text, by_character, strict=True) for _ in range(1 + (c > "\uffff"))]
        np.testing.assert_allclose(found[: len(by_unit)], by_unit, atol=CLOSE)


@pytest.mark.parametrize(
    "text", ["ab" * 200_000, "a@" * 100_000, "www." * 100_000, "1.2," * 50_000, "👩\u200d" * 50_000]
)
def test_long_texts_take_linear_time(scripts: Page, text: str) -> None:
    options = {
        "entities": {"urls": "mask", "emails": "mask", "numbers": "mask"},
        "punctuation": "keep",
        "negation": "on",
    }
    analyzer = Analyzer.of(with_defaults(options))
    assert terms_in_browser(scripts, analyzer, [text])[0] == terms_in_kernel(analyzer, text)
