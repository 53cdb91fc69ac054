"""`likely learn --calibrate`: a calibration is renewed on learned documents, and commands say when it is time."""

from __future__ import annotations

import csv
from pathlib import Path

import likely
import pytest
from likely.sample import load_sample

from .conftest import Run  # noqa: TC001

TEXTS, LABELS = load_sample()


def written(path: Path, start: int, end: int) -> Path:
    with path.open("w", newline="") as file:
        rows = zip(TEXTS[start:end], LABELS[start:end], strict=True)
        csv.writer(file).writerows([("text", "label"), *rows])
    return path


@pytest.fixture
def old(run: Run, tmp_path: Path) -> Path:
    written(tmp_path / "few.csv", 0, 100)
    written(tmp_path / "more.csv", 100, 480)
    written(tmp_path / "all.csv", 0, 480)
    run("train", "few.csv", "-o", "old.likely", "--alpha", "0.1")
    return tmp_path / "old.likely"


def test_commands_say_that_a_calibration_is_old_and_calibrate_renews_it(run: Run, old: Path, tmp_path: Path) -> None:
    assert "Renew the calibration" in run("learn", old, "more.csv").err
    assert "380 documents were learned or forgotten since" in run("inspect", old).out
    assert run("inspect", old, "--json").json["calibration"]["changed"] == 380
    before = old.read_bytes()
    done = run("learn", old, "all.csv", "-o", "new.likely", "--json", "--calibrate")
    assert old.read_bytes() == before
    expected = likely.load(old).fit_calibration(TEXTS, LABELS).calibration_
    found = likely.load(tmp_path / "new.likely").calibration_
    assert expected is not None
    assert found is not None
    assert found.changed == 0
    assert found.calibration.tau == pytest.approx(expected.calibration.tau, rel=1e-6)
    assert done.json["after"] == pytest.approx(found.after)
    assert done.json["before"]["log_loss"] > done.json["after"]["log_loss"]
    shown = run("learn", old, "all.csv", "--calibrate").out
    assert shown.startswith("Calibrated on 480 documents.\nWrote ")
    assert "expected calibration error" in shown
    assert "since" not in run("inspect", old).out
    assert "Renew" not in run("forget", old, "few.csv").err


def test_texts_that_were_not_learned_are_refused(run: Run, old: Path, tmp_path: Path) -> None:
    before = old.read_bytes()
    assert "was not learned" in run("learn", old, "more.csv", "--calibrate", status=2).err
    assert old.read_bytes() == before
    (tmp_path / "empty.csv").write_text("text,label\n")
    run("learn", old, "empty.csv", "--calibrate", status=2)


def test_groups_are_only_for_calibrating(run: Run, old: Path) -> None:
    assert "--group is only used with --calibrate" in run("learn", old, "more.csv", "--group", "label", status=2).err


def test_a_merged_model_is_calibrated_as_the_larger_one(run: Run, old: Path, tmp_path: Path) -> None:
    run("train", "more.csv", "-o", "large.likely", "--alpha", "0.1")
    large = likely.load(tmp_path / "large.likely").calibration_
    assert large is not None
    for models in ([old, "large.likely"], ["large.likely", old]):
        assert "Renew" not in run("merge", *models, "-o", "both.likely").err
        both = likely.load(tmp_path / "both.likely").calibration_
        assert both is not None
        assert (both.calibration, both.changed) == (large.calibration, 100)


def test_a_merged_model_that_is_not_calibrated_says_so(run: Run, old: Path) -> None:
    run("train", "more.csv", "-o", "other.likely", "--alpha", "0.5", "--no-calibrate")
    assert "the merged model is not calibrated" in run("merge", "other.likely", old, "-o", "both.likely").err


def test_an_option_that_makes_probabilities_raw_is_announced(run: Run, old: Path) -> None:
    done = run("predict", old, "--text", "a wonderful film", "--proba", "--alpha", "0.5")
    assert done.err.startswith("probabilities are raw: the model was calibrated with alpha=0.1")
    assert len(done.err.splitlines()) == 1
    assert not run("predict", old, "--text", "a wonderful film", "--proba", "--prior", "uniform").err
