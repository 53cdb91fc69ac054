"""What a model remembers of its calibration, and how long it keeps it."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core import calibration as calibration_record
from likely.core.calibration import (
    MOST_SCORES,
    OUTDATED,
    calibrate,
    calibrated_on,
    fit_calibration,
    record_from,
    reliability,
)
from likely.core.file import to_bytes
from likely.core.leave_one_out import LeftOut
from likely.errors import ArgumentError, LabelError, TrainingWarning
from likely.formulas import log_posterior
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


NEW = ["a wonderful film", "dull dull dull and far too long", "", "zzz unheard", " ".join(TEXTS[:20])]


VARIANTS = ["multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm"]


def raw(joint: Any) -> Any:
    return log_posterior(joint, np.zeros(joint.shape[1]))


@pytest.mark.parametrize("variant", ["multinomial", "nbsvm"])
def test_documents_times_classes_bound_what_is_calibrated_on(variant: str) -> None:
    assert calibrated_on(variant, 2) == calibrated_on(variant) == {"multinomial": 5_000, "nbsvm": 20_000}[variant]
    for classes in (1_000, 16_000, 100_000):
        assert 30 <= calibrated_on(variant, classes) <= MOST_SCORES / classes
    assert calibrated_on(variant, 10**9) == 30


def test_a_model_of_many_classes_is_calibrated_on_few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_record, "MOST_SCORES", 4_000)
    texts, labels = [f"word{at // 2} c{at}" for at in range(200)], [at // 2 for at in range(200)]
    for model in (NaiveBayes(calibrate=True).fit(texts, labels), likely.train(texts, labels, alpha=0.1)):
        assert model.calibration_ is not None
        assert model.calibration_.documents == 40


def test_one_class_is_certain() -> None:
    found = calibrate(LeftOut(np.array([[-4.0], [-9.0]]), np.array([2.0, 5.0])), np.array([0, 0]))
    assert found.after == {"expected_calibration_error": 0.0, "brier": 0.0, "log_loss": 0.0}


def test_documents_that_are_alone_in_their_class_are_left_out() -> None:
    joint = np.array([[-1.0, -3.0, -np.inf], [-4.0, -2.0, -np.inf], [-1.0, -2.0, -np.inf]])
    length, own = np.array([3.0, 3.0, 4.0]), np.array([0, 1, 2])
    assert calibrate(LeftOut(joint, length), own).documents == 2
    assert fit_calibration(joint, length, own) == fit_calibration(joint[:2], length[:2], own[:2])
    with pytest.raises(ArgumentError, match="only one distinct document"):
        calibrate(LeftOut(joint[2:], length[2:]), own[2:])


def test_the_measures_by_hand() -> None:
    logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    found = reliability(logs, np.array([0, 1, 1, 1]))
    # Bins of 1/15: the two 0.9 together (one right), 0.6 (right) and 0.5 (wrong: the first class is guessed).
    assert found.expected_calibration_error == pytest.approx((abs(1.8 - 1) + abs(0.6 - 1) + 0.5) / 4)
    assert found.brier == pytest.approx((0.02 + 1.62 + 0.32 + 0.5) / 4)
    assert found.log_loss == pytest.approx(-np.log([0.9, 0.1, 0.6, 0.5]).mean())
    assert found.accuracy == 0.5


def test_a_class_that_was_impossible_has_infinite_loss_but_a_finite_score() -> None:
    with np.errstate(divide="ignore"):
        found = reliability(np.log([[1.0, 0.0]]), np.array([1]))
    assert found.to_dict() == {"expected_calibration_error": 1.0, "brier": 2.0, "log_loss": None}
    unknown = reliability(np.log([[0.5, 0.5]]), np.array([-1]))
    assert (unknown.brier, unknown.accuracy) == (1.5, 0.0)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_measures_are_those_of_scikit_learn(classes: int) -> None:
    from sklearn.metrics import brier_score_loss, log_loss

    rng = np.random.default_rng(7)
    probabilities, own = rng.dirichlet(np.ones(classes), 300), rng.integers(0, classes, 300)
    whole = reliability(np.log(probabilities), own)
    parts = reliability(np.log(probabilities[:100]), own[:100]) + reliability(np.log(probabilities[100:]), own[100:])
    assert whole.log_loss == pytest.approx(log_loss(own, probabilities, labels=range(classes)), abs=1e-12)
    squares = ((probabilities - np.eye(classes)[own]) ** 2).sum(axis=1).mean()
    assert whole.brier == pytest.approx(squares, abs=1e-12)
    if classes == 2:
        assert whole.brier == pytest.approx(2 * brier_score_loss(own, probabilities[:, 1]), abs=1e-12)
    assert parts.to_dict() == pytest.approx(whole.to_dict())
    assert (parts.sizes == whole.sizes).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_calibrating_helps_and_changes_nothing_else(variant: Any) -> None:
    plain = NaiveBayes(variant=variant).fit(TEXTS, LABELS)
    model = NaiveBayes(variant=variant).fit(TEXTS, LABELS).fit_calibration(TEXTS, LABELS)
    found = model.calibration_
    assert found is not None
    assert plain.calibration_ is None
    assert found.documents == len(TEXTS)
    after, before = found.after["log_loss"], found.before["log_loss"]
    assert after is not None
    assert before is not None
    assert after < before
    assert (model.predict_joint_log_proba(NEW) == plain.predict_joint_log_proba(NEW)).all()
    assert (model.predict(NEW) == plain.predict(NEW)).all()
    assert (model.predict_proba(NEW).argmax(axis=1) == plain.predict_proba(NEW).argmax(axis=1)).all()
    assert not np.allclose(model.predict_proba(NEW), plain.predict_proba(NEW))


def test_the_fit_is_that_of_the_scores_without_each_document() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS).fit_calibration(TEXTS, LABELS)
    joint = model.leave_one_out(TEXTS, LABELS)
    own = np.searchsorted(model.classes_, LABELS)
    found = model.calibration_
    assert found is not None
    assert found.before["log_loss"] == pytest.approx(-raw(joint)[np.arange(len(own)), own].mean(), rel=1e-9)


def test_a_text_without_known_words_gets_the_prior() -> None:
    texts, labels = TEXTS[:-60], LABELS[:-60]
    texts, labels = [*texts, *TEXTS[-60::2]], [*labels, *LABELS[-60::2]]
    model = NaiveBayes(calibrate=True).fit(texts, labels)
    assert model.predict_proba(["zzz qqq", ""])[1] == pytest.approx(np.exp(model.log_prior_), rel=1e-12)
    assert model.predict_proba(["zzz qqq"])[0] == pytest.approx(np.exp(model.log_prior_), rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"variant": "nbsvm"}, {"ngrams": (1, 2), "alpha": 0.1}], ids=str)
def test_the_option_fits_as_the_method_does(options: dict[str, Any]) -> None:
    by_option = NaiveBayes(calibrate=True, **options).fit(TEXTS, LABELS)
    by_hand = NaiveBayes(calibrate=True, **options)
    by_hand.learn(TEXTS, LABELS) if options.get("variant") != "nbsvm" else by_hand.fit(TEXTS, LABELS)
    # As many texts as there are, in whatever order: sums of numbers may be rounded otherwise.
    a, b = by_option.calibration_, by_hand.fit_calibration(TEXTS, LABELS).calibration_
    assert a is not None
    assert b is not None
    numbers = [(each.calibration.tau, each.calibration.gamma, each.calibration.delta) for each in (a, b)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-6, abs=1e-9)


def test_the_order_of_documents_changes_no_byte() -> None:
    models = [
        NaiveBayes(calibrate=True, threads=threads).fit(TEXTS[::step], LABELS[::step])
        for threads, step in ((1, 1), (3, -1))
    ]
    assert to_bytes(models[0]._snapshot()) == to_bytes(models[1]._snapshot())


def test_calibration_comes_back_to_the_bit(tmp_path: Path) -> None:
    model = NaiveBayes(calibrate=True, variant="complement").fit(TEXTS, LABELS)
    model.save(tmp_path / "a")
    for again in (likely.load(tmp_path / "a"), pickle.loads(pickle.dumps(model))):
        assert again.calibration_ == model.calibration_
        assert (again.predict_proba(NEW) == model.predict_proba(NEW)).all()
        assert to_bytes(again._snapshot()) == to_bytes(model._snapshot())


@pytest.mark.parametrize(
    "change",
    [{"alpha": 0.1}, {"variant": "binary"}, {"min_documents": 2}],
    ids=str,
)
def test_it_is_dropped_when_scores_change(change: dict[str, Any]) -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    before = model.predict_proba(NEW)
    model.set_params(**change)
    assert model.calibration_ is None
    plain = NaiveBayes(**change).fit(TEXTS, LABELS)
    with pytest.warns(TrainingWarning, match=f"calibrated with {next(iter(change))}="):
        assert np.allclose(model.predict_proba(NEW), plain.predict_proba(NEW), rtol=0, atol=1e-12)
    assert pickle.loads(pickle.dumps(model)).calibration_ is None
    model.set_params(**{name: getattr(NaiveBayes(), name) for name in change})
    assert model.calibration_ is not None
    assert (model.predict_proba(NEW) == before).all()


@pytest.mark.parametrize("change", [{"threads": 1}, {"abstain": 0.9}, {"calibrate": False}], ids=str)
def test_it_stays_when_scores_do(change: dict[str, Any]) -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    before = model.calibration_
    assert model.set_params(**change).calibration_ == before


def test_it_stays_while_learning_and_forgetting_and_goes_when_fitted_anew() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS).fit_calibration(TEXTS, LABELS)
    before, data = model.calibration_, to_bytes(replace(model._snapshot(), calibration=None))
    assert before is not None
    assert (before.of, before.changed, before.age) == (480, 0, 0)
    model.learn(["more of it"], ["positive"])
    assert model.calibration_ == replace(before, changed=1.0)
    model.forget(["more of it"], ["positive"])
    assert model.calibration_ == replace(before, changed=2.0)
    assert to_bytes(replace(model._snapshot(), calibration=None)) == data
    assert model.fit(TEXTS, LABELS).calibration_ is None


def test_what_cannot_be_calibrated_says_so() -> None:
    with pytest.raises(LabelError, match="unheard"):
        NaiveBayes().fit(TEXTS, LABELS).fit_calibration(TEXTS[:1], ["unheard"])
    with pytest.raises(ArgumentError, match="only one distinct document"):
        NaiveBayes(calibrate=True).fit(["a", "b"], ["x", "y"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_small_and_odd_data_are_calibrated_too(variant: Any) -> None:
    for texts, labels in (
        (["a b", "a c"], ["x", "x"]),
        (["a b", "a c", "d"], ["x", "x", "y"]),
        (["", "", "b", "", "c"], ["x", "x", "x", "y", "y"]),
        (["a", "b", "b"] * 10, [True, False, True] * 10),
    ):
        model = NaiveBayes(variant=variant, calibrate=True).fit(texts, labels)
        probabilities = model.predict_proba(["a", "b c", "", "zzz"])
        assert np.isfinite(probabilities).all()
        assert probabilities.sum(axis=1) == pytest.approx(1)


def test_the_implied_prior_is_kept_and_checked() -> None:
    record = NaiveBayes(calibrate=True).fit(TEXTS, LABELS).calibration_
    assert record is not None
    assert record.prior is not None
    assert sum(record.prior) == pytest.approx(1)
    document = record.to_dict()
    assert record_from(document) == record
    older = record_from(
        {name: value for name, value in document.items() if name not in ("prior", "of", "changed", "unknown")}
    )
    assert older.prior is None
    for bad in ([], [0.0, 1.0], [float("nan"), 1.0], ["a"], {"a": 1}, 0.5, [2.0], [0.5] * 1001):
        with pytest.raises(ValueError, match="prior of a calibration"):
            record_from(document | {"prior": bad})


def test_very_many_classes_have_no_implied_prior() -> None:
    numbers = list(range(1_200)) * 2
    texts = [f"w{number} {at // 1_200}" for at, number in enumerate(numbers)]
    model = NaiveBayes(calibrate=True).fit(texts, numbers)
    assert model.calibration_ is not None
    assert model.calibration_.prior is None
    assert model._shift(["w1", "w2"]).significant is False


def test_it_says_how_much_the_model_has_changed_since() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS[:100], LABELS[:100])
    model.learn(TEXTS[100:140], LABELS[100:140]).forget(TEXTS[100:110], LABELS[100:110])
    found = model.calibration_
    assert found is not None
    assert (found.of, found.changed, found.age) == (100, 50, OUTDATED)
    assert str(found).endswith("\n50 documents were learned or forgotten since then.")
    for copy in (pickle.loads(pickle.dumps(model)), record_from(found.to_dict())):
        assert getattr(copy, "calibration_", copy) == found
    model.learn(["one more"], ["positive"], sample_weight=[0.5])
    aged = model.calibration_
    assert aged is not None
    assert aged.changed == 50.5
    assert aged.age > OUTDATED
    renewed = model.fit_calibration(TEXTS[:100], LABELS[:100]).calibration_
    assert renewed is not None
    assert (renewed.of, renewed.changed) == (130.5, 0)
    assert "since" not in str(renewed)


def test_a_file_of_an_older_format_does_not_say_how_old_it_is() -> None:
    found = NaiveBayes(calibrate=True).fit(TEXTS, LABELS).calibration_
    assert found is not None
    old = {
        name: value for name, value in found.to_dict().items() if name not in ("prior", "of", "changed", "unknown")
    }
    assert record_from(old).age == 0
    for wrong in ({"of": -1}, {"changed": "1"}, {"of": None}, {"changed": float("inf")}, {"of": True}):
        with pytest.raises(ValueError, match="age of a calibration"):
            record_from(found.to_dict() | wrong)


@pytest.mark.parametrize("variant", ["multinomial", "bernoulli", "complement"])
@pytest.mark.parametrize("prior", ["uniform", {"negative": 0.9, "positive": 0.1}, {"negative": 0.0, "positive": 1.0}])
def test_another_prior_shifts_calibrated_probabilities(variant: Any, prior: Any, tmp_path: Path) -> None:
    texts, labels = TEXTS[:300], ["negative" if at % 3 else LABELS[at] for at in range(300)]
    model = NaiveBayes(variant=variant, calibrate=True).fit(texts, labels)
    expected, raw = model.predict_proba(NEW, prior=prior), model.predict_joint_log_proba(NEW, prior=prior)
    answers, shares = model.predict(NEW, prior=prior).tolist(), model.estimate_prior(texts)
    model.prior = prior
    model.save(tmp_path / "a")
    for each in (model, likely.load(tmp_path / "a"), pickle.loads(pickle.dumps(model))):
        assert each.calibration_ is not None
        assert np.allclose(each.predict_proba(NEW), expected, rtol=0, atol=1e-12)
        assert np.allclose(each.predict_joint_log_proba(NEW), raw, rtol=1e-12)
        assert each.predict(NEW).tolist() == answers
        assert [each.explain(text).label for text in NEW] == answers
        if prior == "uniform":
            assert each.estimate_prior(texts) == pytest.approx(shares, abs=0.01)
        own = each.predict_proba(NEW, prior="fitted")
        assert np.allclose(own, NaiveBayes(variant=variant, calibrate=True).fit(texts, labels).predict_proba(NEW))
    model.prior = "fitted"
    assert np.array_equal(model.predict_proba(NEW), own) or np.allclose(model.predict_proba(NEW), own)
