"""Figures in the text format of Prometheus."""

from __future__ import annotations

import re

from likely.server.http.exposition import MOST_LABELS, lines
from likely.server.http.messages import DriftAnswer, DriftClass
from likely.server.http.metrics import Metrics

NONE = DriftAnswer(0, 0, None, None, None, 0, None, [], 1)


def told(metrics: Metrics, drift: DriftAnswer = NONE) -> list[str]:
    return lines(metrics, drift, [1_000], None)


def drift(*labels: str) -> DriftAnswer:
    classes = [DriftClass(label, 1 / (at + 2), 0.25, None) for at, label in enumerate(labels)]
    return DriftAnswer(8, 100, 0.3, 0.1, 0.2, 1, "these texts are unlike the training data", classes, 1)


def test_the_histogram_adds_up() -> None:
    metrics = Metrics()
    for seconds in (0.0001, 0.0005, 0.003, 0.7, 100.0):
        metrics.requested("/predict", 200, seconds)
    found = told(metrics)
    buckets = [int(line.rpartition(" ")[2]) for line in found if line.startswith("likely_request_seconds_bucket")]
    assert buckets == [2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5]
    assert 'likely_request_seconds_count{route="/predict"} 5' in found
    assert 'likely_request_seconds_sum{route="/predict"} 100.703600' in found


def test_only_the_largest_classes_have_figures_of_their_own() -> None:
    metrics = Metrics()
    labels = [f"class{number}" for number in range(80)]
    metrics.predicted([*labels, None], 40.0)
    found = told(metrics, drift(*labels))
    assert sum(line.startswith("likely_training_share{") for line in found) == MOST_LABELS
    assert 'likely_predictions_total{class="",kind="other"} 30' in found
    assert 'likely_predictions_total{class="",kind="abstained"} 1' in found
    assert "likely_known_share_sum 40.000000" in found
    assert "likely_known_share_count 81" in found


def test_drift_is_told() -> None:
    metrics = Metrics(terms=100.0, known_terms=70.0)
    found = told(metrics, drift("+", "-"))
    for line in (
        "likely_terms_total 100",
        "likely_unknown_terms_total 30",
        "likely_drift_texts 8",
        "likely_unknown_share 0.3",
        "likely_usual_unknown_share 0.1",
        "likely_class_distance 0.2",
        "likely_drift_warning 1",
        'likely_training_share{class="+"} 0.5',
        'likely_predicted_share{class="-"} 0.25',
    ):
        assert line in found
    assert not any(line.startswith("likely_estimated_share{") for line in found), "it is not known"


def test_each_process_has_its_memory() -> None:
    found = lines(Metrics(), NONE, [1_000, 2_000], None)
    assert 'process_resident_memory_bytes{worker="1"} 2000' in found


def test_labels_cannot_break_out() -> None:
    metrics = Metrics()
    hostile = 'a"} 1\nlikely_evil 1\\'
    metrics.predicted([hostile], 1.0)
    for line in told(metrics, drift(hostile)):
        assert "\n" not in line
        assert line.startswith("#") or re.fullmatch(r'\w+(\{(\w+="([^"\\\n]|\\.)*",?)*\})? [0-9.e+-]+', line), line
