"""Corrections: limits on them, which rows they write, and idempotency keys."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import itertools
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from likely.errors import GuardError, KeyReuseError, NotLearnedError
from likely.labels import LabelIndex
from likely.server.messages import Outcome
from likely.server.replay import counts_of, pack, relabelled
from likely.server.store.ledger import Entry, Kind, Ledger
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from likely.core.counts import Counts
    from likely.types import Label


@dataclass(frozen=True)
class Guards:
    """Limits on what may be learned.

    Attributes
    ----------
    new_classes : bool
        Whether corrections may add new classes.
    classes : int
        A new class is refused if there are as many.
    rate : float or None
        How many corrections per second each sender may make on average; None is any number.
    burst : int
        How many each sender may make at once.

    Examples
    --------
    >>> Guards(new_classes=False).check_class("span", {"ham", "spam"})
    Traceback (most recent call last):
    likely.errors.GuardError: there is no class 'span' (did you mean 'spam'?): --allow-new-classes makes new ones
    """

    new_classes: bool = True
    classes: int = 1_000
    rate: float | None = None
    burst: int = 100

    def check_class(self, label: Label, known: Collection[Label]) -> None:
        """Raise ``GuardError`` if a label would be a new class that is not allowed, or one class too many."""
        if label in known:
            return
        if not self.new_classes:
            close = difflib.get_close_matches(str(label), map(str, known), n=1)
            hint = f" (did you mean {printable(close[0])!r}?)" if close else ""
            raise GuardError(f"there is no class {printable(str(label))!r}{hint}: --allow-new-classes makes new ones")
        if len(known) >= self.classes:
            raise GuardError(
                f"{printable(str(label))!r} would be a new class, but the limit of {len(known)} classes is reached"
            )


class Actions:
    """What is done in one transaction.

    Attributes
    ----------
    written : list of Entry
        The rows that were written.
    counted : dict
        The counts of the documents of these rows, by the number of the entry, as far as they are known.
    """

    def __init__(self, ledger: Ledger, documents: dict[Label, float], guards: Guards) -> None:
        self.ledger = ledger
        self.written: list[Entry] = []
        self.counted: dict[int, Counts] = {}
        self._documents, self._guards = documents, guards
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

    def learn(self, draft: Entry, counts: Counts, check: Callable[[Label], None]) -> Outcome:
        """Learn a text, or move it if it was learned for another class; ``check`` refuses labels that do not fit.

        The text is counted before, so that a transaction need not wait for that.
        """
        label, old = draft.label, self.ledger.learned(draft.digest)
        if old is not None and old.label == label and type(old.label) is type(label):
            return Outcome(old.seq, "known", draft.digest, label, label)
        check(label)
        LabelIndex([*itertools.islice(self._documents, 1), label])  # an error if the label is of another type
        self._guards.check_class(label, self._documents)
        if old is not None:  # whoever asks to forget a source finds the text, even if nobody says who moved it
            draft = replace(draft, of=self._forget(old, draft.key).seq, source=draft.source or old.source)
        entry = self._append(draft)
        self.counted[entry.seq] = counts
        before = None if old is None else old.label
        return Outcome(entry.seq, "learned" if old is None else "moved", draft.digest, label, before)

    def forget(
        self, digest: str | None, source: str | None, key: str | None, before: str | None = None
    ) -> list[Outcome]:
        """Forget the text with a digest, or all from a source or before a day, of which nothing may be left."""
        if before is not None:
            found = self.ledger.learned_before(before)
        elif digest is None:
            found = self.ledger.learned_from(source or "")
        else:
            found = [each for each in [self.ledger.learned(digest)] if each is not None]
            if not found:
                raise NotLearnedError("this text is not a learned correction, so it cannot be forgotten")
        return [Outcome(self._forget(each, key).seq, "forgotten", each.digest, None, each.label) for each in found]

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
        again = self._copy(replace(now, source=old.source), old.label, forgotten.seq, key, undoes=entry.seq)
        return Outcome(again.seq, "undone", entry.digest, old.label, entry.label)

    def _learn_again(self, entry: Entry, key: str | None) -> Outcome:
        """Undo an entry that has forgotten a document."""
        learned = None if entry.of is None else self.ledger.entry(entry.of)
        if self.ledger.learned(entry.digest) is not None:
            raise NotLearnedError(f"entry {entry.seq} cannot be undone: its text was learned again since")
        if learned is None or learned.is_erased:
            raise NotLearnedError(f"entry {entry.seq} cannot be undone: the counts that it forgot are erased")
        again = self._copy(learned, learned.label, entry.seq, key, undoes=entry.seq)
        return Outcome(again.seq, "undone", entry.digest, again.label, None)

    def _copy(self, entry: Entry, label: Label, of: int, key: str | None, undoes: int) -> Entry:
        """Learn the document of an entry again, for the same or another class."""
        counts = relabelled(counts_of(entry), label)
        draft = replace(
            draft_of("learn", entry.digest, label, entry.source, key),
            of=of,
            undoes=undoes,
            counts=pack(counts),
            text=entry.text,
        )
        copy = self._append(draft)
        self.counted[copy.seq] = counts
        return copy

    def _forget(self, entry: Entry, key: str | None, undoes: int | None = None) -> Entry:
        draft = draft_of("forget", entry.digest, entry.label, entry.source, key)
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


def draft_of(kind: Kind, digest: str, label: Label, source: str | None, key: str | None) -> Entry:
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


def once(ledger: Ledger, key: str | None, request: object, do: Callable[[], list[Outcome]]) -> list[Outcome]:
    """What a request does, or what was answered when it came with the same key before.

    ``KeyReuseError`` if the key came with another request. The request is compared by its digest, so that no text is
    kept.
    """
    if key is None:
        return do()
    digest = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    found = ledger.answer(key)
    if found is not None:
        if found[0] != digest:
            raise KeyReuseError(
                "this idempotency key was already used for a different request: give every request a key of its own"
            )
        return [Outcome(*each) for each in json.loads(found[1])]
    outcomes = do()
    ledger.note_answer(key, digest, json.dumps([astuple(each) for each in outcomes]))
    return outcomes
