"""The trials of a search for people."""

from __future__ import annotations

from likely.evaluation.trials import Trial, Tuning
from likely.reports.text.tuning import MOST_TRIALS, tuning_text


def trials(number: int) -> list[Trial]:
    return [
        Trial({"alpha": at / 100, "ngrams": (1, 2)} if at else {}, "leave-one-out", 0.5, 0.75, 0.25, -0.5)
        for at in range(number)
    ]


def test_the_chosen_setting_comes_first_with_its_figures_and_its_command() -> None:
    lines = tuning_text(Tuning("auto", 100, 100, trials(2))).splitlines()
    assert lines[0] == "2 settings, each judged on 100 documents that it had not seen:"
    assert lines[2].split() == ["(plain)", "0.5000", "0.7500", "0.2500"]
    assert lines[3].split()[:2] == ["alpha=0.01", "ngrams=1,2"]
    assert lines[-1] == (
        "Chosen by log-loss, among the settings whose accuracy is about the best. "
        "The same options without the search: likely train DATA -o MODEL --plain"
    )


def test_a_sample_and_settings_that_are_not_shown_are_said_to_be_so() -> None:
    text = tuning_text(Tuning("f1:\x1bspam", 100, 2_000_000, trials(MOST_TRIALS + 3)))
    assert "judged on 100 of 2,000,000 documents" in text
    assert "\nand 3 more\n" in text
    assert "Chosen by f1:\\x1bspam." in text
    assert len(text.splitlines()) == MOST_TRIALS + 4


def test_weights_of_classes_that_were_chosen_have_their_reason() -> None:
    weighted = Trial({"class_weight": "balanced"}, "leave-one-out", 0.6, 0.7, 0.5, -0.6)
    text = tuning_text(Tuning("auto", 100, 100, [weighted, *trials(2)]))
    assert "and weights of classes by the F1 of a class that would hardly ever be predicted. The same options" in text
    assert "weights of classes" not in tuning_text(Tuning("auto", 100, 100, [weighted]))
