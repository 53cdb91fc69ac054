"""The arithmetic of explanations."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.report.pages import explanation_page
from likely.sample import load_sample
from likely.terminal import WIDTH, display_width

Reviews = tuple[list[str], list[str]]


DERIVATION = """\
-, 65.1%: "predictable" x1.7, "no" x1.7 against "fun" x2.3

             count         P(w|-)        P(w|+)   ratio      log
predictable      1  (1+1)/(14+20)  (0+1)/(9+20)   1.706   0.5341
no               1  (1+1)/(14+20)  (0+1)/(9+20)   1.706   0.5341
fun              1  (0+1)/(14+20)  (1+1)/(9+20)  0.4265  -0.8522
(prior)                       0.6           0.4     1.5   0.4055
(words)                                           1.241   0.2160
(all)                                             1.862   0.6214

P(w|c) = (n + alpha) / (N_c + alpha * |V|): alpha = 1, |V| = 20, N_c = 14 and 9
ratio = (left / right)^count
Not known, so ignored: with

P(-) * product of P(w|-) = 0.6 * 2/34 * 2/34 * 1/34 = 6.106e-05 = e^-9.7036
P(+) * product of P(w|+) = 0.4 * 1/29 * 1/29 * 2/29 = 3.28e-05 = e^-10.3250

sum = 6.106e-05 + 3.28e-05 = 9.386e-05
P(-|text) = 6.106e-05 / 9.386e-05 = 0.6505
P(+|text) = 3.28e-05 / 9.386e-05 = 0.3495

log-odds of - against + = 0.4055 + 0.2160 = 0.6214 > 0

Without "predictable", "no", the answer would be +, 61.0%.

