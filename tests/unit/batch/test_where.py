"""Expressions say of each text whether it matches."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from likely import NaiveBayes
from likely.batch.where import DEEPEST, LONGEST, Where
from likely.errors import LabelError, OptionError

MODEL = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["good", "good", "so bad"])
TEXTS = ["good", "dull dull", "unheard of", "", "good plot, good fun", "ünheard"]


@pytest.mark.parametrize(
    "text",
    [
        "p(good) > 0.6",
        "p('good')>=.6 and known > 0.3",
        'p("so bad") > 0.5 or length == 0',
        "not (p(good) > 0.6 or known == 0)",
        "not not known > 0",
        "0.1 < known < 1",
        "probability >= 0.75 and terms != 0",
        "label == good",
        "label != 'so bad'",
        "prediction in (good, 'so bad')",
        "label not in ('so bad')",
        "p(good) > p('so bad')",
        "1 < 2",
    ],
)
def test_it_means_what_python_means(text: str) -> None:
    found = Where.parse(text).matches(MODEL, TEXTS)
    probabilities, known, labels = MODEL.predict_proba(TEXTS), MODEL.known(TEXTS), MODEL.predict(TEXTS).tolist()
    terms = MODEL._predict_all(TEXTS).terms
    expected = []
    for at, each in enumerate(TEXTS):
        names = {"known": known[at], "label": labels[at], "prediction": labels[at], "length": len(each)}
        names |= {"good": "good", "terms": terms[at], "probability": probabilities[at].max()}
        names["p"] = lambda label, at=at: probabilities[at][MODEL.classes_.tolist().index(label)]
        expected.append(bool(eval(text.replace("in ('so bad')", "in ('so bad',)"), names)))  # noqa: S307
    assert found.tolist() == expected
    assert Where.parse(str(Where.parse(text))).matches(MODEL, TEXTS).tolist() == expected


def test_a_label_is_no_class_if_the_model_abstains() -> None:
    model = NaiveBayes(abstain=0.99).fit(["good", "bad"], ["good", "bad"])
    assert Where.parse("label in (good, bad)").matches(model, ["so", "good"]).tolist() == [False, False]
    assert Where.parse("label != good").matches(model, ["so"]).tolist() == [True]


def test_labels_of_other_types() -> None:
    numbers = NaiveBayes().fit(["one", "two"], [1, 2])
    assert Where.parse("p(2) > 0.5 and label == 2").matches(numbers, ["one", "two"]).tolist() == [False, True]
    truths = NaiveBayes().fit(["yes", "no"], [True, False])
    assert Where.parse("p(true) > 0.5 and label == true").matches(truths, ["yes", "no"]).tolist() == [True, False]


def test_a_class_that_the_model_lacks_is_named() -> None:
    with pytest.raises(LabelError, match="'god', which the model does not have: it has good, so bad"):
        Where.parse("known > 1 and not (p(god) > 0.5)").matches(MODEL, TEXTS)


def test_an_expression_can_be_sent_to_another_process() -> None:
    where = Where.parse("p(good) > 0.6 and not label == 'so bad' or 0 < known < 1")
    found = pickle.loads(pickle.dumps(where))
    assert str(found) == str(where)
    assert found.matches(MODEL, TEXTS).tolist() == where.matches(MODEL, TEXTS).tolist()


def test_no_texts() -> None:
    assert Where.parse("p(good) > 0 and label == good").matches(MODEL, []).tolist() == np.zeros(0, bool).tolist()


def test_all_labels_are_found() -> None:
    part = Where.parse("not (p(a) > p(b) or label in (c, d)) and 0 < p(e) < known").part
    assert list(part.labels) == ["a", "b", "c", "d", "e", "e"]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("known>1 or known>2 and known>3", "(known > 1.0) or ((known > 2.0) and (known > 3.0))"),
        (" p('it\\'s')>=1e-3 and\tknown<.5 ", '(p("it\'s") >= 0.001) and (known < 0.5)'),
        ("label=='good'and known>1.", "(label in ('good')) and (known > 1.0)"),
        ("p(größe) > p('良い')", "p('größe') > p('良い')"),
        ("p('a\\nb\n') > 0\n", r"p('anb\n') > 0.0"),
        ("p(label) > 0 and p( p ) > 0", "(p('label') > 0.0) and (p('p') > 0.0)"),
        ("p(is) > 0 or p(in)<1 and label==not", "(p('is') > 0.0) or ((p('in') < 1.0) and (label in ('not')))"),
        ("label in (True, class, 007, 1.50)", "label in ('True', 'class', '007', '1.50')"),
        ("label not in (as)\r\nand p(None) > 0", "(not (label in ('as'))) and (p('None') > 0.0)"),
        ("label == ') or p(x' and p(', not') > 0", "(label in (') or p(x')) and (p(', not') > 0.0)"),
    ],
)
def test_names_of_classes_may_be_any_text(text: str, meaning: str) -> None:
    assert str(Where.parse(text)) == meaning


OPERAND = "a number, p(CLASS), label, known, probability, terms or length"


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("", 1, f"expected {OPERAND}, but found the end"),
        ("known", 1, "expected a comparison, with one of <, <=, >, >=, == and !=, but found 'known'"),
        ("known >", 8, "the end is not expected here"),
        (" known > 0.3 and", 17, "the end is not expected here"),
        ("known > 0.3 known", 13, "'known' is not expected here"),
        ("ünd > 1", 1, f"expected {OPERAND}, but found 'ünd'"),
        ("p(good", 2, "the parenthesis ( is not closed"),
        ("p('good", 3, "the quote ' is not closed"),
        ("p good > 1", 3, "'good' is not expected here"),
        ("p() > 1", 1, "expected p and the name of one class"),
        ("known > 1)", 10, "')' is not expected here"),
        ("label > 3", 1, "expected label with ==, != or in, and the name of a class"),
        ("label not good", 11, "'good' is not expected here"),
        ("label in ()", 10, "expected the name of a class, such as 'good'"),
        ("label in [good]", 10, "expected the name of a class"),
        ("known > 'a'", 9, f"expected {OPERAND}, but found \"'a'\""),
        ("known = 1", 7, "'=' is not expected here"),
        ("known > 1 && known < 2", 12, "'&' is not expected here"),
        ("known > 1x", 9, "'1x' is not expected here"),
        ("known in (1, 2)", 10, f"expected {OPERAND}"),
        ("p(🎉) > 0.5", 3, "expected the name of a class, such as 'good', in quotes if it is not one word"),
        ("p(-1) > 0.5", 3, "expected the name of a class"),
    ],
)
def test_what_is_not_an_expression_is_refused_with_its_place(text: str, column: int, why: str) -> None:
    with pytest.raises(OptionError) as refused:
        Where.parse(text)
    assert str(refused.value).startswith(f"column {column} of the expression: {why}")


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true') > 0",
        "p.__class__ > 1",
        "p(good).real > 1",
        "p(good)() > 1",
        "p(f'{good}') > 1",
        "p('a' 'b') > 1",
        "p(b'good') > 1",
        "p('''good''') > 1",
        "p(*good) > 1",
        "p(a=b) > 1",
        "p(x for x in known) > 1",
        "(lambda: 1)() > known",
        "(known := 1) > 0",
        "known > 1 if known else known < 1",
        "known + 1 > 1",
        "known > -1",
        "known > 2 ** 2",
        "known > True",
        "known > 1j",
        "known > 0x10",
        "known > 1_0",
        "known is terms",
        "known > 1; known > 2",
        "\0",
    ],
)
def test_nothing_else_of_python_is_an_expression(text: str) -> None:
    with pytest.raises(OptionError, match=r"column \d+ of the expression: "):
        Where.parse(text)


@pytest.mark.parametrize("start", ["(", "not ", "-", "p(", "('", "label in (", "known.", "[", "p('a')(", "\\", "'\\"])
def test_hostile_expressions_are_refused_at_once(start: str) -> None:
    with pytest.raises(OptionError):
        Where.parse((start * LONGEST)[:LONGEST])


def test_length_and_nesting_are_bounded() -> None:
    with pytest.raises(OptionError, match="at most 20,000 are allowed"):
        Where.parse("known > 1" + " and known > 1" * 20_000)
    long = " and ".join(["known > 0"] * 1_000)
    assert Where.parse(long).matches(MODEL, ["good", "unheard"]).tolist() == [True, False]
    deep = "known > 1 and (known > 2 or (" * DEEPEST + "known > 3" + "))" * DEEPEST
    with pytest.raises(OptionError, match=f"at most {DEEPEST} nested parts"):
        Where.parse(deep)
