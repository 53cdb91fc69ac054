"""`verify`: whether a store is sound, to the last bit of the model that it gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from likely.core.file import to_bytes
from likely.errors import LikelyError, StoreError
from likely.server.keeper.base import NO_BASE, Base
from likely.server.keeper.correction import digest_of
from likely.server.keeper.document import counts_of
from likely.server.keeper.replay import rebuild
from likely.server.store.backup import check_exists
from likely.server.store.opening import open_store
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.server.store.entry import Entry
    from likely.server.store.ledger import Ledger
    from likely.server.store.store import Store

_MOST = 20
"""At most this many problems are told."""


@dataclass
class Verification:
    """What was found in a store.

    Attributes
    ----------
    store : str
        The store.
    entries, learned, erased : int
        The numbers of all entries, of documents that are learned now, and of entries whose counts are erased.
    folded : int or None
        The last entry of the folded model; None if there is none.
    replayed : bool
        Whether the model was made from the base and all entries, and compared with the folded one if there is one.
    problems : list of str
        What is wrong, as sentences.
    """

    store: str
    entries: int = 0
    learned: int = 0
    erased: int = 0
    folded: int | None = None
    replayed: bool = False
    problems: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        facts = [
            f"{self.store}: {counted(self.entries, 'entry', 'entries')}, "
            f"{counted(self.learned, 'document')} learned now, {self.erased:,} erased",
            "no folded model" if self.folded is None else f"folded up to entry {self.folded}",
            "the model was made from the base and all entries"
            if self.replayed
            else "the model was not made: there is no base",
        ]
        end = [f"problem: {each}" for each in self.problems] or ["sound"]
        return "\n".join([*facts, *end])


def verify_at(address: str, model: Path | None = None) -> Verification:
    """Check the store at an address, as `verify` does. A file that cannot be opened as a store is a problem too."""
    if "://" not in address:
        check_exists(address)
    try:
        store = open_store(address)
    except StoreError as error:
        if "://" in address:  # which may contain a password
            raise
        return Verification(address, problems=[str(error)])
    try:
        return verify(store, model)
    finally:
        store.close()


def verify(store: Store, model: Path | None = None) -> Verification:
    """Check a store: its files, the checksum and the counts of each entry, what is learned now, and the model.

    Parameters
    ----------
    store : Store
        The store, which servers may use meanwhile.
    model : Path, optional
        The base. Default: the file that the store was begun with.
    """
    found = Verification(store.name)
    try:
        found.problems += store.integrity()
        with store.reading() as ledger:
            found.problems += _check_entries(ledger, found)
            found.folded = None if ledger.fold is None else ledger.fold.seq
            found.problems += _check_model(ledger, store, model, found)
    except LikelyError as error:
        found.problems.append(str(error))
    del found.problems[_MOST:]
    return found


def _check_entries(ledger: Ledger, found: Verification) -> list[str]:
    """Read every entry, and compare what is learned after all of them with the list in the store."""
    problems: list[str] = []
    learned: dict[str, int] = {}
    while entries := ledger.since(found.entries):
        for entry in entries:
            found.entries += 1
            found.erased += entry.is_erased
            problems += _problems_of(entry, found.entries, learned)
    listed = {entry.digest: entry.seq for entry in ledger.all_learned()}
    found.learned = len(listed)
    if listed != learned:
        problems.append("the list of learned documents does not follow from the entries")
    return problems


def _problems_of(entry: Entry, expected: int, learned: dict[str, int]) -> list[str]:
    """What is wrong with an entry, given what is learned before it."""
    problems = []
    if entry.seq != expected:
        raise StoreError(f"entry {expected} is missing")
    if entry.kind == "forget":
        if learned.pop(entry.digest, None) != entry.of:
            problems.append(f"entry {entry.seq} forgets what is not learned")
        return problems
    if entry.digest in learned:
        problems.append(f"entry {entry.seq} learns a text twice")
    learned[entry.digest] = entry.seq
    if entry.text is not None and digest_of(entry.text) != entry.digest:
        problems.append(f"the text of entry {entry.seq} does not match its digest")
    if entry.counts is not None:
        try:
            counts_of(entry)
        except StoreError as error:
            problems.append(str(error))
    return problems


def _check_model(ledger: Ledger, store: Store, model: Path | None, found: Verification) -> list[str]:
    """Make the model from the base and all entries, and compare it with the one from the fold."""
    path, digest = ledger.about("base_path"), ledger.about("base")
    if digest == NO_BASE:
        base = Base(None)
    else:
        place = model or (Path(path) if path else None)
        if place is None or not place.exists():
            return [f"the base model {str(place or '')!r} is missing: give it with --model"]
        base = Base(place)
    base.load()
    if digest not in (None, base.digest):
        return ["the base model is not the one that the store was begun with: give it with --model"]
    whole = rebuild(ledger, base.load, lambda _: None)
    found.replayed = True
    fold = ledger.fold
    if fold is None:
        return []
    if store.load_fold(fold) is None:
        return [f"the folded model of entry {fold.seq} is missing or damaged: the next start takes longer"]
    folded = rebuild(ledger, base.load, store.load_fold)
    if to_bytes(folded.model._snapshot()) != to_bytes(whole.model._snapshot()):
        return ["the folded model is not the model of the base and the entries"]
    return []
