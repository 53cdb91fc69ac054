"""Thresholds as text."""

from __future__ import annotations

from likely.core.decisions import ClassDecision, ThresholdChoice, thresholds_text


def decision(threshold: float | None, after: float) -> ClassDecision:
    return ClassDecision("spam\x1b", 29, threshold, (0.03, after), (0.5, 0.4), (0.06, 0.42))


def test_a_choice_says_what_it_changes_and_how_to_turn_it_off() -> None:
    text = thresholds_text(ThresholdChoice({"spam\x1b": 0.12}, False, 2_400, (0.991, 0.99), [decision(0.12, 0.45)]))
    assert "because they are rare: from this probability on they are predicted" in " ".join(text.split())
    assert "Measured on 2,400 documents" in " ".join(text.split())
    assert text.splitlines()[3].split()[:3] == ["documents", "threshold", "recall"]
    assert "0.03 -> 0.45" in text
    assert "The accuracy changes from 0.9910 to 0.9900. --thresholds none" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "Warning" not in text
    asked = thresholds_text(ThresholdChoice({"spam\x1b": 0.12}, True, 2_400, (0.991, 0.99), [decision(0.12, 0.45)]))
    assert "as you asked" in asked
    assert "--thresholds none" not in asked


def test_a_class_that_is_hardly_ever_predicted_is_a_warning_with_the_flags_that_help() -> None:
    text = thresholds_text(ThresholdChoice({}, False, 2_400, (0.99, 0.99), [decision(None, 0.03)]))
    assert " ".join(text.split()) == (
        "Warning: hardly ever predicted: spam\\x1b (recall 0.03 of 29 documents). To find more of them: "
        "--thresholds f1:spam\\x1b, --tune f1:spam\\x1b or --class-weight balanced."
    )


def test_nothing_is_said_if_there_is_nothing_to_say() -> None:
    assert thresholds_text(ThresholdChoice({}, False, 2_400, (0.99, 0.99), [])) == ""
