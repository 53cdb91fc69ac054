"""A decision and its reasons in one line."""

from __future__ import annotations

import math

import pytest
from likely import NaiveBayes
from likely.explanation.explanation import times_text
from likely.terminal import WIDTH, display_width

TEXTS = ["dull dull plot", "a dull end", "good fun", "good good plot"]
LABELS = ["-", "-", "+", "+"]


def test_the_strongest_words_for_and_against_with_their_factors() -> None:
    explanation = NaiveBayes().fit(TEXTS, LABELS).explain("good, good fun, but dull plot")
    # The class + has 5 tokens, - has 6, both have 6 terms; "good" is there twice.
    assert explanation.summary == '+, 92.5%: "good" x19, "fun" x2.2, "plot" x1.1 against "dull" x3.7'
    good = next(each for each in explanation.contrast("+", "-") if each.term == "good")
    assert good.ratio == pytest.approx((4 / 11 * 12 / 1) ** 2)


def test_words_are_shown_as_they_are_written() -> None:
    model = NaiveBayes(stem="english", negation="on").fit(["a disappointing film.", "not bad at all"], ["-", "+"])
    assert model.explain("Disappointments.").summary.endswith('"Disappointments" x2.2')
    assert '"NOT_bad"' in model.explain("not bad").summary


def test_what_is_impossible_has_no_factor() -> None:
    model = NaiveBayes(alpha=0).fit(["good plot", "dull plot"], ["+", "-"])
    assert model.explain("good").summary == '+, 100%: "good" (impossible in -)'
    assert model.explain("good dull").summary == "+, 50.0%: every class is impossible (alpha=0), so the prior decides"


def test_without_evidence_the_prior_decides() -> None:
    model = NaiveBayes().fit([*TEXTS, "a film"], [*LABELS, "+"])
    assert model.explain("zzz").summary == "+, 60.0%: no word of the text is known, so the prior decides"
    assert NaiveBayes().fit(["a"], ["x"]).explain("a").summary == "x, 100%: it is the only class"
    alike = NaiveBayes(prior={"+": 0.7, "-": 0.3}).fit(["plot", "plot"], ["+", "-"])
    assert alike.explain("plot").summary == "+, 70.0%: the prior x2.3"
    bernoulli = NaiveBayes(variant="bernoulli").fit([*TEXTS, "a film"], [*LABELS, "+"])
    assert bernoulli.explain("zzz").summary.endswith("is known, so the prior and the absent words decide")


def test_the_prior_is_named_where_it_matters() -> None:
    def summary(prior: float, text: str) -> str:
        return NaiveBayes(prior={"+": prior, "-": 1 - prior}).fit(TEXTS, LABELS).explain(text).summary

    assert summary(0.8, "dull").endswith(': the prior x4 outweighs "dull" x3.7')
    assert summary(0.9, "dull fun").endswith(': "fun" x2.2 and the prior x9 outweigh "dull" x3.7')
    assert summary(0.1, "good good").endswith(': "good" x19 against the prior x9')
    assert summary(0.6, "good").endswith(': "good" x4.4')


def test_abstaining_and_thresholds_are_said() -> None:
    unsure = NaiveBayes(abstain=0.99).fit(TEXTS, LABELS)
    assert unsure.explain("good").summary.startswith("no answer, because the model is too unsure (+, 8")
    assert unsure.explain("good").to_dict()["abstains"]
    assert not NaiveBayes(abstain=0.5).fit(TEXTS, LABELS).explain("good").abstains
    early = NaiveBayes(thresholds={"-": 0.1}).fit(TEXTS, LABELS)
    assert early.explain("good").summary == '-, 18.6% (predicted from 0.1 on), against "good" x4.4'
    late = NaiveBayes(thresholds={"+": 0.95}).fit(TEXTS, LABELS)
    assert late.explain("good").summary.startswith("-, 18.6% (+, 81.4%, is below its threshold), against")


def test_many_classes_name_the_next_one_and_fit_one_line() -> None:
    labels = [f"news.{'politics.' * 5}{at}" for at in range(5)]
    model = NaiveBayes().fit([f"word{at} {'long' * 20}{at} 漢字漢字漢字漢字漢字漢字{at}" for at in range(5)], labels)
    explanation = model.explain(
        " ".join(f"word{at} {'long' * 20}{at} 漢字漢字漢字漢字漢字漢字{at}" for at in (1, 1, 3))
    )
    for line in (explanation.summary, model.explain("word1").summary):
        assert display_width(line) <= WIDTH
        assert "\n" not in line
        assert '"' in line, "there is room for one reason"
    assert "(then …" in explanation.summary


def test_labels_and_words_do_not_steer_the_terminal() -> None:
    model = NaiveBayes(tokenizer=str.split).fit(["a\x1b[31m", "b\u202e"], ["\x1b[2J", "<b>"])
    for text in ("a\x1b[31m", "b\u202e"):
        assert not {"\x1b", "\u202e"} & set(model.explain(text).summary)


def test_factors_are_rounded_for_people() -> None:
    found = [times_text(math.log(times)) for times in (1.04, 1.96, 2.04, 9.96, 12.4, 1234.6)]
    assert found == ["x1.04", "x2", "x2", "x10", "x12", "x1,235"]
    assert times_text(-math.log(4)) == "x4"


def test_a_phrase_is_not_named_beside_its_words() -> None:
    model = NaiveBayes(ngrams=(1, 2)).fit(["hong kong trade", "rome trade"], ["asia", "europe"])
    line = model.explain("hong kong, no trade, hong kong").summary
    assert line == 'asia, 94.7%: "hong" x2.8, "kong" x2.8 against "trade" x1.2'
