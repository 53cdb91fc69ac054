"""`Keeper`: a model in memory and its store. What is acknowledged is durable."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from likely.core import file as model_file
from likely.errors import GuardError, LikelyError, ModelFileError, NotAdditiveError, OptionError, StoreError
from likely.labels import python_label
from likely.server.corrections import Actions, Guards, draft_of, once
from likely.server.messages import Correction, Learning, Outcome
from likely.server.replay import Base, apply, catch_up, digest_of, pack, rebuild
from likely.server.store import Position, Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from likely.core.counts import Counts
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.store.ledger import Entry, Ledger
    from likely.types import Label

__all__ = ["Correction", "Guards", "Keeper", "Outcome"]

MUCH = 8
"""If one in this many entries is erased at once, the file of the store is made smaller."""

T = TypeVar("T")
W = TypeVar("W")


class RateLimit:
    """A token bucket per sender: it fills at a constant rate, and every correction takes one.

    Examples
    --------
    >>> limit = RateLimit(1.0, 2, clock=iter([0.0, 0.0, 0.0, 1.0]).__next__)
    >>> [limit.take("ann", 1) for _ in range(4)]
    [0.0, 0.0, 1.0, 0.0]
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._turn = threading.Lock()
        self._levels: dict[str, tuple[float, float]] = {}

    def take(self, sender: str, number: int) -> float:
        """Take from the bucket of a sender; returns 0, or the seconds to wait if there is not enough in it."""
        with self._turn:
            now = self._clock()
            level, at = self._levels.get(sender, (self._burst, now))
            level = min(self._burst, level + (now - at) * self._rate)
            is_enough = number <= level
            self._levels[sender] = (level - number if is_enough else level), now
            return 0.0 if is_enough else (number - level) / self._rate


class GroupCommit(Generic[W]):
    """Threads bring parts; the one whose turn it is does all that wait, in one transaction, and the others wait.

    Parameters
    ----------
    commit : callable
        Does parts in one transaction; returns the result of each, or the error of one that failed. An error that it
        raises is that of all parts: nothing was written.
    """

    def __init__(self, commit: Callable[[Sequence[Callable[[W], object]]], Sequence[object]]) -> None:
        self._commit = commit
        self._waiting: list[tuple[Callable[[W], object], Future[object]]] = []
        self._queue = threading.Lock()
        self.turn = threading.RLock()
        """Held while parts are done."""

    def do(self, part: Callable[[W], T]) -> T:
        """Do a part of a transaction; it is committed when this returns."""
        future: Future[object] = Future()
        with self._queue:
            self._waiting.append((part, future))
        with self.turn:
            if not future.done():
                self._do_all_that_wait()
        return cast("T", future.result())

    def _do_all_that_wait(self) -> None:
        with self._queue:
            waiting, self._waiting = self._waiting, []
        try:
            results = self._commit([part for part, _ in waiting])
        except BaseException as error:
            for _, future in waiting:
                future.set_exception(error)
            if not isinstance(error, Exception):
                raise
            return
        for (_, future), result in zip(waiting, results, strict=True):
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)


