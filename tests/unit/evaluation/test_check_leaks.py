"""Terms that alone predict a class suspiciously well."""

from __future__ import annotations

import re

import numpy as np
from likely import NaiveBayes
from likely.evaluation.check import MOST_LEAKS, Finding, leak_findings, leaks
from likely.reading.rows import Whole
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def leaking(texts: list[str], labels: list[str]) -> list[Finding]:
    counts = NaiveBayes().fit(texts, labels)._snapshot().counts
    return list(leak_findings(Whole(texts, list(labels)), counts, 0))


def test_ordinary_texts_do_not_leak() -> None:
    assert leaking(TEXTS, LABELS) == []


def test_a_mark_that_was_left_in_the_texts_of_a_class_leaks() -> None:
    marked = [
        f"{text} id42" if label == "positive" and at % 3 else text
        for at, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
    ]
    (found,) = leaking(marked, LABELS)
    assert found.rows == sum(text.endswith("id42") for text in marked)
    precision, coverage = map(float, re.findall(r"([\d.]+)%", found.says))
    assert found.says.startswith("'id42' alone predicts positive: ")
    assert precision == 100
    assert 50 < coverage < 80
    assert "of the other terms" not in found.says, "no other term is as sure"


def test_marks_that_come_together_leak_together() -> None:
    marked = [
        f"{text} from admin42" if label == "negative" else text for text, label in zip(TEXTS, LABELS, strict=True)
    ]
    (found,) = leaking(marked, LABELS)
    assert "'admin42'" in found.says
    assert "predicts negative" in found.says


def test_a_frequent_class_does_not_make_its_words_leak() -> None:
    inside = np.array([[95.0, 1.0], [50.0, 0.0]])
    assert leaks(inside, np.array([950.0, 10.0])) == [], "99% of all rows are of the class anyway"


def test_many_sure_words_are_ordinary_words_of_the_class() -> None:
    inside = np.array([[95.0, 0.0]] * (MOST_LEAKS + 1))
    assert leaks(inside, np.array([100.0, 100.0])) == []


def test_rare_terms_are_not_looked_at() -> None:
    assert leaks(np.array([[19.0, 0.0]]), np.array([20.0, 20.0])) == []
