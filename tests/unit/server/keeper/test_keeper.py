"""A model and its store: what is acknowledged is in both, and several keepers of one store agree."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from datetime import date, datetime, tzinfo
from pathlib import Path

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import (
    GuardError,
    LabelError,
    NotAdditiveError,
    NotLearnedError,
    OptionError,
    StoreError,
    TextError,
)
from likely.server import corrections
from likely.server.keeper import Correction, Guards, Keeper, RateLimit
from likely.server.replay import digest_of
from likely.server.store import Fold, Position  # noqa: TC002
from likely.server.store.backup import restore_backup, write_backup
from likely.server.store.sqlite import SqliteStore

from .conftest import Open  # noqa: TC001


def bytes_of(keeper: Keeper) -> bytes:
    return to_bytes(keeper.model._snapshot())


def test_a_correction_changes_the_next_prediction(opened: Open) -> None:
    keeper = opened()
    assert keeper.model.predict(["zap zap"])[0] == "+"
    outcome = keeper.learn([Correction("zap zap zap", "-")])[0]
    assert (outcome.seq, outcome.what, outcome.label, outcome.before) == (1, "learned", "-", None)
    assert keeper.model.predict(["zap zap"])[0] == "-"


def test_the_same_text_counts_once_and_another_label_moves_it(opened: Open, base: Path) -> None:
    keeper = opened()
    assert [keeper.learn([Correction("zap", label)])[0].what for label in "--+"] == ["learned", "known", "moved"]
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["zap"], ["+"])._snapshot())


def test_forgetting_equals_never_having_seen_it(opened: Open, base: Path) -> None:
    keeper = opened()
    keeper.learn([Correction(text, "-", source="ann") for text in ("one secret", "two secrets")])
    keeper.learn([Correction("three", "+", source="bob")])
    assert [each.what for each in keeper.forget(source="ann")] == ["forgotten", "forgotten"]
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["three"], ["+"])._snapshot())
    keeper.forget(digest=digest_of("three"))
    assert bytes_of(keeper) == base.read_bytes()


def test_a_pruned_model_learns_and_forgets_what_it_has_learned(tmp_path: Path) -> None:
    whole = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
    whole.save(tmp_path / "pruned.likely", min_documents=2)
    before = (tmp_path / "pruned.likely").read_bytes()
    with Keeper.open(tmp_path / "pruned.likely", tmp_path / "pruned.store") as keeper:
        assert keeper.status.can_learn
        keeper.learn([Correction("bad fun", "-"), Correction("so so", "+")])
        expected = likely.load(tmp_path / "pruned.likely").learn(["bad fun", "so so"], ["-", "+"])
        assert bytes_of(keeper) == to_bytes(expected._snapshot())
        keeper.learn([Correction("so so", "-")])
        keeper.forget(text="so so")
        keeper.fold()
        keeper.undo(1)
        assert bytes_of(keeper) == before
    with pytest.raises(NotAdditiveError, match="forget documents"):
        likely.load(tmp_path / "pruned.likely").forget(["bad plot"], ["-"])
    with pytest.raises(NotAdditiveError, match="forget documents"):
        _ = likely.load(tmp_path / "pruned.likely") - whole


def learn_on(monkeypatch: pytest.MonkeyPatch, keeper: Keeper, day: int, *texts: str) -> None:
    """Learn texts on a day of January 2026."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(2026, 1, day, 12, tzinfo=tz)

    with monkeypatch.context() as patch:
        patch.setattr(corrections, "datetime", Clock)
        keeper.learn([Correction(text, "-") for text in texts])


def test_forgetting_what_is_older_is_exact_and_makes_the_file_smaller(
    opened: Open, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = opened()
    learn_on(monkeypatch, keeper, 9, *(f"old{number}" for number in range(300)))
    learn_on(monkeypatch, keeper, 10, "kept")
    learn_on(monkeypatch, keeper, 11, "newest")
    keeper.fold()
    store = Path(keeper._opened().name)
    before = store.stat().st_size
    assert keeper.forget(before=date(2026, 1, 9)) == []
    assert {each.what for each in keeper.forget(before=date(2026, 1, 10))} == {"forgotten"}
    assert keeper.forget(before=date(2026, 1, 10)) == []
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["kept", "newest"], ["-", "-"])._snapshot())
    keeper.fold()
    assert store.stat().st_size < before / 2
    keeper.close()
    again = opened()
    assert bytes_of(again) == to_bytes(likely.load(base).learn(["kept", "newest"], ["-", "-"])._snapshot())
    with pytest.raises(OptionError, match="give one of"):
        again.forget(source="ann", before=date(2026, 1, 10))


