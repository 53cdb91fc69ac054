"""`likely.check`: everything about a source in one report, also for hostile sources."""

from __future__ import annotations

import json
from pathlib import Path

import likely
import pytest
from likely.errors import ArgumentError, SourceError
from likely.evaluation import check as module
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def kinds(found: likely.evaluation.check.DataCheck) -> list[str]:
    return [each.kind for each in found.findings]


def test_good_data_has_nothing_serious() -> None:
    found = likely.check(TEXTS, LABELS)
    assert found.rows == 480
    assert found.classes == {"negative": 240, "positive": 240}
    assert found.serious == []
    assert json.loads(json.dumps(found.to_dict()))["rows"] == 480


def test_serious_findings_come_first() -> None:
    found = likely.check([*TEXTS, *TEXTS[:40], "\x00"], [*LABELS, *LABELS[1:41], "positive"])
    assert "contradictions" in [each.kind for each in found.serious]
    assert [each.serious for each in found.findings] == sorted(
        (each.serious for each in found.findings), reverse=True
    )


def test_a_file_with_doubtful_labels(tmp_path: Path) -> None:
    path = tmp_path / "films.csv"
    path.write_text('review,sentiment\ngood fun,pos\nGood fun!,neg\nso dull,neg\n"dull, dull",Neg\nno,\n')
    assert {"labels", "unreadable"} <= {each.kind for each in likely.check(path).serious}


def test_one_class() -> None:
    found = likely.check(["good", "bad"], ["x", "x"])
    assert [each.kind for each in found.serious] == ["classes"]


def test_all_copies() -> None:
    found = likely.check(["the same text"] * 50, ["x", "y"] * 25)
    assert {"copies", "contradictions"} <= set(kinds(found))


def test_a_windows_export(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    rows = "".join(f"Das schöne Café – Nr. {at};{'gut' if at % 2 else 'schlecht'}\r\n" for at in range(60))
    path.write_bytes(("Text;Klasse\r\n" + rows).encode("cp1252"))
    found = likely.check(path)
    assert found.rows == 60
    assert "encoding" not in kinds(found), "the encoding is recognised while the file is read"


def test_many_classes() -> None:
    texts = [f"{text} topic{at % 52}" for at, text in enumerate(TEXTS)]
    found = likely.check(texts, [f"class {at % 52}" for at in range(480)])
    assert len(found.classes) == 52
    assert "classes" in kinds(found)
    assert str(found)


def test_labels_that_are_numbers() -> None:
    assert likely.check(TEXTS, [label == "positive" for label in LABELS]).serious == []


def test_only_some_rows_are_judged_by_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SUSPECTED", 100)
    found = likely.check(TEXTS, LABELS)
    assert found.notes == ["Only the first 100 rows were searched for mislabelled documents."]


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(SourceError):
        likely.check(tmp_path / "empty.csv")
    with pytest.raises(ArgumentError):
        likely.check([], [])
