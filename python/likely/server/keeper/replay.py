"""Rows to a model: the base, or a fold, plus the documents that are learned, minus those that are forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from likely.core.file import from_bytes
from likely.errors import LikelyError, StoreError
from likely.model.naive_bayes import NaiveBayes
from likely.server.keeper.document import counts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from likely.core.counts import Counts
    from likely.server.store.entry import Entry
    from likely.server.store.ledger import Ledger
    from likely.server.store.store import Fold


class Replayed(NamedTuple):
    """A model, and the last entry that it contains."""

    model: NaiveBayes
    seq: int


def rebuild(
    ledger: Ledger,
    base: Callable[[], NaiveBayes],
    load_fold: Callable[[Fold], bytes | None],
) -> Replayed:
    """The model of a store at this moment, from its last fold if that can be loaded, or else from the base.

    Both give the same model to the last bit.
    """
    fold = ledger.fold
    data = None if fold is None else load_fold(fold)
    if fold is not None and data is not None:
        model = NaiveBayes._from_snapshot(from_bytes(data))
        return Replayed(model, max(catch_up(model, ledger, fold.seq), default=fold.seq))
    model, last = base(), ledger.last()
    if last:
        with ThreadPoolExecutor(1) as beside:  # the model file is read while entries are added up
            whole = beside.submit(model._read_rest)
            learned = sum_of(map(counts_of, ledger.all_learned()))
            whole.result()
        correct(model, learned, None)
    return Replayed(model, last)


def catch_up(model: NaiveBayes, ledger: Ledger, seq: int) -> Iterator[int]:
    """Bring a model that contains the entries up to one of them up to date, step by step; yields the last entries."""
    while entries := ledger.since(seq):
        apply(model, ledger, entries, {})
        seq = entries[-1].seq
        yield seq


def apply(
    model: NaiveBayes,
    ledger: Ledger,
    entries: Sequence[Entry],
    counted: Mapping[int, Counts],
) -> None:
    """Change a model by consecutive entries, in one step. ``counted`` has counts that need not be unpacked.

    A document that is learned and forgotten within these entries is left out, also if its counts are erased.
    ``StoreError`` if counts that are needed are erased: then the model must be rebuilt.
    """
    learned: dict[int, Entry] = {}
    forgotten: list[Entry] = []
    for entry in entries:
        if entry.kind == "learn":
            learned[entry.seq] = entry
        elif entry.of is None or learned.pop(entry.of, None) is None:
            forgotten.append(_original(ledger, entry))
    more = (counted[each.seq] if each.seq in counted else counts_of(each) for each in learned.values())
    correct(model, sum_of(more), sum_of(map(counts_of, forgotten)))


def _original(ledger: Ledger, entry: Entry) -> Entry:
    """The entry that has learned what an entry forgets."""
    found = None if entry.of is None else ledger.entry(entry.of)
    if found is None or found.kind != "learn":
        raise StoreError(f"entry {entry.seq} of the store forgets what was never learned. Restore a backup")
    return found


def correct(model: NaiveBayes, more: Counts | None, less: Counts | None) -> None:
    """Change a model by sums of counts, if there are any."""
    try:
        model._correct(more, less)
    except LikelyError as error:
        raise StoreError(f"the entries of the store do not fit the model: {error}. Restore a backup") from error


def sum_of(some: Iterable[Counts]) -> Counts | None:
    """The sum of the counts of documents, which is the same in any order; None if there are none."""
    found: Counts | None = None
    for counts in some:
        if found is None:
            found = counts.copy()
        else:
            found.add(counts)
    return found
