"""The arithmetic of explanations."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.explanation.explanation import arithmetic_text
from likely.report.pages import explanation_page
from likely.terminal import WIDTH, display_width

Reviews = tuple[list[str], list[str]]


DERIVATION = """\
-, 65.1%: "predictable" x1.7, "no" x1.7 against "fun" x2.3

Text: predictable with no fun

             count  P(w|+)  P(w|-)  log P(w|+)  log P(w|-)
prior                  0.4     0.6     -0.9163     -0.5108
predictable      1    1/29    2/34     -3.3673     -2.8332
no               1    1/29    2/34     -3.3673     -2.8332
fun              1    2/29    1/34     -2.6741     -3.5264
score                             -10.3250     -9.7036

Not known, so ignored: with

P(+) * product of P(w|+) = 0.4 * 1/29 * 1/29 * 2/29 = 3.28e-05
    (log P(+, text) = -10.3250)
P(-) * product of P(w|-) = 0.6 * 2/34 * 2/34 * 1/34 = 6.106e-05
    (log P(-, text) = -9.7036)

P(+|text) = 0.3495
P(-|text) = 0.6505

log-odds of - against + = 0.6214 > 0

Decision: -"""


def squeezed(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_derivation_is_written_as_a_textbook_writes_it(reviews: Reviews) -> None:
    assert squeezed(str(NaiveBayes().fit(*reviews).explain("predictable with no fun"))) == squeezed(DERIVATION)


def test_text_and_labels_are_escaped() -> None:
    bad = "<script>alert(1)</script> \x1b[31m \u202e"
    model = NaiveBayes().fit([bad, "b"], [bad, "&"])
    explanation = model.explain(bad)
    for page in (explanation._repr_html_(), model.evaluate([bad], [bad])._repr_html_()):
        assert "<script>" not in page
    for printed in (str(explanation), str(model.evaluate([bad], [bad]))):
        assert "\x1b" not in printed
        assert "\u202e" not in printed
        assert "\\x1b" in printed


def test_long_texts_are_summed_up(reviews: Reviews) -> None:
    texts = [" ".join(f"w{at}" for at in range(200)), "other"]
    printed = arithmetic_text(NaiveBayes().fit(texts, ["x", "y"]).explain(texts[0] + " new" * 3))
    assert "160 further known terms" in printed
    assert "Not known, so ignored: new" in printed
    assert len(printed.splitlines()) < 70


def test_scores_that_no_float_has_the_exponential_of_are_powers_of_e() -> None:
    texts, labels = ["good film", "bad film", "free money now"], ["pos", "neg", "spam"]
    model = NaiveBayes(variant="complement").fit(texts, labels)
    explanation = model.explain("free money " * 300)
    assert f"= e^{explanation.scores['spam']:.6g} (log P(spam, text) =" in " ".join(
        arithmetic_text(explanation).split()
    )
    assert "e^1" in explanation_page(explanation)
    small = NaiveBayes().fit(texts, labels).explain("free money " * 300)
    assert "= e^-" in arithmetic_text(small)
    assert "e^" not in arithmetic_text(model.explain("free money"))


def test_the_fractions_are_those_of_weighted_counts(reviews: Reviews) -> None:
    # The class + has 2 of 5 documents and 9 tokens, - has 3 and 14; all have 20 terms.
    explanation = NaiveBayes(class_weight={"+": 3}).fit(*reviews).explain("predictable with no fun")
    printed = str(explanation)
    assert explanation.class_weight == {"+": 3.0, "-": 1.0}
    assert explanation.to_dict()["class_weight"] == [3.0, 1.0]
    weights = "Class weights: + 3, - 1. The counts and the documents of each class are multiplied by its weight."
    assert weights in " ".join(printed.split())
    assert ["fun", "1", "4/47", "1/34"] in [line.split()[:4] for line in printed.splitlines()]
    assert explanation.prior["+"] == pytest.approx(6 / 9)
    assert "Class weights: + 3, - 1." in explanation_page(explanation)


def test_without_class_weight_there_are_no_weights(reviews: Reviews) -> None:
    explanation = NaiveBayes().fit(*reviews).explain("fun")
    assert explanation.to_dict()["class_weight"] is None
    assert "Class weights" not in str(explanation)


def test_learned_weights_say_that_costs_are_weighted(reviews: Reviews) -> None:
    printed = str(NaiveBayes(variant="nbsvm", class_weight="balanced").fit(*reviews).explain("fun"))
    assert "Class weights: + 1.25, - 0.8333. The costs of the documents of each class are multiplied" in " ".join(
        printed.split()
    )


def test_many_classes_and_long_labels_fit_a_terminal() -> None:
    labels = [f"news.politics.{'very' * 6}.long-{at}" for at in range(8)]
    model = NaiveBayes().fit([f"word{at} {'x' * 90} common" for at in range(8)], labels)
    explanation = model.explain("common word3 " + "x" * 90)
    for printed in (arithmetic_text(explanation), arithmetic_text(explanation, (labels[3], labels[5]))):
        assert max(map(display_width, printed.splitlines())) <= WIDTH
    heads = [line for line in arithmetic_text(explanation, (labels[3], labels[5])).splitlines() if "log P(w|" in line]
    assert heads[0].split("log P(w|")[1:] == ["…very.long-3)  ", "…very.long-5)"], "labels stay apart"
