"""Fitting: options are chosen inside `fit` as `likely.train` chooses them, and what is given stays given."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import ArgumentError, OptionError, TrainingWarning
from likely.sample import load_sample
from likely.training.fit import Documents, fit
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

TEXTS, LABELS = load_sample()
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
FEW: Any = {"tune": "log-loss", "variant": "binary", "alpha": 0.3, "ngrams": (1, 1), "min_documents": 1}
"""Options with which tuning is quick, because little is left to choose."""


@pytest.fixture(scope="module")
def tuned() -> NaiveBayes:
    return NaiveBayes(tune="auto", lowercase=True).fit(TEXTS, LABELS)


@pytest.mark.parametrize("tune", ["auto", "macro-f1", "f1:positive"])
def test_it_chooses_as_training_does(tune: str) -> None:
    fitted = NaiveBayes(tune=tune).fit(TEXTS, LABELS)
    assert fitted.tuning_ is not None
    assert to_bytes(fitted._snapshot()) == to_bytes(likely.train(TEXTS, LABELS, tune=tune)._snapshot())


def test_values_in_use_are_those_chosen_but_only_given_ones_are_shown_and_cloned(tuned: NaiveBayes) -> None:
    assert tuned.tuning_ is not None
    chosen = tuned.tuning_.options
    assert chosen
    assert {name: tuned.get_params()[name] for name in chosen} == chosen
    assert tuned.calibrate is True
    assert repr(tuned) == "NaiveBayes(lowercase=True, tune='auto')"
    assert clone(tuned).get_params() == NaiveBayes(tune="auto", lowercase=True).get_params()


def test_what_was_chosen_is_dropped_by_the_next_fit_and_kept_if_it_is_given() -> None:
    model = NaiveBayes(tune="auto").fit(TEXTS, LABELS)
    assert model.variant == "binary"
    model.fit(TEXTS[:20], LABELS[:20])  # too few to choose from
    assert (model.variant, model.calibrate, model.tuning_) == ("multinomial", None, None)
    model.fit(TEXTS, LABELS).alpha = 7.0
    assert (model.variant, model.alpha) == ("binary", 7.0)
    assert clone(model).alpha == 7.0
    model.set_params(tune=None).fit(TEXTS, LABELS)
    assert (model.variant, model.alpha) == ("multinomial", 7.0)


def test_given_then_preset_then_chosen(tuned: NaiveBayes) -> None:
    model = pickle.loads(pickle.dumps(tuned)).set_params(task="topics")
    assert model.alpha == 0.03
    assert model.variant == "binary"
    assert model.set_params(variant="multinomial").variant == "multinomial"


def test_a_copy_knows_what_was_given_and_what_was_chosen(tuned: NaiveBayes, tmp_path: Path) -> None:
    tuned.save(tmp_path / "a")
    summed: Any = sum([tuned])
    for copy in (pickle.loads(pickle.dumps(tuned)), likely.load(tmp_path / "a"), summed):
        assert repr(copy) == repr(tuned)
        assert copy.get_params() == tuned.get_params()
        assert clone(copy).get_params() == clone(tuned).get_params()
    assert to_bytes(likely.load(tmp_path / "a")._snapshot()) == to_bytes(tuned._snapshot())


def test_processes_get_what_was_given_even_at_its_default() -> None:
    model = NaiveBayes(tune="auto", ngrams=(1, 1), task="spam", threads=2)
    assert repr(pickle.loads(pickle.dumps(model))) == repr(model)


def test_an_option_may_be_given_beside_a_chosen_one(tmp_path: Path) -> None:
    model = NaiveBayes._with({"tune": "auto"}, {"weighting": "tfidf"})._fit_again(Documents.held(TEXTS, LABELS))
    model.max_terms = 500
    model.save(tmp_path / "a")
    summed: Any = sum([model])
    for copy in (pickle.loads(pickle.dumps(model)), likely.load(tmp_path / "a"), summed):
        assert copy.get_params() == model.get_params()


def test_batches_are_not_enough_to_choose() -> None:
    for learn in (NaiveBayes(tune="auto").learn, NaiveBayes(tune="auto").partial_fit):
        with pytest.raises(OptionError, match="tune='auto' needs all documents at once"):
            learn(TEXTS, LABELS)
    model = NaiveBayes(**FEW).fit(TEXTS, LABELS)
    assert model.learn(["more of it"], ["positive"]).tuning_ is not None
    model.forget([*TEXTS, "more of it"], [*LABELS, "positive"]).learn(TEXTS, LABELS)
    assert model.counts_table() == NaiveBayes(**FEW).fit(TEXTS, LABELS).counts_table()


def test_options_of_tuning_need_tuning() -> None:
    tuned: list[dict[str, Any]] = [{"budget": "5s"}, {"prefer": "strongest"}]
    for options in tuned:
        with pytest.raises(OptionError, match="has no effect with tune=None"):
            NaiveBayes(**options)
    with pytest.raises(OptionError, match="did you mean 'tune'"):
        likely.train(TEXTS, LABELS, tune_for="accuracy")


def test_contradictions_are_found_before_anything_is_read() -> None:
    def batches() -> Any:
        raise AssertionError("it was read")
        yield

    with pytest.raises(OptionError, match="has no effect"):
        fit(Documents(batches(), None), {"tune": "auto", "stem": "english", "analyzer": "char"})


# Weights and groups


WEIGHTS = np.random.default_rng(5).choice([1.0, 2.0, 3.5], len(TEXTS))


@pytest.mark.parametrize("options", [{"calibrate": True}, FEW], ids=str)
def test_weights_go_together_with_choosing_and_calibrating(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS, WEIGHTS)
    plain = NaiveBayes(**model.get_params()).set_params(tune=None, calibrate=None).fit(TEXTS, LABELS, WEIGHTS)
    assert model.calibration_ is not None
    assert model.counts_table() == plain.counts_table()


@pytest.mark.parametrize("options", [{"calibrate": True}, FEW], ids=str)
def test_a_document_of_weight_0_is_ignored(options: dict[str, Any]) -> None:
    weights = [*WEIGHTS.tolist(), 0]
    model = NaiveBayes(**options).fit([*TEXTS, "unheard of"], [*LABELS, "unheard"], weights)
    assert model.classes_.tolist() == ["negative", "positive"]
    with pytest.raises(ArgumentError):
        NaiveBayes(**options).fit(TEXTS, LABELS, [0] * len(TEXTS))
    with pytest.raises(ArgumentError, match="one per document"):
        NaiveBayes(**options).fit(TEXTS, LABELS, [1])


def test_weights_below_1_do_not_fail() -> None:
    weights = np.where(np.arange(len(TEXTS)) % 2, 0.25, 1.0)
    options: dict[str, Any]
    for options in ({"calibrate": True}, FEW):
        assert NaiveBayes(**options).fit(TEXTS, LABELS, weights).predict(["a wonderful film"]) == ["positive"]


def test_there_is_one_group_per_document() -> None:
    groups = [at // 2 for at in range(len(TEXTS))]
    assert NaiveBayes(**FEW).fit(TEXTS, LABELS, groups=groups).tuning_ is not None
    with pytest.raises(ArgumentError, match="one group per document"):
        NaiveBayes(calibrate=True).fit(TEXTS, LABELS, groups=groups[1:])


# Inside scikit-learn


def by_hand(**options: Any) -> float:
    """The mean log-loss of models that `likely.train` makes in each fold."""
    losses = []
    for train, test in FOLDS.split(TEXTS, LABELS):
        model = likely.train([TEXTS[at] for at in train], [LABELS[at] for at in train], **options)
        held = [TEXTS[at] for at in test]
        losses.append(log_loss([LABELS[at] for at in test], model.predict_proba(held), labels=model.classes_))
    return float(np.mean(losses))


def crossed(model: NaiveBayes) -> float:
    return -float(cross_val_score(model, TEXTS, LABELS, cv=FOLDS, scoring="neg_log_loss").mean())


def test_cross_validation_tunes_inside_each_fold() -> None:
    assert crossed(NaiveBayes(tune="auto")) == pytest.approx(by_hand(), rel=0.1)


@pytest.mark.parametrize(
    "options", [{"plain": True, "calibrate": True}, {"alpha": 0.1, "ngrams": (1, 2)}, FEW], ids=str
)
def test_a_clone_of_a_trained_model_is_calibrated_too(options: dict[str, Any]) -> None:
    trained = likely.train(TEXTS, LABELS, **options)
    assert crossed(trained) == pytest.approx(by_hand(**options), rel=1e-6)
    assert crossed(clone(trained).set_params(calibrate=False)) != pytest.approx(crossed(trained), rel=1e-4)


def test_a_grid_search_keeps_the_calibration() -> None:
    search = GridSearchCV(likely.train(TEXTS, LABELS, alpha=1.0), {"alpha": [0.1, 1.0]}, cv=FOLDS).fit(TEXTS, LABELS)
    assert search.best_estimator_.calibration_ is not None


def test_calibrate_false_is_obeyed() -> None:
    for model in (
        NaiveBayes(**FEW, calibrate=False).fit(TEXTS, LABELS),
        likely.train(TEXTS, LABELS, calibrate=False),
    ):
        assert model.tuning_ is not None
        assert model.calibration_ is None
        assert model.calibrate is False
    assert NaiveBayes().fit(TEXTS, LABELS).calibration_ is None


def test_documents_that_cannot_be_judged_are_told() -> None:
    for groups in (["one"] * len(TEXTS), LABELS):
        with pytest.warns(TrainingWarning, match="options were not tuned"):
            model = NaiveBayes(tune="auto").fit(TEXTS, LABELS, groups=groups)
        assert model.tuning_ is None
        assert model.calibration_ is None
    missing: list[object] = [None, float("nan"), ""]
    assert NaiveBayes(**FEW).fit(TEXTS, LABELS, groups=missing * (len(TEXTS) // 3)).tuning_ is not None


@pytest.mark.parametrize("kinds", [16, 64])
def test_templated_texts_are_not_judged_by_each_other(kinds: int) -> None:
    texts = [chr(0x4E00 + at) for at in range(kinds)] * 30  # without its copies, a text has no known word
    labels = ["a", "b"] * (len(texts) // 2)
    with pytest.warns(TrainingWarning, match="options were not tuned"):
        model = NaiveBayes(tune="auto").fit(texts, labels)
    assert model.tuning_ is None
    assert model.calibration_ is None
    assert model.predict_proba(texts[:1]).max() > 0.9
    assert likely.train(texts, labels, alpha=0.5).calibration_ is None


def test_weights_of_any_size_are_judged() -> None:
    plain = NaiveBayes(calibrate=True).fit(TEXTS, LABELS).calibration_
    for size in (1e-6, 0.5, 1e6):
        found = NaiveBayes(calibrate=True).fit(TEXTS, LABELS, sample_weight=[size] * len(TEXTS)).calibration_
        assert found is not None
        assert plain is not None
        assert found.documents == plain.documents


def test_a_tokenizer_reads_the_texts_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("text,label\nso-so film,1\ngood film,2\n")
    assert likely.train(tmp_path / "data.csv", tokenizer=str.split).vocabulary_ == ["film", "good", "so-so"]
