"""The trials of a search for people."""

from __future__ import annotations

from likely.core.tuning_record import MOST_SHOWN, Trial, Tuning, shown_trials
from likely.terminal import WIDTH, display_width


def trial(
    options: dict[str, object], log_loss: float = 0.5, accuracy: float = 0.75, terms: int | None = None
) -> Trial:
    return Trial(options, "leave-one-out", log_loss, accuracy, 0.25, -log_loss, terms)


def trials(number: int) -> list[Trial]:
    return [trial({"alpha": at / 100, "ngrams": (1, 2)} if at else {}) for at in range(number)]


def test_the_chosen_setting_is_marked_and_has_its_command() -> None:
    better = trial({"alpha": 0.5}, 0.6, 0.8)
    lines = str(Tuning("auto", 100, 100, [*trials(2), better])).splitlines()
    assert lines[0] == "3 settings, judged on 100 documents that the models had not seen:"
    assert [line.split() for line in lines[1:5]] == [
        ["log-loss", "accuracy", "macro-F1"],
        ["alpha=0.5", "0.6000", "0.8000", "0.2500"],
        [">", "alpha=1.0", "0.5000", "0.7500", "0.2500"],
        ["alpha=0.01", "ngrams=1,2", "0.5000", "0.7500", "0.2500"],
    ]
    assert " ".join(lines[5:-2]) == (
        "The row with > was chosen by log-loss, among the settings whose accuracy is about the best. "
        "A row above it is not clearly better, or costs much more time and memory (see --prefer)."
    )
    assert lines[-2:] == ["The same options without the search:", "  likely train DATA -o MODEL --plain"]


def test_a_sample_and_settings_that_are_not_shown_are_said_to_be_so() -> None:
    text = str(Tuning("f1:\x1bspam", 100, 2_000_000, trials(MOST_SHOWN + 3)))
    assert "judged on 100 of 2,000,000 documents" in text
    assert "\nand 3 more\n" in text
    assert "The row with > was chosen by f1:\\x1bspam." in text


def test_the_chosen_setting_is_always_shown() -> None:
    chosen = trial({"alpha": 3.0}, 0.4, 0.5)
    shown = shown_trials(Tuning("auto", 100, 100, [chosen, *trials(30)]))
    assert len(shown) == MOST_SHOWN
    assert shown[-1] is chosen


def test_the_table_fits_a_terminal() -> None:
    wide: dict[str, object] = {
        "variant": "complement_binary",
        "ngrams": (1, 3),
        "stem": "english",
        "punctuation": "keep",
        "document_weight": "equal",
        "class_weight": {"a very long label": 3, "another": 0.25},
    }
    found = [trial({**wide, "alpha": 0.1}, terms=12_345_678), trial({"weighting": "tfidf_raw"}, terms=9)]
    text = str(Tuning("auto", 100, 100, found))
    *table, _, _ = text.splitlines()
    assert max(map(display_width, table)) <= WIDTH
    assert "complement_binary" in text


def test_options_that_all_settings_have_are_said_once() -> None:
    found = [trial({"ngrams": (1, 2), "alpha": at / 10}) for at in (1, 2)]
    text = str(Tuning("auto", 100, 100, found))
    assert "(all with ngrams=1,2)\n" in text
    assert text.count("ngrams=1,2") == 1
