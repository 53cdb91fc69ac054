"""A row with a checksum: any change of it is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import StoreError
from likely.server.store.entry import COLUMNS, Entry

from .conftest import TIME, learn

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
