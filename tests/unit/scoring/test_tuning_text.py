"""The trials of a search for people."""

from __future__ import annotations

from likely.core.tuning_record import MOST_SHOWN, Trial, Tuning, not_taken, shown_trials, tuning_text
from likely.terminal import WIDTH, display_width


def trial(
    options: dict[str, object], log_loss: float = 0.5, accuracy: float = 0.75, terms: int | None = None
) -> Trial:
    return Trial(options, "leave-one-out", log_loss, accuracy, 0.25, -log_loss, terms)


def trials(number: int) -> list[Trial]:
    return [trial({"alpha": at / 100, "ngrams": (1, 2)} if at else {}) for at in range(number)]


def test_the_chosen_setting_is_marked_and_has_its_command() -> None:
    better = trial({"alpha": 0.5}, 0.6, 0.8)
    lines = tuning_text(Tuning("auto", 100, 100, [*trials(2), better])).splitlines()
    assert lines[0] == "3 settings, judged on 100 documents that the models had not seen:"
    assert [line.split() for line in lines[1:5]] == [
        ["log-loss", "accuracy", "macro-F1"],
        ["alpha=0.5", "0.6000", "0.8000", "0.2500"],
        [">", "alpha=1.0", "0.5000", "0.7500", "0.2500"],
        ["alpha=0.01", "ngrams=1,2", "0.5000", "0.7500", "0.2500"],
    ]
    assert " ".join(lines[5:-2]) == (
        "The row with > was chosen by log-loss, among the settings whose accuracy is about the best. "
        "The one above it is more accurate by 5.00 points, which may be chance; the chosen one has a lower "
        "log-loss, so better probabilities."
    )
    assert lines[-2:] == ["The same options without the search:", "  likely train DATA -o MODEL --plain"]


def test_a_sample_and_settings_that_are_not_shown_are_said_to_be_so() -> None:
    text = tuning_text(Tuning("f1:\x1bspam", 100, 2_000_000, trials(MOST_SHOWN + 3)))
    assert "judged on 100 of 2,000,000 documents" in text
    assert "\nand 3 more\n" in text
    assert "The row with > was chosen by f1:\\x1bspam." in text


def test_the_chosen_setting_is_always_shown() -> None:
    chosen = trial({"alpha": 3.0}, 0.4, 0.5)
    shown = shown_trials(Tuning("auto", 100, 100, [chosen, *trials(30)]))
    assert len(shown) == MOST_SHOWN
    assert shown[-1] is chosen


def test_weights_of_classes_that_were_chosen_have_their_reason() -> None:
    weighted = Trial({"class_weight": "balanced"}, "leave-one-out", 0.6, 0.7, 0.5, -0.6)
    text = " ".join(tuning_text(Tuning("auto", 100, 100, [weighted, *trials(2)])).split())
    assert "and weights of classes by the F1 of a class that would hardly ever be predicted." in text
    assert "by at most 5.00 points, but without weights a rare class is hardly ever predicted." in text
    assert "weights of classes" not in tuning_text(Tuning("auto", 100, 100, [weighted]))


def test_each_reason_is_one_sentence() -> None:
    chosen = trial({"min_documents": 2}, 0.50, 0.90, 1_000)
    larger, later = trial({}, 0.49, 0.91, 90_000), trial({"alpha": 0.1}, 0.6, 0.92, 90_000)
    stemmed = trial({"min_documents": 2, "stem": "english"}, 0.499, 0.905, 900)
    crossed = Trial({"variant": "nbsvm"}, "cross-validation", 0.49, 0.93, 0.9, -0.49)
    found = not_taken(Tuning("auto", 100, 100, [chosen, larger, later, stemmed, crossed]))
    assert found == [
        "2 settings above it are more accurate by at most 2.00 points, but the chosen one keeps 1,000 of 90,000 "
        "terms, so it loads and predicts faster (--prefer says how much that may cost).",
        "1 setting above it is more accurate by 0.50 points, which is not worth the time that stems or punctuation "
        "take.",
        "1 setting above it is more accurate by 3.00 points, but was judged by cross-validation, whose models learn "
        "fewer documents.",
    ]
    assert not_taken(Tuning("auto", 100, 100, [crossed, chosen])) == []


def test_other_goals_have_other_leads() -> None:
    chosen, other = trial({}, 0.5, 0.9, 10), trial({"ngrams": (1, 2)}, 0.4, 0.8, 10)
    found = not_taken(Tuning("log-loss", 9, 9, [chosen, other]))
    assert found == ["The one above it is better by 0.1000, which may be chance."]
    assert not_taken(Tuning("accuracy", 9, 9, [chosen])) == []


def test_the_table_fits_a_terminal() -> None:
    wide: dict[str, object] = {
        "variant": "complement_binary",
        "ngrams": (1, 3),
        "stem": "english",
        "punctuation": "keep",
        "document_weight": "equal",
        "class_weight": {"a very long label": 3, "another": 0.25},
    }
    found = [trial({**wide, "alpha": 0.1}, terms=12_345_678), trial({"weighting": "tfidf", "tf": "raw"}, terms=9)]
    text = tuning_text(Tuning("auto", 100, 100, found))
    *table, _, _ = text.splitlines()
    assert max(map(display_width, table)) <= WIDTH
    assert "complement_binary" in text


def test_options_that_all_settings_have_are_said_once() -> None:
    found = [trial({"ngrams": (1, 2), "alpha": at / 10}) for at in (1, 2)]
    text = tuning_text(Tuning("auto", 100, 100, found))
    assert "(all with ngrams=1,2)\n" in text
    assert text.count("ngrams=1,2") == 1


def test_models_of_a_part_of_the_documents_are_named() -> None:
    found = [trial({"alpha": at / 10}, terms=terms) for at, terms in ((1, 900), (2, 900), (3, 500))]
    said = "judged by models of a part of the documents"
    assert said in " ".join(tuning_text(Tuning("auto", 100, 100, found)).split())
    assert said not in " ".join(tuning_text(Tuning("auto", 100, 100, found[:2])).split())