def test_what_was_never_learned_is_not_forgotten(opened: Open) -> None:
    keeper = opened()
    with pytest.raises(NotLearnedError):
        keeper.forget(text="good fun")
    with pytest.raises(NotLearnedError):
        keeper.forget(digest="0" * 64)
    keeper.learn([Correction("zap", "-", source="ann")])
    assert [len(keeper.forget(source="ann")) for _ in "12"] == [1, 0], "what is wished for is so already"
    with pytest.raises(OptionError, match="give one of text, digest, source and before"):
        keeper.forget(text="a", source="b")
    with pytest.raises(OptionError):
        keeper.forget()


def test_all_or_none_of_a_request_is_learned(opened: Open, base: Path) -> None:
    keeper = opened(guards=Guards(classes=3))
    with pytest.raises(GuardError, match="'b' would be a new class"):
        keeper.learn([Correction("x", "a"), Correction("y", "b")])
    assert keeper.status.seq == 0
    assert keeper.history() == []
    assert bytes_of(keeper) == base.read_bytes()
    assert keeper.learn([Correction("x", "a")])[0].seq == 1


def test_labels_that_do_not_fit_are_refused_before_anything_is_written(opened: Open) -> None:
    keeper = opened()
    with pytest.raises(LabelError, match="is of type int"):
        keeper.learn([Correction("x", 1)])
    with pytest.raises(GuardError, match="the label is empty"):
        keeper.learn([Correction("x", "")])
    with pytest.raises(TextError):
        keeper.learn([Correction(None, "+")])  # type: ignore[arg-type]
    assert keeper.status.seq == 0


def test_labels_of_two_types_are_refused_also_in_an_empty_model(opened: Open) -> None:
    keeper = opened(model=None)
    with pytest.raises(LabelError):
        keeper.learn([Correction("x", 1), Correction("y", "a")])
    assert keeper.learn([Correction("x", 1)])[0].label == 1
    assert keeper.model.predict(["x"]).tolist() == [1]


def test_an_empty_model_learns_and_forgets_everything(opened: Open, tmp_path: Path) -> None:
    keeper = opened(model=None)
    assert (keeper.model._state.is_fitted, keeper.status.can_learn) == (False, True)
    keeper.learn([Correction("good", "+"), Correction("bad", "-")])
    assert bytes_of(keeper) == to_bytes(NaiveBayes().fit(["good", "bad"], ["+", "-"])._snapshot())
    keeper.forget(text="good")
    keeper.forget(text="bad")
    keeper.fold()
    keeper.close()
    again = opened(model=None)
    assert not again.model._state.is_fitted
    assert again.learn([Correction("good", "+")])[0].what == "learned"
    assert b"good" not in (tmp_path / "a.store-4.likely").read_bytes()


def test_a_key_is_used_once(opened: Open) -> None:
    keeper = opened()
    first = keeper.learn([Correction("zap", "-", key="k1")])
    keeper.forget(text="zap", key="k2")
    assert keeper.learn([Correction("zap", "-", key="k1")]) == first, "answered, but not learned again"
    assert keeper.forget(text="zap", key="k2")[0].seq == 2
    assert keeper.undo(key="k3") == keeper.undo(key="k3")
    assert keeper.status.seq == 3


def test_undo_goes_back_step_by_step(opened: Open, base: Path) -> None:
    keeper = opened(keep_texts=True)
    keeper.learn([Correction("zap", "-")])
    keeper.learn([Correction("zap", "+")])
    keeper.forget(text="zap")
    labels = []
    for _ in range(3):
        outcome = keeper.undo()
        labels.append((outcome.what, outcome.label, outcome.before))
    assert labels == [("undone", "+", None), ("undone", "-", "+"), ("undone", None, "-")]
    assert bytes_of(keeper) == base.read_bytes()
    with pytest.raises(NotLearnedError, match="nothing to undo"):
        keeper.undo()


