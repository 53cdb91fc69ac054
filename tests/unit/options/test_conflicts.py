"""Options that contradict each other, and values that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.options.model import check_together, with_defaults


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
        ({"ngrams": ((1, 2), (3, 5))}, "has lengths of words and of characters, but analyzer='word'"),
        ({"norm": "l2"}, "norm='l2' has no effect with weighting='counts': weighting must be 'tfidf'"),
        (
            {"tokenizer": str.split, "entities": {"urls": "mask"}},
            "entities={'urls': 'mask'} has no effect with tokenizer=",
        ),
        ({"tokenizer": str.split, "analyzer": "char"}, "tokenizer=.* has no effect with analyzer='char'"),
        ({"tokenizer": "split"}, "tokenizer='split' is not allowed"),
        ({"task": "poetry"}, "task='poetry' is not allowed: .*'spam'"),
        (
            {"class_weight": "balanced", "alpha": 0, "prior": "uniform"},
            "class_weight='balanced' has no effect with alpha=0: alpha must be above 0, or prior must be 'fitted'",
        ),
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


def test_defaults_are_in_harmony() -> None:
    check_together(with_defaults({}))
