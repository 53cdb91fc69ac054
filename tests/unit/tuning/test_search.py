"""The search for options: which trial is chosen, what it may change, and how long it takes."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import OptionError
from likely.options.model import with_preset
from likely.reading.rows import Labelled
from likely.sample import load_sample
from likely.training import material, search
from likely.training.material import SCORES_PER_SECOND, Budget, Judged, judge

if TYPE_CHECKING:
    from likely.core.leave_one_out import LeftOut

TEXTS, LABELS = load_sample()


MEASURES = ["auto", "log-loss", "accuracy", "macro-f1", "f1:positive"]


@pytest.fixture(scope="module")
def tuned() -> NaiveBayes:
    return likely.train(TEXTS, LABELS)


def three() -> tuple[list[str], list[str]]:
    """Topics, with words that two of them share."""
    rng = np.random.default_rng(3)
    words = {"a": "cat dog bird the of", "b": "car dog road the of", "c": "sun rain road the", "d": "sun the of x"}
    labels = rng.choice(list(words), 200, p=[0.4, 0.3, 0.2, 0.1]).tolist()
    texts = [" ".join(rng.choice(words[label].split(), rng.integers(1, 12))) for label in labels]
    return [f"{text} n{at}" for at, text in enumerate(texts)], labels  # no two are copies


@pytest.mark.parametrize("tune_for", MEASURES)
def test_the_options_alone_give_the_same_model(tune_for: str) -> None:
    model = likely.train(TEXTS, LABELS, tune=tune_for)
    assert model.tuning_ is not None
    plain = likely.train(TEXTS, LABELS, **model.tuning_.options)
    assert plain.tuning_ is None
    assert without_tuning(model) == to_bytes(plain._snapshot())


def without_tuning(model: NaiveBayes) -> bytes:
    snapshot = model._snapshot()
    options = {**snapshot.options, "tune": None, "budget": None}
    return to_bytes(replace(snapshot, options=options, tuning=None, chosen=()))


def test_what_was_tried_is_remembered(tuned: NaiveBayes, tmp_path: Path) -> None:
    tuned.save(tmp_path / "a")
    for again in (likely.load(tmp_path / "a"), pickle.loads(pickle.dumps(tuned))):
        assert again.tuning_ == tuned.tuning_
        assert to_bytes(again._snapshot()) == to_bytes(tuned._snapshot())
    assert tuned.tuning_ is not None
    shown = str(tuned.tuning_)
    assert tuned.tuning_.command in shown
    assert (tuned.tuning_.documents, tuned.tuning_.of) == (480, 480)


@pytest.mark.parametrize("data", ["sample", "three"])
@pytest.mark.parametrize("tune_for", ["log-loss", "accuracy", "macro-f1", "f1:positive", "f1:d"])
def test_the_best_trial_is_chosen_and_its_figures_are_true(data: str, tune_for: str) -> None:
    texts, labels = (TEXTS, LABELS) if data == "sample" else three()
    if tune_for.startswith("f1:") and tune_for.removeprefix("f1:") not in labels:
        with pytest.raises(OptionError, match="there is no class"):
            likely.train(texts, labels, tune=tune_for)
        return
    model = likely.train(texts, labels, tune=tune_for)
    tuning = model.tuning_
    assert tuning is not None
    values = [trial.value for trial in tuning.trials]
    assert values == sorted(values, reverse=True)
    assert len({str(trial.options) for trial in tuning.trials}) == len(tuning.trials)
    best = tuning.trials[0]
    guesses = model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
    assert best.accuracy == pytest.approx(np.mean(guesses == np.array(labels)))
    assert model.calibration_ is not None
    assert best.log_loss == pytest.approx(model.calibration_.after["log_loss"], rel=1e-6)
    expected = {"log-loss": -best.log_loss, "accuracy": best.accuracy, "macro-f1": best.macro_f1}
    f1 = [f1_of(guesses, labels, each) for each in sorted(set(labels))]
    assert best.macro_f1 == pytest.approx(np.mean(f1))
    if tune_for.startswith("f1:"):
        assert model.threshold_choice_ is not None
        before, after = model.threshold_choice_.classes[0].f1
        assert before == pytest.approx(f1_of(guesses, labels, tune_for.removeprefix("f1:")))
        assert best.value == pytest.approx(after)
    else:
        assert best.value == expected[tune_for]


def f1_of(guesses: Any, labels: list[str], label: str) -> float:
    mine, own = guesses == label, np.array(labels) == label
    return float(2 * (mine & own).sum() / (mine.sum() + own.sum()))


GIVEN: list[dict[str, Any]] = [
    {"variant": "bernoulli"},
    {"alpha": 2.5},
    {"ngrams": (1, 1)},
    {"ngrams": (2, 3)},
    {"analyzer": "char_wb", "ngrams": (2, 4)},
    {"analyzer": "both"},
    {"hash_bits": 12},
    {"stop_words": "en", "lowercase": False},
    {"weighting": "tfidf"},
    {"weighting": "tfidf", "norm": "l2"},
    {"min_documents": 3, "max_terms": 100},
    {"max_documents": 0.5},
    {"stem": "english"},
    {"document_weight": "equal"},
    {"task": "sentiment"},
    {"task": "language"},
    {"prior": "uniform"},
    {"spelling": "on"},
    {"negation": "on"},
    {"variant": "complement"},
    {"variant": "complement_normalized"},
    {"abstain": 0.9, "calibrate": False},
]


@pytest.mark.parametrize("options", GIVEN, ids=str)
@pytest.mark.parametrize("size", [20, 120])
def test_options_that_are_given_are_held(options: dict[str, Any], size: int) -> None:
    texts, labels = TEXTS[:size], LABELS[:size]
    if size >= 30 and (set(options) & {"max_terms", "spelling"} or options.get("norm") == "l2"):
        with pytest.raises(OptionError, match="leave_one_out is not defined with"):
            likely.train(texts, labels, tune="accuracy", **options)
        return
    model = likely.train(texts, labels, tune="accuracy", **options)
    values, held = model._options(), with_preset(options)
    assert {name: values[name] for name in held} == held
    alike = NaiveBayes(**model.get_params()).set_params(calibrate=False).fit(texts, labels)
    assert model.counts_table() == alike.counts_table()
    assert np.array_equal(model.predict_joint_log_proba(texts), alike.predict_joint_log_proba(texts))
    if size >= 30:
        assert model.tuning_ is not None
        assert (model.calibration_ is None) == (options.get("calibrate") is False)
    assert to_bytes(pickle.loads(pickle.dumps(model))._snapshot()) == to_bytes(model._snapshot())


@pytest.mark.parametrize("how", [{"tune": "accuracy"}, {"prefer": "strongest"}], ids=str)
@pytest.mark.parametrize("size", [20, 60])
def test_what_nothing_goes_together_with_is_an_error_or_works(how: dict[str, Any], size: int) -> None:
    try:
        model = likely.train(TEXTS[:size], LABELS[:size], variant="nbsvm", **how)
    except OptionError:
        return
    alike = NaiveBayes(**model.get_params()).fit(TEXTS[:size], LABELS[:size])
    assert (model.predict_joint_log_proba(TEXTS) == alike.predict_joint_log_proba(TEXTS)).all()


def test_budgets() -> None:
    assert Budget.of(" 1.5 m ").seconds == 90
    assert Budget.of("1h").seconds == 3600
    assert Budget(1).documents(100, 2) <= Budget(10).documents(100, 2)
    assert without_tuning(likely.train(TEXTS, LABELS, budget="1s")) == without_tuning(
        likely.train(TEXTS, LABELS, budget=1)
    )


def test_the_strongest_of_a_small_corpus() -> None:
    model = likely.train(TEXTS, LABELS, prefer="strongest")
    assert model.tuning_ is not None
    ways = {trial.way for trial in model.tuning_.trials}
    assert ways == {"leave-one-out", "cross-validation"}
    learned = [trial for trial in model.tuning_.trials if trial.way == "cross-validation"]
    assert all(trial.options["variant"] == "nbsvm" for trial in learned)
    assert model.score(TEXTS, LABELS) > 0.9
    again = likely.train(TEXTS, LABELS, **model.tuning_.options)
    assert (again.predict_joint_log_proba(TEXTS) == model.predict_joint_log_proba(TEXTS)).all()


def test_the_work_of_a_search_is_bounded_with_many_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def watched(left: LeftOut, *rest: Any) -> Judged:
        done.append(left.joint.size)
        return judge(left, *rest)

    monkeypatch.setattr(search, "judge", watched)
    texts = [f"w{at // 2} common a b{at % 7} c" for at in range(800)]
    likely.train(texts, [at // 2 for at in range(800)], budget="1s")
    assert len(done) > 10
    assert max(done) <= SCORES_PER_SECOND
    assert sum(done) <= 100 * SCORES_PER_SECOND


def in_any_order(texts: list[str], labels: list[str]) -> list[NaiveBayes]:
    order = np.random.default_rng(1).permutation(len(texts)).tolist()
    return [likely.train(texts, labels), likely.train([texts[at] for at in order], [labels[at] for at in order])]


def test_large_data_give_the_model_of_the_chosen_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "LARGE", 1_000)
    monkeypatch.setattr(material, "SUBSET", sum(map(len, TEXTS)) // 3)
    one, other = in_any_order(TEXTS, LABELS)
    assert to_bytes(one._snapshot()) == to_bytes(other._snapshot())
    assert one.tuning_ is not None
    assert one.tuning_.of == len(TEXTS)
    alike = NaiveBayes(**one.tuning_.options).fit(TEXTS, LABELS)
    assert one.counts_table() == alike.counts_table()
    trial = one.tuning_.trials[0]
    guesses = one.classes_[one.leave_one_out(TEXTS, LABELS).argmax(axis=1)]
    assert trial.accuracy == pytest.approx(np.mean(guesses == np.array(LABELS)), abs=0.15)  # few are judged
    assert one.calibration_ is not None


@pytest.mark.parametrize("large", [1_000, 40_000_000])
def test_the_model_does_not_depend_on_how_much_is_held_in_memory(monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(material, "LARGE", large)
    held = likely.train(TEXTS, LABELS)
    monkeypatch.setattr(material, "HELD", 1_000)
    assert to_bytes(likely.train(TEXTS, LABELS)._snapshot()) == to_bytes(held._snapshot())


def test_large_data_are_not_searched_for_phrases_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "LARGE", 1_000)
    monkeypatch.setattr(material, "MOST_TERMS", 3_000)
    tuning = likely.train(TEXTS, LABELS).tuning_
    assert tuning is not None
    assert not any("ngrams" in trial.options for trial in tuning.trials)


@pytest.mark.parametrize("tune_for", ["macro-f1", "auto"])
def test_the_strongest_setting_is_also_tried_with_weights_of_classes(tune_for: str) -> None:
    tuning = likely.train(*three(), prefer="strongest", tune=tune_for).tuning_
    assert tuning is not None
    learned = [trial for trial in tuning.trials if trial.options.get("variant") == "nbsvm"]
    weighted = {trial.options["class_weight"]: trial for trial in learned if "class_weight" in trial.options}
    plain = [trial for trial in learned if "class_weight" not in trial.options]
    assert len(plain) >= len(search.LEARNED_SETTINGS)
    first = weighted["sqrt_balanced"]
    (same,) = [trial for trial in plain if trial.options | {"class_weight": "sqrt_balanced"} == first.options]
    assert same.log_loss == min(trial.log_loss for trial in plain)
    assert ("balanced" in weighted) <= (first.value > max(trial.value for trial in plain))


def test_weights_of_classes_are_not_tried_without_need() -> None:
    tuning = likely.train(TEXTS, LABELS, prefer="strongest", tune="macro-f1").tuning_
    assert tuning is not None
    assert not any("class_weight" in trial.options for trial in tuning.trials)


def test_settings_that_are_far_worse_are_tried_on_few_documents_only(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, labels = three()
    whole = likely.train(texts, labels).tuning_
    monkeypatch.setattr(search, "LEAST_JUDGED", 30)
    few = likely.train(texts, labels).tuning_
    assert whole is not None
    assert few is not None
    assert len(few.trials) < len(whole.trials)
    assert few.trials[0].accuracy >= whole.trials[0].accuracy - 0.05


def test_the_strongest_is_searched_for_on_more_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum(map(len, TEXTS))
    monkeypatch.setattr(material, "LARGE", size // 2)
    monkeypatch.setattr(material, "SUBSET", size // 2)
    batch = [Labelled(TEXTS, LABELS)]
    assert material.gather(batch, None, {}, Budget()).subset is not None
    assert material.gather(batch, None, {}, Budget(), strongest=True).subset is None