def test_one_entry_is_undone_and_that_is_undone(opened: Open, base: Path) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-"), Correction("zip", "+")])
    undone = keeper.undo(1)
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["zip"], ["+"])._snapshot())
    with pytest.raises(NotLearnedError, match="entry 1 cannot be undone"):
        keeper.undo(1)
    keeper.undo(undone.seq)
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["zap", "zip"], ["-", "+"])._snapshot())
    with pytest.raises(NotLearnedError, match="there is no entry 99"):
        keeper.undo(99)


def test_what_is_erased_cannot_be_undone(opened: Open) -> None:
    keeper = opened(keep_texts=True)
    keeper.learn([Correction("a secret", "-")])
    keeper.forget(text="a secret")
    keeper.fold()
    with pytest.raises(NotLearnedError, match="erased"):
        keeper.undo()
    assert [(each.is_erased, each.text) for each in keeper.history()] == [(False, None), (True, None)]


def test_history_comes_in_pages(opened: Open) -> None:
    keeper = opened(keep_texts=True)
    keeper.learn([Correction(f"text {at}", "+", source="ann") for at in range(5)])
    page = keeper.history(limit=2)
    assert [(each.seq, each.text, each.source) for each in page] == [(5, "text 4", "ann"), (4, "text 3", "ann")]
    assert [each.seq for each in keeper.history(before=4)] == [3, 2, 1]


def test_texts_are_kept_only_if_that_is_wished(opened: Open, tmp_path: Path) -> None:
    keeper = opened()
    keeper.learn([Correction("never write this down", "+")])
    assert keeper.history()[0].text is None
    keeper.close()
    assert b"never write this" not in (tmp_path / "a.store").read_bytes()


def test_another_keeper_takes_over_what_one_has_learned(opened: Open) -> None:
    one, other = opened(), opened()
    one.learn([Correction("zap", "-"), Correction("zip", "+")])
    one.forget(text="zip")
    assert other.refresh() == 3
    assert other.refresh() == 0
    assert bytes_of(one) == bytes_of(other)
    other.learn([Correction("zup", "-")])
    one.learn([Correction("zop", "-")])  # which first takes over what the other has learned
    assert one.refresh() == 0
    assert other.refresh() == 1
    assert bytes_of(one) == bytes_of(other)


def test_a_keeper_that_is_behind_an_erasure_begins_anew(opened: Open, base: Path) -> None:
    one, other = opened(), opened()
    one.learn([Correction("a secret", "-")])
    other.refresh()
    one.forget(text="a secret")
    one.fold()
    other.refresh()
    assert bytes_of(other) == base.read_bytes()
    one.learn([Correction("a secret", "-")])
    other.refresh()
    one.forget(text="a secret")
    one.fold()
    other.learn([Correction("zap", "+")])
    assert bytes_of(other) == to_bytes(likely.load(base).learn(["zap"], ["+"])._snapshot())


