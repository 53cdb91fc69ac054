"""Rows to a model: every way gives the same one, to the last bit."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import likely
import pytest
from likely import NaiveBayes
from likely.core.file import from_bytes, to_bytes
from likely.errors import ModelFileError, StoreError
from likely.server.keeper import Correction, Keeper
from likely.server.replay import Base, catch_up, counts_of, digest_of, pack, rebuild, relabelled, sum_of
from likely.server.store.ledger import Entry
from likely.server.store.sqlite import SqliteStore

from .conftest import Open  # noqa: TC001


def test_a_base_that_changes_is_refused(base: Path) -> None:
    found = Base(base)
    assert found.load().classes_.tolist() == ["+", "-"]
    NaiveBayes().fit(["other"], ["x"]).save(base)
    with pytest.raises(ModelFileError, match="it was changed while it was in use"):
        found.load()


def test_a_missing_base_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"cannot load '.*missing.likely': there is no such file"):
        Base(tmp_path / "missing.likely").load()


def test_a_store_never_belongs_to_a_file_that_cannot_be_loaded(base: Path, tmp_path: Path) -> None:
    damaged, store = tmp_path / "damaged.likely", tmp_path / "a.store"
    data = bytearray(base.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    with pytest.raises(ModelFileError, match=r"damaged.likely"):
        Keeper.open(damaged, store)
    with Keeper.open(base, store) as keeper:
        assert keeper.status.can_learn


def test_the_digest_is_that_of_the_utf8() -> None:
    assert digest_of("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
    assert digest_of("é") != digest_of("e\u0301"), "texts are not normalized"
    assert digest_of("\ud800") != digest_of("\ud801"), "halves of characters have digests too"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"variant": "bernoulli", "analyzer": "both", "hash_bits": 12},
        {"weighting": "tfidf", "ngrams": (1, 3), "stop_words": "en"},
        {"document_weight": "equal", "stem": "english", "negation": "on"},
        {"prior": {"+": 0.7, "-": 0.3}, "class_weight": {"-": 3}, "abstain": {"margin": 0.9, "label": "?"}},
    ],
)
@pytest.mark.parametrize("text", ["", "not good, 漢字 👍🏽 good", "a\x00b"])
def test_what_is_unpacked_is_what_was_packed(options: dict[str, Any], text: str) -> None:
    base = ["so good", "very dull"], ["+", "-"]
    direct, packed = NaiveBayes(**options).fit(*base), NaiveBayes(**options).fit(*base)
    lesson = packed._count_one(text, "-")
    packed._correct(from_bytes(pack(lesson)).counts, None)
    assert to_bytes(packed._snapshot()) == to_bytes(direct.learn([text], ["-"])._snapshot())


def test_another_label_is_another_lesson(reviews: tuple[list[str], list[str]]) -> None:
    model = NaiveBayes().fit(*reviews)
    plus, minus = (model._count_one("so good", label) for label in "+-")
    assert pack(relabelled(plus, "-")) == pack(minus)


def test_counts_of_anything_but_one_document_are_refused() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "y"])
    entry = Entry(3, "", "learn", "", "x", counts=pack(model._count_one("a", "x")))
    assert counts_of(entry).live().labels == ["x"]
    for counts, why in (
        (None, "are erased"),
        (b"damaged", "are damaged"),
        (pack(model._snapshot().counts), "are not those of one document"),
        (pack(model._count_one("a", "y")), "are not those of one document"),
    ):
        with pytest.raises(StoreError, match=f"the counts of entry 3 {why}"):
            counts_of(Entry(3, "", "learn", "", "x", counts=counts))


def test_fold_and_base_give_the_same_model(opened: Open, base: Path, tmp_path: Path) -> None:
    keeper = opened()
    keeper.learn([Correction(f"text {at}", "+-"[at % 2]) for at in range(9)])
    keeper.fold()
    keeper.forget(text="text 3")
    keeper.learn([Correction("text 9", "-"), Correction("text 4", "-")])
    store = SqliteStore(tmp_path / "a.store")
    with store.reading() as ledger:
        whole, last = rebuild(ledger, lambda: likely.load(base), lambda _: None)
        folded, at = rebuild(ledger, lambda: pytest.fail("the base is not needed"), store.load_fold)
        stepwise = likely.load(base)
        assert list(catch_up(stepwise, ledger, 0)) == [last] == [at] == [13]
    store.close()
    found = {to_bytes(each._snapshot()) for each in (whole, folded, stepwise, keeper.model)}
    assert len(found) == 1


def test_rows_of_another_model_are_refused(base: Path, tmp_path: Path) -> None:
    other = NaiveBayes(ngrams=(1, 2))._count_one("good fun", "+")
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        ledger.append(Entry(1, "", "learn", "d", "+", counts=pack(other)))
        with pytest.raises(StoreError, match="do not fit the model"):
            list(catch_up(likely.load(base), ledger, 0))
    store.close()


def test_forgetting_what_was_never_learned_is_refused(base: Path, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        ledger.append(Entry(1, "", "forget", "d", "+", of=7))
        with pytest.raises(StoreError, match="forgets what was never learned"):
            list(catch_up(likely.load(base), ledger, 0))
    store.close()


def test_a_sum_leaves_its_parts_as_they_are() -> None:
    parts = [NaiveBayes()._count_one(text, "+") for text in ("a b", "b c")]
    before = [pack(each) for each in parts]
    total = sum_of(parts)
    assert total is not None
    assert total.totals().documents.tolist() == [2.0]
    assert [pack(each) for each in parts] == before
    assert sum_of([]) is None
