"""`Actions`: which rows a correction, an erasure or an undo writes."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from likely.errors import NotLearnedError
from likely.labels import LabelIndex
from likely.server.keeper.correction import Correction, Outcome, digest_of
from likely.server.keeper.document import counts_of, pack, relabelled
from likely.server.store.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from likely.core.counts import Counts
    from likely.server.keeper.guards import Guards
    from likely.server.store.entry import Kind
    from likely.server.store.ledger import Ledger
    from likely.types import Label


@dataclass(frozen=True)
class Prepared:
    """A correction whose text is counted, so that a transaction need not wait for that."""

    correction: Correction
    digest: str
    counts: Counts
    packed: bytes

    @classmethod
    def of(cls, correction: Correction, counts: Counts) -> Prepared:
        """The correction with the counts of its text."""
        return cls(correction, digest_of(correction.text), counts, pack(counts))


class Actions:
    """What is done in one transaction.

    Attributes
    ----------
    written : list of Entry
        The rows that were written.
    counted : dict
        The counts of the documents of these rows, by the number of the entry, as far as they are known.
    """

    def __init__(self, ledger: Ledger, documents: dict[Label, float], guards: Guards, *, keep_texts: bool) -> None:
        self.ledger = ledger
        self.written: list[Entry] = []
        self.counted: dict[int, Counts] = {}
        self._documents, self._guards, self._keep_texts = documents, guards, keep_texts
        self._seq = ledger.last()
        self._time = datetime.now(UTC).isoformat(timespec="microseconds")

    @contextlib.contextmanager
    def step(self) -> Iterator[None]:
        """One request: if it is refused, nothing of it is written."""
        before = self._seq, len(self.written), dict(self._documents)
        try:
            with self.ledger.step():
                yield
        except BaseException:
            self._seq, length, self._documents = before
            del self.written[length:]
            raise

    def learn(self, asked: Prepared, check: Callable[[Label], None]) -> Outcome:
        """Learn a text, or move it if it was learned for another class; ``check`` refuses labels that do not fit."""
        label = asked.correction.label
        old = self.ledger.learned(asked.digest)
        if old is not None and old.label == label and type(old.label) is type(label):
            return Outcome(old.seq, "known", asked.digest, label, label)
        check(label)
        self._check_type(label)
        self._guards.check_class(label, self._documents)
        forgotten = None if old is None else self._forget(old, asked.correction.key)
        draft = replace(
            _draft("learn", asked.digest, label, asked.correction.source, asked.correction.key),
            of=None if forgotten is None else forgotten.seq,
            counts=asked.packed,
            text=asked.correction.text if self._keep_texts else None,
        )
        entry = self._append(draft)
        self.counted[entry.seq] = asked.counts
        before = None if old is None else old.label
        return Outcome(entry.seq, "learned" if old is None else "moved", asked.digest, label, before)

    def _check_type(self, label: Label) -> None:
        """Raise ``LabelError`` if a label is of another type than those that were written in this transaction."""
        LabelIndex([*itertools.islice(self._documents, 1), label])

    def forget_digest(self, digest: str, key: str | None) -> list[Outcome]:
        """Forget the text with this digest."""
        old = self.ledger.learned(digest)
        if old is None:
            raise NotLearnedError(
                "this text is not among the corrections that are learned now, so it cannot be forgotten"
            )
        return [self._forgotten(old, key)]

    def forget_source(self, source: str, key: str | None) -> list[Outcome]:
        """Forget everything from a source."""
        found = self.ledger.learned_from(source)
        if not found:
            raise NotLearnedError("nothing from this source is learned now, so nothing can be forgotten")
        return [self._forgotten(entry, key) for entry in found]

    def _forgotten(self, entry: Entry, key: str | None) -> Outcome:
        return Outcome(self._forget(entry, key).seq, "forgotten", entry.digest, None, entry.label)

    def undo(self, seq: int | None, key: str | None) -> Outcome:
        """Undo an entry, or the last one that is not undone."""
        entry = self.ledger.last_not_undone() if seq is None else self.ledger.entry(seq)
        if entry is None:
            raise NotLearnedError("there is nothing to undo" if seq is None else f"there is no entry {seq}")
        if entry.kind == "forget":
            follower = self.ledger.continuation(entry.seq)
            return self._learn_again(entry, key) if follower is None else self._take_back(follower, key)
        return self._take_back(entry, key)

    def _take_back(self, entry: Entry, key: str | None) -> Outcome:
        """Undo an entry that has learned a document: it is forgotten, or is again in the class that it was in."""
        now = self.ledger.learned(entry.digest)
        if now is None or origin(self.ledger, now).seq != entry.seq:
            raise NotLearnedError(f"entry {entry.seq} cannot be undone: its text was moved or forgotten since")
        forgotten = self._forget(now, key, undoes=entry.seq)
        old = None if entry.of is None else self.ledger.entry(entry.of)
        if old is None or old.label == entry.label:
            return Outcome(forgotten.seq, "undone", entry.digest, None, entry.label)
        again = self._copy(now, old.label, forgotten.seq, key, undoes=entry.seq)
        return Outcome(again.seq, "undone", entry.digest, old.label, entry.label)

    def _learn_again(self, entry: Entry, key: str | None) -> Outcome:
        """Undo an entry that has forgotten a document."""
        learned = None if entry.of is None else self.ledger.entry(entry.of)
        if self.ledger.learned(entry.digest) is not None:
            raise NotLearnedError(f"entry {entry.seq} cannot be undone: its text was learned again since")
        if learned is None or learned.is_erased:
            raise NotLearnedError(f"entry {entry.seq} cannot be undone: what it has forgotten is erased")
        again = self._copy(learned, learned.label, entry.seq, key, undoes=entry.seq)
        return Outcome(again.seq, "undone", entry.digest, again.label, None)

    def _copy(self, entry: Entry, label: Label, of: int, key: str | None, undoes: int) -> Entry:
        """Learn the document of an entry again, for the same or another class."""
        counts = relabelled(counts_of(entry), label)
        draft = replace(
            _draft("learn", entry.digest, label, entry.source, key),
            of=of,
            undoes=undoes,
            counts=pack(counts),
            text=entry.text,
        )
        copy = self._append(draft)
        self.counted[copy.seq] = counts
        return copy

    def _forget(self, entry: Entry, key: str | None, undoes: int | None = None) -> Entry:
        draft = _draft("forget", entry.digest, entry.label, entry.source, key)
        return self._append(replace(draft, of=entry.seq, undoes=undoes))

    def _append(self, draft: Entry) -> Entry:
        """Write an entry with the next number, at the time of the transaction."""
        entry = replace(draft, seq=self._seq + 1, time=self._time)
        self.ledger.append(entry)
        self._seq = entry.seq
        self.written.append(entry)
        left = self._documents.get(entry.label, 0.0) + (1 if entry.kind == "learn" else -1)
        self._documents[entry.label] = left
        if left <= 0:
            del self._documents[entry.label]
        return entry


def _draft(kind: Kind, digest: str, label: Label, source: str | None, key: str | None) -> Entry:
    """An entry without number and time, which it gets when it is written."""
    return Entry(0, "", kind, digest, label, source, key)


def origin(ledger: Ledger, entry: Entry) -> Entry:
    """The entry that an entry has put back by undoing what came after it; the entry itself if it is a new one."""
    while True:
        undone = None if entry.undoes is None else ledger.entry(entry.undoes)
        if undone is None or undone.of is None:
            return entry
        forgotten = ledger.entry(undone.of) if undone.kind == "learn" else undone
        learned = None if forgotten is None or forgotten.of is None else ledger.entry(forgotten.of)
        if learned is None:
            return entry
        entry = learned
