"""Labels that look like mistakes."""

from __future__ import annotations

from likely.evaluation.check import label_findings, misspellings
from likely.options.reading import ReadingOptions
from likely.reading.labels import doubts_about
from likely.reading.rows import Whole


def test_misspelled_labels() -> None:
    whole = Whole(["t"] * 103, [*["positive"] * 50, *["negative"] * 50, "postive", "negitive", "postive"])
    (finding,) = label_findings(whole, [], 3)
    assert (finding.serious, finding.rows) == (True, 3)
    assert "'postive' (2) for 'positive', 'negitive' (1) for 'negative'" in finding.says
    assert [(each.row, each.note) for each in finding.examples] == [(100, "for 'positive'"), (101, "for 'negative'")]


def test_names_that_are_only_alike_are_not_misspelled() -> None:
    assert not list(misspellings({"comp.sys.mac": 100, "comp.sys.max": 90}))
    assert not list(misspellings({"topic 1": 100, "topic 12": 2, "Topic 1": 1}))
    assert not list(misspellings({1: 100, 2: 1}))
    assert not list(misspellings({"pos": 100, "poss": 1})), "short names differ by little"
    assert not list(misspellings({"admiration;approval": 100, "admiration;disapproval": 2, "admiration": 3}))
    assert not list(misspellings({"believable": 100, "unbelievable": 2}))
    assert not list(misspellings({"customer service": 90, "customer services desk": 1})), "another word"
    assert list(misspellings({"admiration;approval": 100, "admiration;aproval": 2}))


def test_doubts_of_reading_are_told_with_their_flags() -> None:
    doubts = doubts_about({"spam": 70, "Spam": 2, "ham ": 3, "ham": 60}, ReadingOptions())
    whole = Whole(["t"] * 135, [*["spam"] * 70, *["Spam"] * 2, *["ham "] * 3, *["ham"] * 60])
    found = list(label_findings(whole, doubts, 3))
    assert [(each.rows, each.serious) for each in found] == [(3, True), (2, True)]
    assert "--strip-labels" in found[0].fix
    assert "--fold-labels" in found[1].fix
    assert [each.row for each in found[1].examples] == [70, 71]


def test_odd_names_of_columns_and_labels_do_no_harm() -> None:
    labels: list[str | int | bool] = [f"it's ({at}" for at in range(20)]
    doubts = doubts_about(dict.fromkeys(labels, 1), ReadingOptions(), column="a 'b' (c)")
    (finding,) = label_findings(Whole(["t"] * 20, labels), doubts, 3)
    assert finding.rows == 20
    assert "a 'b' (c)" in finding.says + finding.fix
