"""Figures in the text format of Prometheus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likely.server.http.metrics import MOST_LABELS, Metrics

if TYPE_CHECKING:
    from likely.types import Label


def test_the_histogram_adds_up() -> None:
    metrics = Metrics()
    for seconds in (0.0001, 0.0005, 0.003, 0.7, 100.0):
        metrics.requested("/predict", 200, seconds)
    lines = metrics.lines({})
    buckets = [int(line.rpartition(" ")[2]) for line in lines if line.startswith("likely_request_seconds_bucket")]
    assert buckets == [2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5]
    assert 'likely_request_seconds_count{route="/predict"} 5' in lines
    assert 'likely_request_seconds_sum{route="/predict"} 100.703600' in lines


def test_only_the_largest_classes_have_figures_of_their_own() -> None:
    metrics = Metrics()
    shares: dict[Label, float] = {f"class{number}": 1 / (number + 2) for number in range(80)}
    metrics.predicted([*shares, None], 40.0)
    lines = metrics.lines(shares)
    assert sum(line.startswith("likely_training_share{") for line in lines) == MOST_LABELS
    assert 'likely_predictions_total{class="",kind="other"} 30' in lines
    assert 'likely_predictions_total{class="",kind="abstained"} 1' in lines
    assert lines[-5:-3] == ["likely_known_share_sum 40.000000", "likely_known_share_count 81"]


def test_labels_cannot_break_out() -> None:
    metrics = Metrics()
    hostile = 'a"} 1\nlikely_evil 1\\'
    metrics.predicted([hostile], 1.0)
    for line in metrics.lines({hostile: 1.0}):
        assert "\n" not in line
        assert line.startswith("#") or re.fullmatch(r'\w+(\{(\w+="([^"\\\n]|\\.)*",?)*\})? [0-9.e+-]+', line), line
