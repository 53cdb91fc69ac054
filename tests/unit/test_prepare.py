"""What options do to texts, end to end: the same terms shown, counted, stored and scored."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes, _native, analyze
from likely.analysis.analyzer import Analyzer
from likely.analysis.steps import trace
from likely.analysis.stop_words import languages, negators, stop_words
from likely.errors import ModelFileError, OptionError, TextError
from likely.options.conflicts import check_together
from likely.options.kinds import STEM_LANGUAGES
from likely.options.table import with_defaults

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
    {"numbers": "mask"},
    {"urls": "mask", "emails": "mask", "mentions": "mask", "hashtags": "mask"},
    {"urls": "keep", "emails": "keep", "mentions": "keep", "hashtags": "keep"},
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
    {"analyzer": "both", "ngrams": (1, 2), "char_ngrams": (3, 3)},
    {"analyzer": "both", "hash_bits": 12},
    {"min_documents": 2},
    {"max_documents": 0.5},
    {"max_terms": 5},
    {"hash_bits": 10},
    {"hash_bits": 30, "ngrams": (1, 3), "stem": "en"},
    {"tokenizer": str.split},
    {"tokenizer": str.split, "ngrams": (1, 2), "stem": "english", "negation": "on"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf", "tf": "raw", "idf": "smooth", "variant": "binary"},
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
    for name, value in loaded.options().items():
        assert value == model.options()[name] or name in ("stop_words", "negation", "task")


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


@pytest.mark.parametrize("code", languages())
def test_a_list_of_stop_words_always_matches(code: str) -> None:
    stem = code if code in STEM_LANGUAGES else "none"
    words = stop_words(code)
    for options in (
        {},
        {"stem": stem},
        {"accents": "strip"},
        {"normalize": "nfkc"},
        {"stem": stem, "accents": "strip"},
    ):
        for case in (str.lower, str.title, lambda word: word.replace("'", "\u2019")):
            text = " . ".join(map(case, words))
            assert terms(text, stop_words=code, **options) == [], (code, options)
    assert "zzzz" in terms("zzzz", stop_words=code)
    assert not set(words) & set(negators(code))


def test_negators_are_kept_unless_asked() -> None:
    assert terms("it is not good", stop_words="en") == ["not", "good"]
    assert terms("it is not good", stop_words=["it", "is", "not"]) == ["good"]
    texts = ["not good", "not bad", "not so", "it is"]
    model = NaiveBayes(stop_words="auto").fit(texts, [1, 0, 1, 0])
    assert model.vocabulary_ == ["bad", "good", "is", "it", "not", "so"]


def test_automatic_stop_words_follow_the_counts() -> None:
    model = NaiveBayes(stop_words="auto").fit(["the good", "the bad", "the plot", "fun"], [1, 0, 1, 0])
    assert "the" not in model.vocabulary_
    assert "the" in NaiveBayes().fit(["the good", "the bad", "the plot"], [1, 0, 1]).vocabulary_
    model.learn(["a", "b", "c"], [1, 0, 1])
    assert "the" in model.vocabulary_
    assert model.terms_ == 8


def test_stop_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("# mine\nThe\nfilm # too\n\n", encoding="utf-8")
    assert terms("the good film", stop_words=str(path)) == ["good"]
    model = NaiveBayes(stop_words=str(path)).fit(["the good film", "bad"], [1, 0])
    model.save(tmp_path / "m.likely")
    path.unlink()
    loaded = likely.load(tmp_path / "m.likely")
    assert loaded.stop_words == ["The", "film"]
    assert loaded.learn(["the end"], [1]).vocabulary_ == ["bad", "end", "good"]


def test_spelling_reads_unknown_words_as_known_ones() -> None:
    model = NaiveBayes(spelling="on").fit(["terrible plot", "wonderful plot"], ["neg", "pos"])
    assert model.predict(["terible", "wonderfull"]).tolist() == ["neg", "pos"]
    explanation = model.explain("Terible plot, terrible xyz")
    assert [(e.term, e.count, e.written) for e in explanation.terms] == [
        ("terrible", 2, ["terible"]),
        ("plot", 1, []),
    ]
    assert explanation.unknown == ["xyz"]
    assert "terible -> terrible" in str(explanation)
    assert [piece.why for piece in trace("terible", model).pieces] == ["terible -> terrible"]
    phrases = NaiveBayes(spelling="on", ngrams=(1, 2)).fit(["terrible plot", "good"], ["neg", "pos"])
    assert [e.term for e in phrases.explain("terible plot").terms] == ["terrible", "plot", "terrible plot"]


def test_rare_words_fold_into_the_words_they_misspell() -> None:
    texts = ["wonderful"] * 300 + ["wonderfull x", "wonderfl"] + ["dull"] * 300
    labels = ["pos"] * 302 + ["neg"] * 300
    model = NaiveBayes(spelling="on").fit(texts, labels)
    assert "wonderfl" not in model.vocabulary_
    assert model.ratio("wonderful", "pos", "neg").count_a >= 301
    assert model.counts("wonderfl")["pos"].count == 1
    assert np.array_equal(model.predict_joint_log_proba(["wonderfl"]), model.predict_joint_log_proba(["wonderful"]))


def test_buckets_have_no_names_but_explanations_do() -> None:
    model = NaiveBayes(hash_bits=20, ngrams=(1, 2)).fit(TEXTS, LABELS)
    named = NaiveBayes(ngrams=(1, 2)).fit(TEXTS, LABELS)
    assert model.terms_ == named.terms_
    assert all(len(term) == 5 and int(term, 16) < 2**20 for term in model.vocabulary_)
    assert np.allclose(model.predict_joint_log_proba(TEXTS), named.predict_joint_log_proba(TEXTS), atol=1e-12)
    assert [e.term for e in model.explain("good plot").terms] == ["good", "plot", "good plot"]
    assert model.counts("good") == named.counts("good")
    assert model.log_likelihood("good plot", "pos") == pytest.approx(named.log_likelihood("good plot", "pos"))
    assert 0 <= (model.collisions_ or 0) < 1
    full = NaiveBayes(hash_bits=10).fit([" ".join(f"w{i}" for i in range(20_000))], [1])
    assert (full.collisions_ or 0) > 5000
    assert full.terms_ <= 1024


def semicolons(text: str) -> list[str]:
    return text.split(";")


def test_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    model = NaiveBayes(tokenizer=semicolons, ngrams=(1, 2)).fit(["New York;is;big", "small"], [1, 0])
    assert model.vocabulary_ == ["big", "is", "is big", "new_york", "new_york is", "small"]
    found = analyze("so;New York;;x", tokenizer=semicolons)
    assert [("so;New York;;x"[t.start : t.end], t.term) for t in found] == [
        ("so", "so"),
        ("New York", "new_york"),
        ("x", "x"),
    ]
    table = pa.chunked_array([["New York;big"], ["small"]])
    assert model.predict(table).tolist() == model.predict(["New York;big", "small"]).tolist() == [1, 0]
    model.save(tmp_path / "m.likely")
    with pytest.raises(ModelFileError, match=r"made with the tokenizer .*semicolons: give that to load it"):
        likely.load(tmp_path / "m.likely")
    with pytest.raises(ModelFileError, match="made with the tokenizer"):
        likely.load(tmp_path / "m.likely", tokenizer=str.split)
    NaiveBayes().fit(["a"], [1]).save(tmp_path / "plain.likely")
    with pytest.raises(ModelFileError, match="made without a tokenizer"):
        likely.load(tmp_path / "plain.likely", tokenizer=str.split)
    assert likely.load(tmp_path / "m.likely", tokenizer=semicolons).predict(["small"]).tolist() == [0]


@pytest.mark.parametrize("bad", [lambda text: text, lambda text: [1], lambda text: None])
def test_a_tokenizer_that_gives_no_tokens(bad: Any) -> None:
    with pytest.raises(TextError, match="it must give a list of str"):
        NaiveBayes(tokenizer=bad).fit(["a b"], [1])


def test_tfidf_is_the_formula_of_the_notes() -> None:
    texts, labels = ["a a a b", "b c", "c c", "a d"], [1, 1, 0, 0]
    model = NaiveBayes(weighting="tfidf", alpha=1.0).fit(texts, labels)
    idf = {"a": np.log(4 / 2), "b": np.log(4 / 2), "c": np.log(4 / 2), "d": np.log(4)}
    counts = {
        1: {"a": (1 + np.log(3)) * idf["a"], "b": 2 * idf["b"], "c": idf["c"], "d": 0.0},
        0: {"a": idf["a"], "b": 0.0, "c": (1 + np.log(2)) * idf["c"], "d": idf["d"]},
    }
    found = model.predict_joint_log_proba(["a a d"])[0]
    for column, label in enumerate([0, 1]):
        total = sum(counts[label].values()) + 4
        weights = {"a": (1 + np.log(2)) * idf["a"], "d": idf["d"]}
        score = np.log(0.5) + sum(w * np.log((counts[label][t] + 1) / total) for t, w in weights.items())
        assert found[column] == pytest.approx(score, abs=1e-12)


def test_documents_of_length_one_cannot_be_learned_on() -> None:
    options: dict[str, Any] = {"weighting": "tfidf", "norm": "l2"}
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model.learn(["more"], ["pos"])
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model.forget(TEXTS[:1], LABELS[:1])
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model + model
    with pytest.raises(likely.errors.SourceError, match=r"norm='l2' reads the texts twice"):
        NaiveBayes(**options).fit((text for text in TEXTS), LABELS)
    stream = pa.RecordBatchReader.from_batches(
        pa.schema([("text", pa.string()), ("label", pa.string())]),
        iter([pa.record_batch({"text": TEXTS, "label": LABELS})]),
    )
    with pytest.raises(likely.errors.SourceError, match=r"norm='l2' reads the texts twice"):
        likely.train(stream, **options)
    table = pa.table({"text": TEXTS, "label": LABELS})
    assert np.array_equal(
        likely.train(table, **options).predict_joint_log_proba(TEXTS), model.predict_joint_log_proba(TEXTS)
    )
    weighted = NaiveBayes(**options).fit(TEXTS, LABELS, sample_weight=[2, 1, 1, 1])
    twice = NaiveBayes(**options).fit([*TEXTS, TEXTS[0]], [*LABELS, LABELS[0]])
    assert np.allclose(weighted.predict_joint_log_proba(TEXTS), twice.predict_joint_log_proba(TEXTS), atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stem": "klingon"}, "stem='klingon' is not allowed: .*english"),
        ({"stem": "englsh"}, "did you mean 'english'"),
        ({"stop_words": "klingon"}, r"stop_words='klingon' is not allowed: .*en \(English\)"),
        ({"stop_words": "no/such/file.txt"}, "stop_words='no/such/file.txt' cannot be read"),
        ({"stop_words": ["e-mail"]}, "'e-mail', which is 2 words"),
        ({"stop_words": [""]}, "stop_words=.* is not allowed"),
        ({"stop_words": 3}, "stop_words=3 is not allowed"),
        ({"negation": "maybe"}, "negation='maybe' is not allowed: .*'off', 'on'"),
        ({"negation": []}, "negation=.* is not allowed"),
        ({"min_documents": 5, "max_documents": 2}, "min_documents=5 is above max_documents=2"),
        ({"min_documents": 0.5, "max_documents": 0.2}, "min_documents=0.5 is above max_documents=0.2"),
        ({"min_documents": 0}, "min_documents=0 is not allowed"),
        ({"max_documents": 1.5}, "max_documents=1.5 is not allowed"),
        ({"max_terms": 0}, "max_terms=0 is not allowed"),
        ({"hash_bits": 9}, "hash_bits=9 is not allowed: .* 10 to 30"),
        ({"hash_bits": 12, "spelling": "on"}, "spelling='on' has no effect with hash_bits=12"),
        ({"spelling": "on", "ngrams": (2, 2)}, "spelling='on' contradicts ngrams"),
        ({"spelling": "on", "weighting": "tfidf", "norm": "l2"}, "spelling='on' has no effect with norm='l2'"),
        ({"tokenizer": str.split, "analyzer": "both"}, "tokenizer contradicts analyzer='both'"),
        ({"negation": ["e-mail"]}, "negation has 'e-mail', which is 2 words"),
        ({"stop_words": ["a\ud800"]}, "stop_words=.* is not allowed"),
        ({"stop_words": "\ud800.txt"}, "cannot be read"),
        ({"stop_words": "a.\0b"}, "cannot be read"),
        ({"negation": "en"}, "negation='en' is not allowed: negation must be [^(]*$"),
        ({"analyzer": "char", "stem": "english"}, "stem='english' has no effect with analyzer='char'"),
        ({"analyzer": "char_wb", "punctuation": "keep"}, "punctuation='keep' has no effect with analyzer='char_wb'"),
        ({"char_ngrams": (3, 5)}, r"char_ngrams=\(3, 5\) has no effect with analyzer='word'"),
        ({"norm": "l2"}, "norm='l2' has no effect with weighting='counts': weighting must be 'tfidf'"),
        ({"idf": "smooth"}, "idf='smooth' has no effect"),
        ({"tokenizer": str.split, "urls": "mask"}, "urls='mask' has no effect with tokenizer="),
        ({"tokenizer": str.split, "analyzer": "char"}, "tokenizer=.* has no effect with analyzer='char'"),
        ({"tokenizer": "split"}, "tokenizer='split' is not allowed"),
        ({"task": "poetry"}, "task='poetry' is not allowed: .*'spam'"),
        ({"accents": "drop"}, "accents='drop' is not allowed: accents must be 'keep' or 'strip'"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        NaiveBayes(**options).fit(["a"], [1])


def test_contradictions_are_found_after_construction_too() -> None:
    model = NaiveBayes(stem="english").fit(["a"], [1])
    model.set_params(analyzer="char")
    with pytest.raises(OptionError, match="stem='english' has no effect"):
        model.predict(["a"])


def test_the_languages_of_the_table_are_those_of_the_kernel() -> None:
    kernel = dict(_native.stem_languages())
    assert kernel == STEM_LANGUAGES, f"write STEM_LANGUAGES in option.py as {kernel}"


def test_defaults_are_in_harmony() -> None:
    check_together(with_defaults({}))


def test_pruning_keeps_the_counts() -> None:
    texts = ["a b c", "a b", "a", "d d d d d"]
    model = NaiveBayes(min_documents=2).fit(texts, [1, 0, 1, 0])
    assert model.vocabulary_ == ["a", "b"]
    assert model.counts("d")[0].count == 5
    assert model.ratio("d").count_a == 0
    model.set_params(min_documents=1)
    assert model.vocabulary_ == ["a", "b", "c", "d"]
    assert NaiveBayes(max_documents=2).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["b", "c", "d"]
    assert NaiveBayes(max_documents=0.5).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["b", "c", "d"]
    assert NaiveBayes(max_terms=2).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["a", "d"]
    assert NaiveBayes(max_terms=3).fit(["b a", "a c b"], [1, 0]).vocabulary_ == ["a", "b", "c"]
    assert NaiveBayes(min_documents=4).fit(texts, [1, 0, 1, 0]).predict(["a", "x"]).tolist() == [0, 0]


@pytest.mark.parametrize("most", [1, 2, 1.0, 0.5])
def test_a_number_of_documents_is_saved_as_one(most: float) -> None:
    model = NaiveBayes(max_documents=most).fit(["good fun", "good plot"], ["+", "-"])
    again = pickle.loads(pickle.dumps(model))
    assert type(again.max_documents) is type(most)
    assert again.vocabulary_ == model.vocabulary_


@pytest.mark.parametrize("options", [{"weighting": "tfidf"}, {"spelling": "on"}, {"max_terms": 9}])
def test_terms_of_documents_that_weigh_little_count(options: dict[str, Any]) -> None:
    texts, weights = ["good fun", "dull plot", "so so"], [0.5, 0.5, 2]
    assert len(NaiveBayes(**options).fit(texts, ["+", "-", "-"], weights).vocabulary_) == 5


def test_weights_may_come_one_by_one_where_texts_are_read_twice() -> None:
    model = NaiveBayes(weighting="tfidf", norm="l2").fit(["a b", "c d"], [0, 1], (weight for weight in [1, 2]))
    assert model.class_documents_.tolist() == [1, 2]


def test_words_that_share_a_bucket_are_explained_together() -> None:
    texts, labels = ["w10 w87 x y", "y z", "q"], ["a", "b", "b"]
    tfidf: dict[str, Any] = {"weighting": "tfidf"}
    for options in ({"variant": "binary"}, tfidf, tfidf | {"norm": "l2"}):
        model = NaiveBayes(hash_bits=10, **options).fit(texts, labels)
        explanation = model.explain("w10 w87 w87")
        assert len(explanation.terms) == 2
        for label, score in explanation.scores.items():
            total = explanation.log_prior[label] + sum(e.contribution[label] for e in explanation.terms)
            assert total == pytest.approx(score, abs=1e-10)


def test_negators_go_the_way_of_the_text() -> None:
    assert terms("não gosto", negation=["não"], accents="strip") == ["nao", "NOT_gosto"]
    assert terms("não gosto", negation=["na\u0303o"], normalize="nfc") == ["não", "NOT_gosto"]
    assert terms("I don\u2019t know", negation="on") == ["i", "don\u2019t", "NOT_know"]
    assert terms("not so\r\n\r\ngood", negation="on") == ["not", "NOT_so", "good"]


def test_automatic_stop_words_of_other_languages() -> None:
    texts = ["le chat et le chien", "la vie et la mort", "rouge et noir"]
    assert "et" not in NaiveBayes(stop_words="auto").fit(texts, [0, 1, 1]).vocabulary_
    prepared_otherwise: list[dict[str, Any]] = [{"stem": "english"}, {"lowercase": False}, {"hash_bits": 10}]
    for options in prepared_otherwise:
        model = NaiveBayes(stop_words="auto", **options).fit(["Nothing a", "Nothing b", "Nothing c"], [0, 1, 1])
        assert model.terms_ == len(model.vocabulary_) == 4, options


def test_stop_words_beside_a_tokenizer_are_its_tokens() -> None:
    assert terms("我 的 我们", tokenizer=str.split, stop_words=["我们"]) == ["我", "的"]
    assert terms("\xad x", tokenizer=str.split) == ["\xad", "x"]


def test_places_of_tokens_that_a_tokenizer_changed() -> None:
    text = "The cat and the dog"
    found = analyze(text, tokenizer=lambda each: each.lower().split())
    assert [text[t.start : t.end] for t in found] == ["The", "cat", "and", "the", "dog"]


def test_tokenizers_read_what_the_kernel_reads() -> None:
    model = NaiveBayes(tokenizer=str.split).fit(["good fun", "bad"], [1, 0])
    batch = pa.record_batch({"text": ["good", "bad"]})
    reader = pa.RecordBatchReader.from_batches(batch.schema, iter([batch]))
    assert model.predict(reader).tolist() == [1, 0]
    for bad in ("good", {"a": 1}, 5, None):
        with pytest.raises(TextError, match="not many texts"):
            model.predict(bad)
    with pytest.raises(TextError, match=r"row 1 is missing"):
        model.predict(["good", None])


def test_spelling_of_negated_words_and_of_n_grams() -> None:
    model = NaiveBayes(spelling="on", negation="on").fit(
        ["not terrible film"] * 5 + ["terrible"] * 5, [1] * 5 + [0] * 5
    )
    assert [e.term for e in model.explain("not terible").terms] == ["not", "NOT_terrible"]
    texts = ["wonderful film"] * 300 + ["wonderfl film", "wonderfl cast"] + ["dull film"] * 300
    model = NaiveBayes(spelling="on", ngrams=(1, 2)).fit(texts, [1] * 302 + [0] * 300)
    assert model.vocabulary_ == ["cast", "dull", "dull film", "film", "wonderful", "wonderful film"]
    joint = model.predict_joint_log_proba(["wonderfl film"])[0] - model.log_prior_
    assert model.log_likelihood("wonderfl film", 1) == pytest.approx(joint[1], abs=1e-10)


def test_what_was_counted_otherwise_is_not_weighed_otherwise() -> None:
    model = NaiveBayes().fit(["a a a", "b"], [1, 0])
    model.set_params(weighting="tfidf")
    with pytest.raises(likely.errors.MismatchError, match="set them back, or call fit"):
        model.predict(["a"])
    assert model.set_params(weighting="counts").predict(["a"]).tolist() == [1]


def test_a_prior_that_is_changed_in_place_is_noticed() -> None:
    prior: dict[Any, float] = {0: 0.5, 1: 0.5}
    model = NaiveBayes(prior=prior).fit(["a", "b"], [1, 0])
    assert model.predict_proba([""])[0].tolist() == [0.5, 0.5]
    prior.update({0: 0.25, 1: 0.75})
    assert model.predict_proba([""])[0] == pytest.approx([0.25, 0.75])


def test_a_file_of_stop_words_may_go(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("the\n", encoding="utf-8")
    model = NaiveBayes(stop_words=str(path)).fit(["the end", "a"], [1, 0])
    path.unlink()
    assert model.learn(["the start"], [1]).vocabulary_ == ["a", "end", "start"]
    assert pickle.loads(pickle.dumps(model)).stop_words == ["the"]


def test_shares_of_documents_are_not_lost_to_rounding() -> None:
    texts = ["a"] * 7 + ["b"] * 93
    assert NaiveBayes(min_documents=0.07).fit(texts, [1] * 50 + [0] * 50).vocabulary_ == ["a", "b"]


def test_presets_leave_out_what_has_no_effect() -> None:
    assert NaiveBayes(task="spam", analyzer="char").options()["punctuation"] == "drop"
    assert likely.train(["a", "b"], [1, 0], task="spam", tokenizer=str.split).options()["numbers"] == "keep"
    assert trace("It's!", task="spam").terms == ["it's", "!", "it's !"]


def test_models_of_an_earlier_format_say_so(tmp_path: Path) -> None:
    model = NaiveBayes().fit(["a"], [1])
    model.save(tmp_path / "m.likely")
    data = (tmp_path / "m.likely").read_bytes().replace(b'"format":3', b'"format":1')
    (tmp_path / "m.likely").write_bytes(data)
    with pytest.raises(ModelFileError, match=r"it has format 1, .*train it anew"):
        likely.load(tmp_path / "m.likely")
