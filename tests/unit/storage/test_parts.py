"""The two parts of a model file: which terms come first, and what a file may say about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.core.file import from_bytes, to_bytes
from likely.core.manifest import Parts, divide, parts_from
from likely.errors import ModelFileError

from .conftest import Reviews, forged, read, restored

TEXTS, LABELS = ["good fun", "a good plot", "a bad plot"], ["+", "+", "-"]


def model(**options: Any) -> NaiveBayes:
    return NaiveBayes(**({"min_documents": 2} | options)).fit(TEXTS, LABELS)


def test_kept_terms_have_the_first_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    saved = model().save(path)
    file = pq.ParquetFile(path)
    groups = [file.read_row_group(at)["term"].to_pylist() for at in range(file.num_row_groups)]
    assert groups == [["a", "a", "good", "plot", "plot"], ["bad", "fun"]]
    assert saved.terms == 5
    loaded = likely.load(path)
    assert (loaded.terms_, loaded.vocabulary_, loaded._state.has_rest) == (5, ["a", "good", "plot"], True)
    assert loaded.counts("fun")["+"].count == 1
    assert not loaded._state.has_rest


@pytest.mark.parametrize(
    "options",
    [{"min_documents": 1}, {"max_documents": 0.9, "min_documents": 1}, {"spelling": "on"}],
    ids=["no rule", "a rule that keeps all", "spelling"],
)
def test_a_file_whose_terms_are_all_needed_has_one_part(options: Any) -> None:
    snapshot = model(**options)._snapshot()
    order, parts = divide(snapshot)
    assert parts is None
    assert order.tolist() == list(range(snapshot.counts.terms))
    assert from_bytes(to_bytes(snapshot)).rest is None


def test_no_term_may_be_kept() -> None:
    found = restored(to_bytes(model(min_documents=9)._snapshot()))
    assert (found.vocabulary_, found.terms_) == ([], 5)
    assert found.predict(["bad"]).tolist() == ["+"]
    assert found.set_params(min_documents=1).predict(["bad"]).tolist() == ["-"]


def test_the_file_may_be_replaced_while_its_rest_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    model().save(path)
    loaded = likely.load(path)
    path.write_bytes(b"something else")
    assert loaded.learn(["fun"], ["+"]).counts("fun")["+"].count == 2


def test_weights_of_classes_to_come_do_not_prevent_saving() -> None:
    options: Any = {"min_documents": 2, "class_weight": {"?": 2.0}}
    waiting = NaiveBayes(**options).learn(TEXTS, LABELS)
    again = restored(to_bytes(waiting._snapshot())).learn(["what"], ["?"])
    assert to_bytes(again._snapshot()) == to_bytes(waiting.learn(["what"], ["?"])._snapshot())


def test_what_is_usually_unknown_is_remembered(reviews: Reviews) -> None:
    trained = NaiveBayes(min_documents=2, ngrams=(1, 2)).fit(*reviews)
    loaded = restored(to_bytes(trained._snapshot()))
    usual = trained._shift(["good"]).usual
    assert usual is not None
    assert usual > 0
    assert loaded._shift(["good"]).usual == usual
    assert loaded._state.has_rest


def test_questions_about_every_term_read_the_rest() -> None:
    trained = model()
    asks: list[Callable[[NaiveBayes], object]] = [
        lambda found: found.counts("fun"),
        lambda found: found._term_row("fun"),
        lambda found: found.ratio("fun"),
        lambda found: found.leave_one_out(TEXTS, LABELS).tolist(),
        lambda found: found.log_likelihood("fun", "+"),
    ]
    for ask in asks:
        loaded = restored(to_bytes(trained._snapshot()))
        assert ask(loaded) == ask(trained)
        assert not loaded._state.has_rest


def test_damage_in_the_second_part_is_found_when_the_file_is_loaded() -> None:
    data = to_bytes(model()._snapshot())
    for at in range(data.index(b"fun"), len(data) - 8, 5):
        with pytest.raises(ModelFileError):
            from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    with pytest.raises(ModelFileError):
        from_bytes(data[: len(data) // 2])


def test_a_forger_can_only_make_the_rest_unreadable() -> None:
    table, document = read(to_bytes(model()._snapshot()))
    assert document["kept_terms"] == {"terms": 3, "of": 5, "usual_unknown": 1.0}
    with pytest.raises(ModelFileError, match="not sorted"):  # one row group for both parts
        from_bytes(forged(table, document))
    with pytest.raises(ModelFileError, match="more or fewer terms"):
        from_bytes(forged(table.sort_by("term"), document))
    twice = table.take([0, 1, 2, 3, 4, 0, 5, 6])
    for rows, message in ((table, "more or fewer terms"), (twice, "classes of a term are not sorted")):
        told = document | {"kept_terms": {"terms": 3, "of": 9, "usual_unknown": None}}
        snapshot = from_bytes(forged(rows, told, parts=[5]))
        assert np.isfinite(NaiveBayes._from_snapshot(snapshot).predict_proba(["good"])).all()
        with pytest.raises(ModelFileError, match=f"cannot read the rest of the model file: .*{message}"):
            snapshot.whole()


def test_more_tokens_than_the_classes_have_are_refused() -> None:
    table, document = read(to_bytes(model()._snapshot()))
    document["classes"][0]["tokens"] = 1
    with pytest.raises(ModelFileError, match="tokens"):
        from_bytes(forged(table, document, parts=[5]))


@pytest.mark.parametrize(
    "stored",
    [
        7,
        {},
        {"terms": 3, "of": 5},
        {"terms": 5, "of": 5, "usual_unknown": None},
        {"terms": -1, "of": 5, "usual_unknown": None},
        {"terms": True, "of": 5, "usual_unknown": None},
        {"terms": 1, "of": 2**32, "usual_unknown": None},
        {"terms": 1, "of": 5, "usual_unknown": -0.5},
        {"terms": 1, "of": 5, "usual_unknown": None, "more": 1},
    ],
)
def test_numbers_that_no_file_has_are_refused(stored: Any) -> None:
    with pytest.raises(ModelFileError, match="kept terms"):
        parts_from(stored)


def test_numbers_come_back() -> None:
    parts = Parts(2, 5, 0.25)
    assert parts_from(vars(parts)) == parts
    assert parts_from(None) is None
