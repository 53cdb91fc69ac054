"""What options do to texts, end to end: the same terms shown, counted, stored and scored."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes, analyze
from likely.core.analyzer import Analyzer, trace
from likely.core.manifest import FORMAT
from likely.errors import ModelFileError

TEXTS = [
    "Not a GOOD film, déjà vu :-( see http://example.org/a?b=1",
    "I loved it! 3.14 stars from @anna #film",
    "terrible terrible acting, and no plot",
    "a good plot, well acted; mail me: bob@example.org 2,000 times",
]


LABELS = ["neg", "pos", "neg", "pos"]


PREPARED: list[dict[str, Any]] = [
    {"accents": "strip"},
    {"normalize": "nfc"},
    {"normalize": "nfkc"},
    {"lowercase": False},
    {"punctuation": "keep"},
    {"entities": {"numbers": "mask"}},
    {"entities": {"urls": "mask", "emails": "mask", "mentions": "mask", "hashtags": "mask"}},
    {"entities": {"urls": "keep", "emails": "keep", "mentions": "keep", "hashtags": "keep"}},
    {"stop_words": "en"},
    {"stop_words": ["a", "IT"]},
    {"stop_words": "auto"},
    {"stem": "english"},
    {"stem": "en", "stop_words": "en", "ngrams": (1, 2)},
    {"negation": "on"},
    {"negation": ["no", "loved"], "ngrams": (1, 2), "punctuation": "keep"},
    {"spelling": "on"},
    {"analyzer": "char", "ngrams": (2, 3)},
    {"analyzer": "char_wb", "ngrams": (2, 4)},
    {"analyzer": "both", "ngrams": ((1, 2), (3, 3))},
    {"analyzer": "both", "hash_bits": 12},
    {"min_documents": 2},
    {"max_documents": 0.5},
    {"max_terms": 5},
    {"hash_bits": 10},
    {"hash_bits": 30, "ngrams": (1, 3), "stem": "en"},
    {"tokenizer": str.split},
    {"tokenizer": str.split, "ngrams": (1, 2), "stem": "english", "negation": "on"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf_raw_smooth", "variant": "binary"},
    {"weighting": "tfidf", "hash_bits": 11},
    {"weighting": "tfidf", "norm": "l2"},
    {"weighting": "tfidf", "norm": "l2", "variant": "binary", "min_documents": 2},
    {"task": "sentiment"},
    {"task": "language"},
]


prepared = pytest.mark.parametrize("options", PREPARED, ids=lambda options: ",".join(map(str, options)))


def terms(text: str, **options: Any) -> list[str]:
    return [term.term for term in analyze(text, **options)]


@prepared
def test_a_model_comes_back_as_it_was(options: dict[str, Any], tmp_path: Path) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    model.save(tmp_path / "m.likely")
    loaded = likely.load(tmp_path / "m.likely", tokenizer=options.get("tokenizer"))
    asked = [*TEXTS, "terible acting", "", "Unheard-of!"]
    expected = model.predict_joint_log_proba(asked)
    assert np.array_equal(loaded.predict_joint_log_proba(asked), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_joint_log_proba(asked), expected)
    assert loaded.vocabulary_ == model.vocabulary_
    for name, value in loaded._options().items():
        assert value == model._options()[name] or name in ("stop_words", "negation", "task")


@prepared
def test_prior_and_contributions_are_the_score(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    for text in [*TEXTS, "Terible, terible GOOD acting!", ""]:
        explanation = model.explain(text)
        for label, score in zip(explanation.classes, model.predict_joint_log_proba([text])[0], strict=True):
            total = explanation.log_prior[label] + sum(e.contribution[label] for e in explanation.terms)
            assert total == pytest.approx(score, abs=1e-10)
            assert explanation.scores[label] == score


@prepared
def test_learning_is_fitting_and_forgetting_undoes_it(options: dict[str, Any]) -> None:
    if options.get("norm") == "l2":
        pytest.skip("not additive, which another test is about")
    whole = NaiveBayes(**options).fit(TEXTS, LABELS)
    parts = NaiveBayes(**options).fit(TEXTS[2:], LABELS[2:])
    parts.predict(TEXTS)
    before = parts.predict_joint_log_proba(TEXTS)
    parts.learn(TEXTS[:2], LABELS[:2])
    assert np.array_equal(parts.predict_joint_log_proba(TEXTS), whole.predict_joint_log_proba(TEXTS))
    parts.forget(TEXTS[:2], LABELS[:2])
    assert np.array_equal(parts.predict_joint_log_proba(TEXTS), before)
    merged = parts + NaiveBayes(**options).fit(TEXTS[:2], LABELS[:2])
    assert np.array_equal(merged.predict_joint_log_proba(TEXTS), whole.predict_joint_log_proba(TEXTS))


@prepared
def test_threads_and_order_do_not_matter(options: dict[str, Any]) -> None:
    texts, labels = TEXTS * 3000, LABELS * 3000
    one = NaiveBayes(**options, threads=1).fit(texts, labels)
    two = NaiveBayes(**options, threads=3).fit(texts[::-1], labels[::-1])
    expected = one.predict_joint_log_proba(TEXTS)
    assert np.array_equal(two.predict_joint_log_proba(TEXTS), expected)
    assert np.array_equal(one.predict_joint_log_proba(texts)[:4], expected)


@prepared
@given(text=st.text(max_size=40) | st.text("not aé'.,!:)(@#wW/3٣ \u0301\u2019\xad", max_size=60))
def test_terms_are_cut_from_the_text_in_order(options: dict[str, Any], text: str) -> None:
    cut = {k: v for k, v in options.items() if k in Analyzer.__dataclass_fields__ and v != "auto"}
    found = analyze(text, **cut)
    for term in found:
        assert 0 <= term.start <= term.end <= len(text)
        encoded = text.encode("utf-8", "surrogatepass")
        part = encoded[term.start_byte : term.end_byte].decode("utf-8", "surrogatepass")
        assert part == text[term.start : term.end]
    pieces = trace(text, **cut).pieces
    assert all(a.start <= b.start for a, b in pairwise(pieces))


@given(text=st.text(st.characters(exclude_characters=":;=<>()^-"), max_size=60))  # no emoticons
def test_options_commute_where_they_should(text: str) -> None:
    plain = terms(text)
    assert terms(text, stop_words=["zzz"]) == plain
    assert [t for t in terms(text, punctuation="keep") if t in set(plain)] == plain
    stopped = terms(text, stop_words=["a", "the"], stem="english")
    kept = [t for t in terms(text, stem="english") if t not in ("a", "the")]
    assert stopped == kept
    nfkc = terms(text, normalize="nfkc")
    assert terms(text, normalize="nfkc", accents="keep") == nfkc


def test_presets_leave_out_what_has_no_effect() -> None:
    assert NaiveBayes(task="spam", analyzer="char")._options()["punctuation"] == "drop"
    assert likely.train(["a", "b"], [1, 0], task="spam", tokenizer=str.split)._options()["entities"] is None
    assert trace("It's!", task="spam").terms == ["it's", "!", "it's !"]


def test_models_of_an_earlier_format_say_so(tmp_path: Path) -> None:
    model = NaiveBayes().fit(["a"], [1])
    model.save(tmp_path / "m.likely")
    data = (tmp_path / "m.likely").read_bytes().replace(b'"format":%d' % FORMAT, b'"format":1')
    (tmp_path / "m.likely").write_bytes(data)
    with pytest.raises(ModelFileError, match=r"its format is 1, .*train the model again"):
        likely.load(tmp_path / "m.likely")
