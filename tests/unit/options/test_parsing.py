"""Values as they are typed on the command line."""

from __future__ import annotations

import pytest
from likely.errors import OptionError
from likely.options.model import MODEL


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("alpha", "0.5", 0.5),
        ("ngrams", "1,3", (1, 3)),
        ("min_documents", "2", 2),
        ("max_documents", "0.5", 0.5),
        ("lowercase", "false", False),
        ("stop_words", "en", "en"),
        ("prior", "pos=0.25,neg=0.75", {"pos": 0.25, "neg": 0.75}),
        ("max_terms", "none", None),
        ("hash_bits", "12", 12),
        ("abstain", "margin=0.5", {"margin": 0.5}),
        ("abstain", "none", 0.0),
        ("abstain", "0.9", 0.9),
        ("ngrams", "2-4", (2, 4)),
        ("max_documents", "1e-1", 0.1),
        ("prior", "uniform", "uniform"),
        ("class_weight", "balanced", "balanced"),
        ("class_weight", "spam=5,ham=0.5", {"spam": 5.0, "ham": 0.5}),
        ("class_weight", "sqrt_balanced", "sqrt_balanced"),
        ("class_weight", "none", None),
        ("prior", "a=b=1.0", {"a=b": 1.0}),
        ("negation", "on", "on"),
        ("negation", "not,never", ["not", "never"]),
        ("stop_words", "none", None),
        ("threads", "None", None),
    ],
)
def test_values_are_read_as_they_are_typed(name: str, text: str, value: object) -> None:
    found = MODEL[name].read(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alpha", "small"),
        ("ngrams", "1,x"),
        ("lowercase", "yes"),
        ("prior", "a=x"),
        ("class_weight", "a=x"),
        ("class_weight", "even"),
        ("abstain", "0.5=margin"),
        ("max_terms", "some"),
        ("tokenizer", "str.split"),
    ],
)
def test_other_texts_are_refused_as_they_were_typed(name: str, text: str) -> None:
    with pytest.raises(OptionError, match=f"{name}='{text}' is not allowed: {name} must be"):
        MODEL[name].read(text)


def test_a_value_that_can_be_read_but_is_not_allowed_is_refused_as_a_value() -> None:
    with pytest.raises(OptionError, match=r"ngrams=\(1, 2, 3\) is not allowed: ngrams must be a pair"):
        MODEL["ngrams"].read("1,2,3")