def test_many_threads_commit_together(opened: Open, base: Path) -> None:
    keeper = opened()
    texts = [f"text {at} of many" for at in range(160)]

    def teach(some: list[str]) -> None:
        for text in some:
            keeper.learn([Correction(text, "+-"[len(text) % 2])])

    threads = [threading.Thread(target=teach, args=(texts[at::8],)) for at in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert keeper.model.predict(["many"])[0] in ("+", "-")
    for thread in threads:
        thread.join()
    reference = likely.load(base).learn(texts, ["+-"[len(text) % 2] for text in texts])
    assert bytes_of(keeper) == to_bytes(reference._snapshot())
    assert [each.seq for each in keeper.history(limit=200)] == list(range(160, 0, -1))


def test_a_fold_is_the_model_of_the_moment(opened: Open, base: Path, tmp_path: Path) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-")])
    first = keeper.fold()
    keeper.learn([Correction("zip", "-")])
    second = keeper.fold()
    assert second == tmp_path / "a.store-2.likely"
    assert first is not None
    assert not first.exists()
    assert second.read_bytes() == bytes_of(keeper)
    assert (keeper.status.seq, keeper.status.folded_seq) == (2, 2)
    keeper.learn([Correction("zop", "-")])
    keeper.close(fold=True)
    assert (tmp_path / "a.store-3.likely").exists()
    for damage in (Path.unlink, lambda path: path.write_bytes(b"damaged")):
        damage(tmp_path / "a.store-3.likely")
        assert bytes_of(opened()) == to_bytes(likely.load(base).learn(["zap", "zip", "zop"], ["-"] * 3)._snapshot())


def test_a_fold_of_entries_that_a_backup_has_replaced_is_not_used(
    opened: Open, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, backup = str(tmp_path / "a.store"), str(tmp_path / "a.backup")
    keeper = opened()
    keeper.learn([Correction("zap", "-")])
    write_backup(store, backup)
    keeper.learn([Correction("gone", "+"), Correction("lost", "+")])
    save = SqliteStore.save_fold

    def restore_meanwhile(self: SqliteStore, at: Position, data: bytes) -> Fold:
        fold = save(self, at, data)
        monkeypatch.undo()
        restore_backup(backup, store, None, replace=True)
        return fold

    monkeypatch.setattr(SqliteStore, "save_fold", restore_meanwhile)
    assert keeper.fold() is None
    assert not (tmp_path / "a.store-3.likely").exists()
    assert keeper.refresh() == -2
    keeper.learn([Correction("zip", "-")])
    expected = to_bytes(likely.load(base).learn(["zap", "zip"], ["-"] * 2)._snapshot())
    assert bytes_of(keeper) == bytes_of(opened()) == expected
    restore_backup(backup, store, None, replace=True)
    keeper.close(fold=True)
    assert (tmp_path / "a.store-1.likely").exists()
    assert bytes_of(opened()) == to_bytes(likely.load(base).learn(["zap"], ["-"])._snapshot())


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM entries WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 4",
        "DELETE FROM learned WHERE seq = 2",
        "UPDATE learned SET seq = 1 WHERE seq = 4",
        "UPDATE learned SET digest = 'x' WHERE seq = 4",
    ],
)
def test_missing_and_exchanged_rows_are_noticed_at_start(opened: Open, tmp_path: Path, damage: str) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-"), Correction("zip", "+")])
    keeper.forget(text="zap")
    keeper.learn([Correction("zop", "-")])
    keeper.learn([Correction("zup", "-")])
    keeper.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "a.store")) as database, database:
        database.execute(damage)
    with pytest.raises(StoreError, match="missing in the store, or were exchanged"):
        opened()


def test_what_people_have_written_is_for_its_owner_only(opened: Open, tmp_path: Path) -> None:
    keeper = opened(keep_texts=True)
    keeper.learn([Correction("zap", "-")])
    keeper.fold()
    write_backup(str(tmp_path / "a.store"), str(tmp_path / "a.backup"))
    restore_backup(str(tmp_path / "a.backup"), str(tmp_path / "b.store"), None, replace=False)
    found = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir() if path.name[:2] in ("a.", "b.")}
    assert {"a.store", "a.store-1.likely", "a.store-lock", "a.store-wal", "a.backup", "b.store"} <= set(found)
    assert set(found.values()) == {0o600}


def test_a_store_belongs_to_its_base(opened: Open, base: Path, tmp_path: Path) -> None:
    opened().learn([Correction("zap", "-")])
    likely.load(base).learn(["more"], ["+"]).save(tmp_path / "other.likely")
    with pytest.raises(StoreError, match="belongs to another model"):
        opened(model=tmp_path / "other.likely")
    with pytest.raises(StoreError, match="belongs to another model"):
        opened(model=None)