Decision: -"""


def squeezed(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_derivation_is_written_as_a_textbook_writes_it(reviews: Reviews) -> None:
    assert squeezed(str(NaiveBayes().fit(*reviews).explain("predictable with no fun"))) == squeezed(DERIVATION)


def test_text_and_labels_are_escaped() -> None:
    bad = "\x1b[31m \u202e <script>alert(1)</script>"
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
    printed = NaiveBayes().fit(texts, ["x", "y"]).explain(texts[0] + " new" * 3).describe(arithmetic=True)
    assert "(160 further words)" in printed
    assert "Not known, so ignored: new" in printed
    assert len(printed.splitlines()) < 70


def test_scores_that_no_float_has_the_exponential_of_are_powers_of_the_base() -> None:
    texts, labels = ["good film", "bad film", "free money now"], ["pos", "neg", "spam"]
    found = NaiveBayes().fit(texts, labels).explain("free money " * 300)
    power = f"{found.scores['spam'] / math.log(10):.4f}"
    printed = found.describe(arithmetic=True, log_base=10)
    assert f"product of P(w|spam) = 0.3333 * (2/9)^300 * (2/9)^300 = 10^{power}" in " ".join(printed.split())
    assert "e^-" in explanation_page(found)
    assert "e^" not in printed


def test_the_fractions_are_those_of_weighted_counts(reviews: Reviews) -> None:
    # The class + has 2 of 5 documents and 9 tokens, - has 3 and 14; all have 20 terms.
    explanation = NaiveBayes(class_weight={"+": 3}).fit(*reviews).explain("predictable with no fun")
    printed = str(explanation)
    assert explanation.class_weight == {"+": 3.0, "-": 1.0}
    assert explanation.to_dict()["class_weight"] == [3.0, 1.0]
    weights = "Class weights: + 3, - 1. The counts and the documents of each class are multiplied by its weight."
    assert weights in " ".join(printed.split())
    assert ["fun", "1", "(0+1)/(14+20)", "(3+1)/(27+20)"] in [line.split()[:4] for line in printed.splitlines()]
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


def test_long_labels_are_cut_to_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = [f"news.politics.{'very' * 6}.long-{at}" for at in range(8)]
    model = NaiveBayes().fit([f"word{at} {'x' * 90} common" for at in range(8)], labels)
    explanation = model.explain("common word3 " + "x" * 90)

    def heads(contrast: tuple[str, str] | None, width: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        printed = explanation.describe(arithmetic=True, contrast=contrast)
        assert max(map(display_width, printed.splitlines())) <= width
        return re.findall(r"P\(w\|(\S+)\)  ", printed)

    narrow, wide = (heads((labels[3], labels[5]), width) for width in (WIDTH, 200))
    assert [len(head) >= 12 and head[-7:] for head in narrow] == [".long-3", ".long-5"], "labels stay apart"
    assert wide == [labels[3], labels[5]]
    assert heads(None, WIDTH)


def test_the_predicted_class_comes_first_and_is_compared_with_its_rival(reviews: Reviews) -> None:
    found = NaiveBayes().fit(*reviews).explain("fun")
    assert (found.label, found.rival) == ("+", "-")
    assert found.log_odds == pytest.approx(math.log(0.4 * 2 / 29) - math.log(0.6 * 1 / 34))
    assert re.search(r"log-odds of \+ against - = .* = 0\.\d{4} > 0", str(found))


@pytest.mark.parametrize(("base", "unit"), [("e", "log"), (2, "log2"), (10, "log10")])
def test_the_base_of_logarithms_can_be_chosen(reviews: Reviews, base: Any, unit: str) -> None:
    found = NaiveBayes().fit(*reviews).explain("predictable with no fun")
    printed = found.describe(log_base=base)
    odds = found.log_odds
    assert odds is not None
    value = odds / (1.0 if base == "e" else math.log(base))
    assert f"{unit}-odds of - against + = " in printed
    assert f" = {value:.4f} > 0" in printed
    assert f" = {base}^" in printed
    with pytest.raises(OptionError, match="log_base=3 is not allowed"):
        found.describe(log_base=3)  # type: ignore[arg-type]


def test_bernoulli_is_a_product_over_the_vocabulary(reviews: Reviews) -> None:
    model = NaiveBayes(variant="bernoulli").fit(*reviews)
    found = model.explain("fun")
    documents = {"+": 2, "-": 3}
    for label, prior in (("+", 0.4), ("-", 0.6)):
        of = {term: (model.counts(term)[label].documents + 1) / (documents[label] + 2) for term in model.vocabulary_}
        absent = math.prod(1 - share for term, share in of.items() if term != "fun")
        fraction = f"{model.counts('fun')[label].documents + 1}/{documents[label] + 2}"
        line = f"= {prior} * {fraction} * {absent:.4g} = {prior * of['fun'] * absent:.4g} ="
        assert line in " ".join(str(found).split())
        assert found.terms[0].likelihood[label] == pytest.approx(of["fun"])


def test_weights_that_are_no_probabilities_are_called_weights(reviews: Reviews) -> None:
    for variant in ("complement", "complement_binary", "complement_normalized", "nbsvm"):
        printed = str(NaiveBayes(variant=variant).fit(*reviews).explain("predictable with no fun"))
        assert "P(w|" not in printed
        assert "weight in +" in printed


def test_the_exponent_of_the_calibration_is_shown_where_it_is_used() -> None:
    found = NaiveBayes(calibrate=True).fit(*load_sample()).explain("boring plot")
    printed = " ".join(str(found).split())
    factor = f"{found.factor:.6g}"
    assert f"ratio = (left / right)^(count * {factor})" in printed
    assert f"^{factor} / " in printed
    assert f"{factor} is the exponent of the calibration" in printed
    best = found.contrast(found.label, found.rival)[0]  # type: ignore[arg-type]
    assert f"{best.ratio:.4g}" in printed


def test_nothing_divided_by_nothing_is_said(reviews: Reviews) -> None:
    found = NaiveBayes(alpha=0).fit(*reviews).explain("predictable fun")
    assert found.summary == "-, 60.0%: every class is impossible (alpha=0), so the prior decides"
    said = "Every class is impossible (alpha = 0): 0 / 0 is not defined, so the prior decides."
    assert said in " ".join(str(found).split())


def test_a_word_that_has_no_weight_is_not_called_unknown() -> None:
    found = NaiveBayes(weighting="tfidf_raw").fit(["a good film", "a dull film"], ["+", "-"]).explain("a good zzz")
    assert (found.unknown, found.ignored) == (["zzz"], ["a"])
    assert "Not known, so ignored: zzz\nKnown, but without weight: a" in str(found)
    assert found.known == pytest.approx(1 / 3)
    common = NaiveBayes(weighting="tfidf_raw").fit(["a good film", "a dull film"], ["+", "-"]).explain("a")
    assert common.summary.endswith(": no word of the text is counted, so the prior decides")


def test_a_prior_that_was_changed_after_the_calibration_is_in_the_odds() -> None:
    model = NaiveBayes(calibrate=True).fit(*load_sample())
    model.set_params(prior={"negative": 0.01, "positive": 0.99})
    found = model.explain("boring plot")
    assert found.shift is not None
    a, b = found.label, found.rival
    assert b is not None
    parts = [*found.beside(a, b).values(), *(each.log_ratio for each in found.contrast(a, b))]
    odds = math.log(found.probabilities[a] / found.probabilities[b])
    assert math.fsum(parts) == pytest.approx(odds)
    assert f" = {odds:.4f} > 0" in str(found)
