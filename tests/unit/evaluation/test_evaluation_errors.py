"""What a model confuses, and its worst errors, for people."""

from __future__ import annotations

from likely import NaiveBayes, evaluate
from likely.evaluation.evaluation import MOST_PAIRS, Mistake, confusion_text, mistakes_text


def test_a_matrix_has_a_column_for_documents_without_an_answer() -> None:
    text = evaluate(["a", "a", "b"], ["a", None, "b"]).describe()
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["gold", "\\", "predicted", "a", "b", "no", "answer"],
        ["a", "1", "0", "1"],
        ["b", "0", "1", "0"],
    ]


def test_where_nothing_is_confused_there_is_nothing_to_show() -> None:
    gold = [str(at) for at in range(20)]
    assert confusion_text(evaluate(gold, gold)) == ""


def test_a_matrix_that_does_not_fit_becomes_pairs() -> None:
    gold = [at * 10**9 for at in range(8)]
    assert confusion_text(evaluate(gold * 2, (gold[1:] + gold[:1]) * 2)).startswith("Most confused:\n")


def test_few_pairs_are_shown() -> None:
    gold = [f"c{at:02}" for at in range(20)]
    text = confusion_text(evaluate(gold, gold[1:] + gold[:1]))
    assert len(text.splitlines()) == 2 + MOST_PAIRS


def test_the_worst_errors_are_told_with_words_and_text() -> None:
    model = NaiveBayes().fit(["good fun", "dull bad"], ["pos", "neg"])
    found = model.evaluate(["so good\nand good fun", "dull", "bad"], ["neg", "neg", "pos"])
    assert mistakes_text(found, details=True).splitlines() == [
        "The worst of 2 errors (gold label -> prediction, and the words for it):",
        "row 1: neg -> pos 88.9%: so good and good fun",
        "  good +1.4, fun +0.69",
        "row 3: pos -> neg 66.7%: bad",
        "  bad +0.69",
    ]
    assert mistakes_text(found).splitlines() == [
        "The worst of 2 errors (gold label -> prediction):",
        "row 1: neg -> pos 88.9%: so good and good fun",
        "row 3: pos -> neg 66.7%: bad",
    ]
    assert mistakes_text(evaluate(["a"], ["b"])) == ""


def test_an_error_without_words_or_text() -> None:
    without = Mistake(0, None, "a", "b", 0.75, 0.25, [])
    assert str(without) == "row 1: a -> b 75.0%"
    assert str(Mistake(0, "", "a", "b", 0.75, 0.25, [])).endswith("75.0%\n  no word, but the prior")


def test_hostile_texts_are_harmless() -> None:
    shown = str(Mistake(0, "\x1b[31m \u202eevil", "\x07", "b", 0.75, 0.25, [("\x1b", 120.4)]))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b +120" in shown