class Keeper(AbstractContextManager["Keeper"]):
    """A model and its store: what is acknowledged is durable, and the model in memory is the base plus the entries.

    Its methods may be called from any thread. Readers of `model` never wait for writers. Several processes may keep
    the same store: `refresh` takes over what the others have learned.

    Attributes
    ----------
    model : NaiveBayes
        The model of this moment. Ask for it anew for every prediction: it may be replaced by another one.
    trouble : str or None
        Why the last corrections could not be kept; None if they could.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> from likely.server.keeper import Correction, Keeper
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = f"{folder.name}/reviews.likely"
    >>> saved = NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).save(file)
    >>> keeper = Keeper.open(file, f"{folder.name}/reviews.store")
    >>> keeper.learn([Correction("no fun", "-", source="ann")])[0].what
    'learned'
    >>> keeper.model.predict(["no fun"])
    array(['-'], dtype='<U1')
    >>> keeper.forget(source="ann")[0].before
    '-'
    >>> keeper.close()
    >>> folder.cleanup()
    """

    def __init__(self, base: Base, store: Store | None, guards: Guards, *, keep_texts: bool) -> None:
        self._base, self._store, self._guards, self._keep_texts = base, store, guards, keep_texts
        self._process, self._is_closed = os.getpid(), False
        self._group: GroupCommit[Actions] = GroupCommit(self._commit)
        self.trouble: str | None = None
        self._limit = None if guards.rate is None else RateLimit(guards.rate, guards.burst)
        self.model = base.load()
        self._seq = self._folded = 0
        self._mark = ""
        if store is not None:
            self._check_learnable()
            base.adopt(store)
            with store.reading() as ledger:
                self._replace_model(ledger, self.model)
            if self.model._state.has_rest:
                self._warm_in_background()
        elif self.model._state.is_fitted:
            self.model.predict([""])  # so that the first reader does not have to wait until the weights are made

    @classmethod
    def open(
        cls,
        model: str | Path | None,
        store: str | Path | None,
        *,
        guards: Guards | None = None,
        keep_texts: bool = False,
    ) -> Keeper:
        """The keeper of a model file and a store, which is created if it does not exist.

        Parameters
        ----------
        model : path or None
            The base. None is a model that has learned nothing.
        store : path, address or None
            A file, or ``postgresql://...``. Without a store nothing can be learned.
        guards : Guards, optional
            Limits on what may be learned.
        keep_texts : bool
            Whether the store also keeps the texts of corrections.
        """
        opened = None if store is None else open_store(store)
        try:
            base = Base(None if model is None else Path(model))
            limits = Guards() if guards is None else guards
            return cls(base, opened, limits, keep_texts=keep_texts)
        except BaseException:
            if opened is not None:
                opened.close()
            raise

    def learn(
        self, corrections: Sequence[Correction], *, sender: str | None = None, key: str | None = None
    ) -> list[Outcome]:
        """Learn corrections, all or none. When this returns, they are durable, and the model has learned them.

        A text that was learned for the same class before is not learned twice; one of another class is moved.
        ``sender`` is the name of the client, for the guard of the rate, and ``key`` the idempotency key of all.
        """
        self._check_can_learn()
        self._check_rate(sender or "", len(corrections))
        prepared = [self._prepare(each) for each in corrections]
        request = ["learn", *([draft.digest, draft.label, draft.source, draft.key] for draft, _ in prepared)]
        return self._once(request, key, lambda actions: [self._learn(actions, *each) for each in prepared])

    def _check_rate(self, sender: str, corrections: int) -> None:
        """Count the corrections of a sender; ``GuardError`` if there are too many at this time."""
        wait = 0.0 if self._limit is None else self._limit.take(sender, corrections)
        if wait > 0:
            never = corrections > self._guards.burst
            raise GuardError(
                f"there are too many corrections: {self._guards.rate:g} per second and {self._guards.burst} at once "
                f"are allowed. {'Send fewer' if never else f'Try again in {wait:.1f} seconds'}",
                None if never else wait,
            )

    def _prepare(self, asked: Correction) -> tuple[Entry, Counts]:
        """The entry that a correction may become, without its number, and the counts of its text."""
        label = python_label(asked.label)
        if label == "":
            raise GuardError("the label is empty: name a class")
        text = self.model.analysis_.prepared(asked.text)
        counts = self.model._count_one(text, label)
        draft = draft_of("learn", digest_of(text), label, asked.source, asked.key)
        return replace(draft, counts=pack(counts), text=text if self._keep_texts else None), counts

    def _learn(self, actions: Actions, draft: Entry, counts: Counts) -> Outcome:
        request = ["learn", draft.digest, draft.label, draft.source]
        do = partial(actions.learn, draft, counts, self.model._check_label)
        return once(actions.ledger, draft.key, request, lambda: [do()])[0]

    def forget(
        self,
        *,
        text: str | None = None,
        digest: str | None = None,
        source: str | None = None,
        before: date | None = None,
        key: str | None = None,
    ) -> list[Outcome]:
        """Forget a text, the text with a digest, or everything from a source, as if it had never been learned.

        ``NotLearnedError`` if the text is not learned now; a source may have nothing left. With ``before``, forget
        all that was learned before a day (UTC), if anything. The counts and the texts are deleted from the store with
        the next `fold`.
        """
        if sum(each is not None for each in (text, digest, source, before)) != 1:
            raise OptionError("give one of text, digest, source and before: what to forget")
        day = None if before is None else f"{before:%Y-%m-%d}"
        wanted = digest if text is None else digest_of(self.model.analysis_.prepared(text))
        request = ["forget", wanted, source, *filter(None, [day])]
        return self._once(request, key, lambda actions: actions.forget(wanted, source, key, day))

    def undo(self, seq: int | None = None, *, key: str | None = None) -> Outcome:
        """Undo an entry, or the last one that is not undone; ``NotLearnedError`` if that is not possible."""
        return self._once(["undo", seq], key, lambda actions: [actions.undo(seq, key)])[0]

    def _once(self, request: object, key: str | None, work: Callable[[Actions], list[Outcome]]) -> list[Outcome]:
        """What a request does; or what was answered to the same request with this key before."""
        self._check_can_learn()
        return self._group.do(lambda actions: once(actions.ledger, key, request, lambda: work(actions)))

    def history(self, *, before: int | None = None, limit: int = 50) -> list[Entry]:
        """The last entries (before one of them), the newest first."""
        self._check_process()
        if self._store is None:
            return []
        with self._store.reading() as ledger:
            return ledger.before(before, limit)

    def refresh(self) -> int:
        """Take over the entries that other processes have written; returns how many (below 0 after a restore)."""
        self._check_process()
        if self.trouble is not None and self._why_not is None:
            with suppress(StoreError):  # it may be over
                self._group.do(lambda actions: actions.ledger.note("tried", str(self._seq)))
        if self._store is None or self._store.position() == (self._mark, self._seq):
            return 0
        with self._group.turn:
            before = self._seq
            with self._store.reading() as ledger:
                self._catch_up(ledger)
            return self._seq - before

    def fold(self) -> Path | None:
        """Write the model of this moment as a model file beside the store, and erase what was forgotten before.

        Returns the file; None if the store keeps it elsewhere, or if a backup was restored meanwhile. A restart is
        then faster: it begins with this file.
        """
        self._check_can_learn()
        with self._group.turn:
            seq, mark, snapshot = self._seq, self._mark, self.model._snapshot()
            snapshot = replace(snapshot, counts=snapshot.counts.copy())
        store = self._opened()
        fold = store.save_fold(Position(mark, seq), model_file.to_bytes(snapshot))
        with self._group.turn:
            with store.writing() as ledger:
                last, erased = ledger.fold, 0
                if ledger.mark(seq) != mark:  # a backup was restored meanwhile
                    if last is None or last.seq != fold.seq:
                        store.drop_fold(fold)
                    return None
                if last is None or last.seq <= fold.seq:
                    ledger.note_fold(fold)
                    erased = ledger.erase(fold.seq)
                    last = fold
            store.tidy(last, shrinks=MUCH * erased > last.seq)
            self._folded = last.seq
            return store.fold_path(last)

    def are_learned(self, digests: Sequence[str]) -> list[bool]:
        """Whether the text with each of these digests is among the corrections that are learned now."""
        self._check_process()
        if self._store is None:
            return [False] * len(digests)
        with self._store.reading() as ledger:
            return [ledger.is_learned(digest) for digest in digests]

    def fold_if_due(self, least: int) -> None:
        """Fold if at least this many entries are not folded: another process may have done so meanwhile."""
        with self._group.turn, self._opened().reading() as ledger:
            self._catch_up(ledger)
            self._folded = 0 if ledger.fold is None else ledger.fold.seq
        if self._seq - self._folded >= least:
            self.fold()

    @property
    def status(self) -> Learning:
        """Whether it learns, and how far it is."""
        durability = "none" if self._store is None else "sync"
        may_grow = self._store is not None and self._guards.new_classes
        return Learning(self._why_not is None, self._why_not, durability, self._seq, self._folded, may_grow)

    def close(self, *, fold: bool = False) -> None:
        """Let go of the store, after a fold if that is asked for and anything has changed since the last one."""
        if self._store is None or self._process != os.getpid():
            return
        with self._group.turn:
            if fold and self._why_not is None:
                self.fold_if_due(1)
            self._store.close()
            self._store, self._is_closed = None, True

    def __exit__(self, *error: object) -> None:
        self.close()

    def _commit(self, parts: Sequence[Callable[[Actions], object]]) -> list[object]:
        """Do what was asked for in one transaction; then the model in memory takes it over in one step."""
        store, results = self._opened(), list[object]()
        try:
            with store.writing() as ledger:
                self._catch_up(ledger)
                actions = Actions(ledger, self._documents(), self._guards)
                for part in parts:
                    try:
                        with actions.step():
                            results.append(part(actions))
                    except Exception as error:  # of this request only, unless the database has undone all of them
                        if ledger.is_lost:
                            raise
                        results.append(error)
        except StoreError as error:
            self.trouble = str(error)
            raise
        self.trouble = next((str(each) for each in results if isinstance(each, StoreError)), None)
        self._take_over(store, actions)
        return results

    def _take_over(self, store: Store, actions: Actions) -> None:
        """Change the model in memory by what was written."""
        if actions.written:
            with store.reading() as ledger:
                try:
                    apply(self.model, ledger, actions.written, actions.counted)
                    self._seq = actions.written[-1].seq
                    self._mark = ledger.mark(self._seq)
                except Exception:  # what is written stays written
                    self._replace_model(ledger)

    def _catch_up(self, ledger: Ledger) -> None:
        """Take over what other processes have written."""
        try:
            if ledger.mark(self._seq) != self._mark:  # a backup was restored
                return self._replace_model(ledger)
            for seq in catch_up(self.model, ledger, self._seq):
                self._seq, self._mark = seq, ledger.mark(seq)
        except StoreError:  # what another process has forgotten may be erased already
            self._replace_model(ledger)

    def _warm_in_background(self) -> None:
        """Read the whole model before anybody writes; readers need not wait. Returns when that has begun."""
        has_turn = threading.Event()

        def work() -> None:
            with self._group.turn:
                has_turn.set()
                with suppress(LikelyError), self._opened().reading() as ledger:
                    self._replace_model(ledger)

        threading.Thread(target=work, name="likely: warm", daemon=True).start()
        has_turn.wait()

    def _replace_model(self, ledger: Ledger, base: NaiveBayes | None = None) -> None:
        """Take the model of the store; ``base``, if it is given, is loaded, and need not be read whole."""
        load = self._base.load if base is None else lambda: base
        try:
            model, self._seq = rebuild(ledger, load, self._opened().load_fold)
        except ModelFileError as error:
            self.trouble = f"the entries of the store have changed, and their base is needed: {error}"
            raise StoreError(self.trouble) from error
        if base is None:
            model._read_rest()
        if model._state.is_fitted:
            model.predict([""])  # so that no reader has to wait until the weights are made
        self.model = model
        self._mark = ledger.mark(self._seq)
        self._folded = 0 if ledger.fold is None else ledger.fold.seq

    def _documents(self) -> dict[Label, float]:
        """The number of documents of each class."""
        if not self.model._state.is_fitted:
            return {}
        return dict(zip(self.model.classes_.tolist(), self.model.class_documents_.tolist(), strict=True))

    @property
    def _why_not(self) -> str | None:
        """Why nothing can be learned, as a sentence; None if it can."""
        if self._store is None:
            return "the store is closed" if self._is_closed else "there is no store: start with a store to learn"
        return self._store.why_read_only

    def _check_learnable(self) -> None:
        """Raise ``NotAdditiveError`` if the model cannot learn single documents: then a store is of no use."""
        try:
            self.model._check_correctable()
        except LikelyError as error:
            raise NotAdditiveError(f"{error}. Without a store, this model predicts") from None

    def _check_can_learn(self) -> None:
        """Raise ``StoreError`` if nothing can be learned."""
        self._check_process()
        if self._why_not is not None:
            raise StoreError(self._why_not)

    def _opened(self) -> Store:
        if self._store is None:
            raise StoreError("the store is closed")
        return self._store

    def _check_process(self) -> None:
        """Raise ``StoreError`` after a fork: a database connection must not be used by two processes."""
        if self._process != os.getpid():
            raise StoreError("this keeper was opened before the process forked: open it anew in each process")
