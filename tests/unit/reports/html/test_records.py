"""Records of a model as HTML."""

from __future__ import annotations

from likely.evaluation.coverage import Coverage
from likely.evaluation.trials import Trial, Tuning
from likely.scoring.calibration import Calibration
from likely.scoring.calibration_record import CalibrationRecord

MEASURES: dict[str, float | None] = {"expected_calibration_error": 0.01, "brier": 0.125, "log_loss": None}


def trial(options: dict[str, object], log_loss: float, accuracy: float) -> Trial:
    return Trial(options, "leave-one-out", log_loss, accuracy, 0.25, -log_loss, 1_200)


def test_the_chosen_setting_is_marked() -> None:
    found = [trial({"alpha": 0.1}, 0.4, 0.8), *(trial({"alpha": 0.2}, 0.5, 0.81) for _ in range(20))]
    page = Tuning("f1:<b>", 100, 100, found)._repr_html_()
    assert page.count("(chosen)") == 1
    assert "<b>alpha=0.1</b> (chosen)" in page
    assert "and 9 more settings" in page
    assert "f1:&lt;b&gt;" in page
    assert "<code>likely train DATA -o MODEL --alpha 0.1 --thresholds f1:&lt;b&gt;" in page or "f1:&lt;b&gt;" in page


def test_a_calibration_shows_its_sentence_and_what_abstaining_gains() -> None:
    curve = [Coverage(0.9, 0.5, 0.9), Coverage(0.6, 1.0, 0.75)]
    record = CalibrationRecord(Calibration(1.5, 0.25, 0.0), 1234, MEASURES, MEASURES, curve, changed=3.0)
    page = record._repr_html_()
    assert "When it says 90 %, it is right 87 to 92 times in 100." in page
    assert "3 documents learned or forgotten since." in page
    assert "undefined" in page
    assert page.count("<tr>") == 4 + 3, "two rows of coverage"
    assert "tau" not in page
