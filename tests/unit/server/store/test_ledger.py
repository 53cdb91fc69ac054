"""The rows of a store: checksums, what is learned now, pages of history, undoing, answers, erasure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import StoreError
from likely.server.store.ledger import COLUMNS, Entry

from .conftest import TIME, Opened, forget, learn

any_text = st.text(st.characters(), max_size=9)
entries = st.builds(
    Entry,
    st.integers(1, 2**62),
    st.just(TIME),
    st.sampled_from(["learn", "forget"]),
    any_text,
    st.one_of(any_text, st.integers(), st.booleans()),
    st.none() | any_text,
    st.none() | any_text,
    st.none() | st.integers(1),
    st.none() | st.integers(1),
    st.none() | st.binary(max_size=9),
    st.none() | any_text,
)


@given(entries)
def test_a_row_is_read_as_it_was_written(entry: Entry) -> None:
    row = entry.row()
    assert Entry.from_row(row) == entry
    assert Entry.from_row([memoryview(each) if isinstance(each, bytes) else each for each in row]) == entry


@pytest.mark.parametrize("at", range(len(COLUMNS)))
def test_any_change_is_refused(at: int) -> None:
    row = list(learn(7, "a", source="ann", key="k", of=3, undoes=2, text="t").row())
    row[at] = {int: 99, str: "x", bytes: b"x"}[type(row[at])]
    with pytest.raises(StoreError, match="is damaged"):
        Entry.from_row(row)


def test_an_erased_entry_keeps_what_it_was_about() -> None:
    entry = learn(1, "a", text="secret")
    assert entry.erased().is_erased
    assert not entry.is_erased
    assert Entry.from_row(entry.erased().row()).digest == "a"


def test_what_is_learned_now(opened: Opened) -> None:
    with opened().writing() as ledger:
        a, b, c = learn(1, "a", source="ann"), learn(2, "b", source="ann"), learn(3, "c", source="bob")
        for entry in (a, b, c, forget(4, a)):
            ledger.append(entry)
        assert ledger.learned("a") is None
        assert ledger.learned("b") == b
        assert ledger.learned_from("ann") == [b]
        assert ledger.learned_from("nobody") == []
        assert list(ledger.all_learned()) == [b, c]


def test_all_that_is_learned_comes_in_pages(opened: Opened) -> None:
    with opened().writing() as ledger:
        for seq in range(1, 1_202):
            ledger.append(learn(seq, f"digest {seq}"))
        assert [entry.seq for entry in ledger.all_learned()] == list(range(1, 1_202))


def test_pages_of_history(opened: Opened) -> None:
    with opened().writing() as ledger:
        for seq in range(1, 6):
            ledger.append(learn(seq, f"digest {seq}"))
        assert [entry.seq for entry in ledger.before(None, 2)] == [5, 4]
        assert [entry.seq for entry in ledger.before(4, 9)] == [3, 2, 1]
        assert [entry.seq for entry in ledger.since(3)] == [4, 5]
        assert ledger.before(1, 9) == []


def test_the_last_that_is_not_undone(opened: Opened) -> None:
    with opened().writing() as ledger:
        assert ledger.last_not_undone() is None
        a = learn(1, "a")
        ledger.append(a)
        moved_from = forget(2, a)
        ledger.append(moved_from)
        assert ledger.last_not_undone() == moved_from
        moved_to = learn(3, "a", label="-", of=2)
        ledger.append(moved_to)
        assert ledger.last_not_undone() == moved_to
        ledger.append(forget(4, moved_to, undoes=3))
        ledger.append(learn(5, "a", of=4, undoes=3))
        assert ledger.last_not_undone() == a, "the first half of a move is undone with the second"


def test_an_answer_is_kept_with_its_key(opened: Opened) -> None:
    with opened().writing() as ledger:
        ledger.note_answer("k\x00é", "request", "answer")
        assert ledger.answer("k\x00é") == ("request", "answer")
        assert ledger.answer("k") is None


def test_what_was_forgotten_is_erased_and_nothing_else(opened: Opened) -> None:
    with opened().writing() as ledger:
        a, b, c = learn(1, "a", text="secret"), learn(2, "b", text="kept"), learn(3, "c", text="later")
        for entry in (a, b, c, forget(4, a), forget(5, c)):
            ledger.append(entry)
        assert ledger.erase(4) == 1
        assert ledger.since(0)[:3] == [a.erased(), b, c]
        assert ledger.erase(4) == 0
        assert ledger.erase(5) == 1


def test_a_store_of_a_later_format_is_refused(opened: Opened) -> None:
    with opened().writing() as ledger:
        ledger.note("format", "99")
    with pytest.raises(StoreError, match=r"format 99.*install"):
        opened()