def test_without_a_store_nothing_is_learned(opened: Open) -> None:
    keeper = opened(store=None)
    assert keeper.model.predict(["good"])[0] == "+"
    status = keeper.status
    assert (status.can_learn, status.durability, keeper.history(), keeper.refresh()) == (False, "none", [], 0)
    assert "there is no store" in str(status.why_not)
    for do in (
        lambda: keeper.learn([Correction("zap", "-")]),
        keeper.undo,
        lambda: keeper.forget(text="a"),
        keeper.fold,
    ):
        with pytest.raises(StoreError, match="there is no store"):
            do()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"variant": "nbsvm"}, "all documents"),
        ({"weighting": "tfidf", "norm": "l2"}, "norm='l2'"),
    ],
)
def test_a_model_that_cannot_learn_gets_no_store(
    opened: Open, tmp_path: Path, options: dict[str, object], why: str
) -> None:
    model = NaiveBayes(**options).fit(["good fun", "good end", "bad plot"], ["+", "+", "-"])  # type: ignore[arg-type]
    model.save(tmp_path / "m.likely")
    with pytest.raises(NotAdditiveError, match=f"{why}.* Without a store"):
        opened(model=tmp_path / "m.likely")
    assert opened(model=tmp_path / "m.likely", store=None).model.predict(["good"])[0] == "+"


def test_a_closed_keeper_says_so(opened: Open) -> None:
    keeper = opened()
    keeper.close()
    keeper.close()
    with pytest.raises(StoreError, match="closed"):
        keeper.learn([Correction("zap", "-")])
    assert keeper.model.predict(["good"])[0] == "+"


def test_a_keeper_does_not_survive_a_fork(opened: Open) -> None:
    keeper = opened()
    child = os.fork()
    if not child:
        try:
            keeper.learn([Correction("zap", "-")])
        except StoreError as error:
            keeper.close()
            os._exit(7 if "before the process forked" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert keeper.learn([Correction("zap", "-")])[0].seq == 1


def test_the_rate_of_each_sender_is_limited(opened: Open) -> None:
    now = [0.0]
    keeper = opened(guards=Guards(rate=1.0, burst=2))
    keeper._limit = RateLimit(1.0, 2, lambda: now[0])
    keeper.learn([Correction("a", "+"), Correction("b", "+")], sender="ann")
    with pytest.raises(GuardError, match=r"1 per second and 2 at once.*in 1.0 seconds") as error:
        keeper.learn([Correction("c", "+")], sender="ann")
    assert error.value.wait == 1.0
    with pytest.raises(GuardError, match="Send fewer") as error:
        keeper.learn([Correction(text, "+") for text in "cde"], sender="cid")
    assert error.value.wait is None, "to wait would not help"
    keeper.learn([Correction("c", "+")], sender="bob")
    now[0] = 1.0
    keeper.learn([Correction("d", "+")], sender="ann")


def test_predictions_of_learned_weights_equal_those_of_a_loaded_model(opened: Open) -> None:
    keeper = opened()
    probes = ["good zap", "dull zip", "zup"]
    keeper.model.predict_proba(probes)
    for at in range(20):
        keeper.learn([Correction(f"zap {at} zip", "+-"[at % 2])])
        if at % 3 == 2:
            keeper.forget(text=f"zap {at - 1} zip")
    fold = keeper.fold()
    assert fold is not None
    assert np.array_equal(keeper.model.predict_proba(probes), likely.load(fold).predict_proba(probes))


def test_a_base_that_is_missing_after_a_restore_is_a_named_state(opened: Open, base: Path, tmp_path: Path) -> None:
    keeper, store = opened(), str(tmp_path / "a.store")
    keeper.learn([Correction("zap zap zap", "-")])
    write_backup(store, str(tmp_path / "a.backup"))
    keeper.learn([Correction("zip", "+")])
    away = base.rename(tmp_path / "away.likely")
    restore_backup(str(tmp_path / "a.backup"), store, None, replace=True)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"their base is needed: cannot load .*base\.likely"):
            keeper.refresh()
        assert "their base is needed" in str(keeper.trouble)
    with pytest.raises(StoreError, match="their base is needed"):
        keeper.learn([Correction("zop", "-")])
    assert keeper.model.predict(["zap zap"])[0] == "-", "it predicts as before"
    away.rename(base)
    keeper.refresh()
    keeper.refresh()
    assert keeper.trouble is None
    keeper.learn([Correction("zop", "-")])
    assert bytes_of(keeper) == to_bytes(likely.load(base).learn(["zap zap zap", "zop"], ["-", "-"])._snapshot())
