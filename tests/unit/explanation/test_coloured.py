"""The text of an explanation in colours."""

from __future__ import annotations

from likely import NaiveBayes
from likely.explanation.explanation import COLOURS, coloured

BLUE, ORANGE = (f"\x1b[{code}m" for code in COLOURS[:2])
END = "\x1b[0m"


def test_words_have_the_colour_of_the_class_they_speak_for() -> None:
    model = NaiveBayes().fit(["good plot", "dull plot"], ["+", "-"])
    text, legend = coloured(model.explain("good, dull plot zzz")).split("\n")
    assert text == f"{BLUE}good{END}, {ORANGE}dull{END} plot zzz", "plot speaks for neither, zzz is not known"
    assert legend == f"{BLUE}+{END}  {ORANGE}-{END}"


def test_texts_and_labels_do_not_steer_the_terminal() -> None:
    shown = coloured(NaiveBayes().fit(["good", "dull"], ["\x1b[5m", "-"]).explain("good \x1b[2J"))
    assert "\x1b[5m" not in shown
    assert "\x1b[2J" not in shown
    assert "\\x1b[2J" in shown


def test_without_known_words_nothing_is_coloured() -> None:
    model = NaiveBayes().fit(["good", "dull"], ["+", "-"])
    assert coloured(model.explain("zzz")).startswith("zzz\n")
    assert coloured(model.explain("")).startswith("\n")


def test_lines_stay_lines() -> None:
    model = NaiveBayes(tokenizer=lambda text: [text]).fit(["good\nplot", "dull"], ["+", "-"])
    shown = coloured(model.explain("good\nplot"))
    assert shown.split("\n")[:2] == [f"{BLUE}good{END}", f"{BLUE}plot{END}"]
