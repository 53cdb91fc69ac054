"""`Keeper`: a model and its store."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from likely.core import file as model_file
from likely.errors import LikelyError, OptionError, StoreError, StoreReadOnlyError
from likely.labels import python_label
from likely.server.keeper.actions import Actions, Prepared
from likely.server.keeper.answers import once
from likely.server.keeper.base import Base
from likely.server.keeper.correction import Correction, Outcome, digest_of
from likely.server.keeper.folding import DUE, Folding
from likely.server.keeper.group import GroupCommit, Job
from likely.server.keeper.guards import Guards
from likely.server.keeper.replay import apply, catch_up, rebuild
from likely.server.keeper.status import KeeperStatus
from likely.server.keeper.warming import Warming
from likely.server.store.opening import open_store
from likely.server.store.store import Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.core.file import Snapshot
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.store.entry import Entry
    from likely.server.store.ledger import Ledger
    from likely.server.store.store import Store
    from likely.types import Label


class Keeper:
    """A model and its store: what is acknowledged is durable, and the model in memory is the base plus the entries.

    Its methods may be called from any thread. Readers of `model` never wait for writers. Several processes may keep
    the same store: `refresh` takes over what the others have learned.

    Attributes
    ----------
    model : NaiveBayes
        The model of this moment. Ask for it anew for every prediction: it may be replaced by another one.

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
        self._folding = Folding(self._fold_if_due)
        self.model = base.load()
        self._seq = self._folded = 0
        self._generation = ""
        self._unlearnable = self._why_single_documents_cannot_be_learned()
        if store is not None:
            base.adopt(store)
            with store.reading() as ledger:
                self._replace_model(ledger, self.model)
            if self.model._state.has_rest:
                Warming(self._group.turn, self._warm).begin()
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

    def learn(self, corrections: Sequence[Correction], *, sender: str | None = None) -> list[Outcome]:
        """Learn corrections, all or none. When this returns, they are durable, and the model has learned them.

        A text that was learned for the same class before is not learned twice; one of another class is moved.
        ``sender`` is the name of the client, for the guard of the rate.
        """
        self._check_can_learn()
        self._guards.take(sender, len(corrections))
        prepared = [self._prepare(each) for each in corrections]
        return self._group.do(lambda actions: [self._learn(actions, each) for each in prepared])

    def _prepare(self, asked: Correction) -> Prepared:
        correction = replace(asked, label=python_label(asked.label))
        self._guards.check_label(correction.label)
        self._guards.check_name(correction.source, "source")
        self._guards.check_name(correction.key, "idempotency key")
        return Prepared.of(correction, self.model._count_one(correction.text, correction.label))

    def _learn(self, actions: Actions, asked: Prepared) -> Outcome:
        correction = asked.correction
        request = ["learn", asked.digest, correction.label, correction.source]
        return once(actions.ledger, correction.key, request, lambda: [actions.learn(asked, self.model._check_label)])[
            0
        ]

    def forget(
        self,
        *,
        text: str | None = None,
        digest: str | None = None,
        source: str | None = None,
        key: str | None = None,
    ) -> list[Outcome]:
        """Forget a text, the text with a digest, or everything from a source, as if it had never been learned.

        ``NotLearnedError`` if nothing of it is learned now. The counts and the text are deleted from the store with
        the next `fold`.
        """
        self._check_can_learn()
        self._guards.check_name(key, "idempotency key")
        if sum(each is not None for each in (text, digest, source)) != 1:
            raise OptionError("give one of text, digest and source: what to forget")
        wanted = digest_of(text) if text is not None else digest

        def do(actions: Actions) -> list[Outcome]:
            return once(
                actions.ledger,
                key,
                ["forget", wanted, source],
                lambda: (
                    actions.forget_digest(wanted, key)
                    if wanted is not None
                    else actions.forget_source(str(source), key)
                ),
            )

        return self._group.do(do)

    def undo(self, seq: int | None = None, *, key: str | None = None) -> Outcome:
        """Undo an entry, or the last one that is not undone; ``NotLearnedError`` if that is not possible."""
        self._check_can_learn()
        self._guards.check_name(key, "idempotency key")
        return self._group.do(
            lambda actions: once(actions.ledger, key, ["undo", seq], lambda: [actions.undo(seq, key)])[0]
        )

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
        if self._store is None or self._store.position() == (self._generation, self._seq):
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
        self._check_process()
        if self._store is None or self._store.why_read_only is not None:
            raise StoreReadOnlyError(self._why_not or "there is no store")
        with self._group.turn:
            seq, snapshot = self._copied()
            generation = self._generation
        fold = self._store.save_fold(Position(generation, seq), model_file.to_bytes(snapshot))
        with self._group.turn:
            with self._store.writing() as ledger:
                last = ledger.fold
                if ledger.position().generation != generation:  # a backup was restored meanwhile
                    if last is None or last.seq != fold.seq:
                        self._store.drop_fold(fold)
                    return None
                if last is None or last.seq <= fold.seq:
                    ledger.note_fold(fold)
                    ledger.erase(fold.seq)
                    last = fold
            self._store.tidy(last)
            self._folded = last.seq
            return self._store.fold_path(last)

    def _copied(self) -> tuple[int, Snapshot]:
        with self._group.turn:
            snapshot = self.model._snapshot()
            return self._seq, replace(snapshot, counts=snapshot.counts.copy())

    def are_learned(self, digests: Sequence[str]) -> list[bool]:
        """Whether the text with each of these digests is among the corrections that are learned now."""
        self._check_process()
        if self._store is None:
            return [False] * len(digests)
        with self._store.reading() as ledger:
            return [ledger.is_learned(digest) for digest in digests]

    def _fold_if_due(self) -> None:
        """Fold, unless another process has done so meanwhile."""
        with self._group.turn, self._opened().reading() as ledger:
            self._catch_up(ledger)
            self._folded = 0 if ledger.fold is None else ledger.fold.seq
        if self._seq - self._folded >= DUE:
            self.fold()

    @property
    def status(self) -> KeeperStatus:
        """What the keeper says about itself."""
        counts = self.model._snapshot(whole=False).counts if self.model._state.is_fitted else None
        return KeeperStatus(
            documents=0.0 if counts is None else float(counts.totals().documents.sum()),
            classes=0 if counts is None else len(counts.live().labels),
            seq=self._seq,
            folded=self._folded,
            can_learn=self._why_not is None,
            why_not=self._why_not,
            durability="none" if self._store is None else self._store.durability,
        )

    def close(self, *, fold: bool = False) -> None:
        """Let go of the store, after a fold if that is asked for and anything has changed since the last one."""
        if self._store is None or self._process != os.getpid():
            return
        self._folding.finish()
        with self._group.turn:
            if fold and self._why_not is None:
                self.refresh()
                if self._seq > self._folded:
                    self.fold()
            self._store.close()
            self._store, self._is_closed = None, True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _commit(self, jobs: Sequence[Job[Actions, object]]) -> None:
        """Do what was asked for in one transaction; then the model in memory takes it over in one step."""
        store = self._opened()
        with store.writing() as ledger:
            self._catch_up(ledger)
            actions = Actions(ledger, self._documents(), self._guards, keep_texts=self._keep_texts)
            for job in jobs:
                try:
                    with actions.step():
                        job.run(actions)
                except StoreError:
                    raise
                except LikelyError:  # of this request only
                    continue
        self._take_over(store, actions)

    def _take_over(self, store: Store, actions: Actions) -> None:
        """Change the model in memory by what was written."""
        if actions.written:
            self._folding.consider(actions.written[-1].seq - self._folded)
            with store.reading() as ledger:
                try:
                    apply(self.model, ledger, actions.written, actions.counted)
                    self._seq = actions.written[-1].seq
                except LikelyError:
                    self._replace_model(ledger)

    def _catch_up(self, ledger: Ledger) -> None:
        """Take over what other processes have written."""
        try:
            now = ledger.position()
            if now.generation != self._generation or now.seq < self._seq:  # a backup was restored
                return self._replace_model(ledger)
            for seq in catch_up(self.model, ledger, self._seq):
                self._seq = seq
        except StoreError:  # what another process has forgotten may be erased already
            self._replace_model(ledger)

    def _warm(self) -> None:
        """Take a model of which everything is read, so that no reader has to wait until the first correction is."""
        with self._opened().reading() as ledger:
            self._replace_model(ledger)

    def _replace_model(self, ledger: Ledger, base: NaiveBayes | None = None) -> None:
        """Take the model of the store; ``base``, if it is given, is loaded, and need not be read whole."""
        load = self._base.load if base is None else lambda: base
        model, self._seq = rebuild(ledger, load, self._opened().load_fold)
        if base is None:
            model._read_rest()
        if model._state.is_fitted:
            model.predict([""])  # so that no reader has to wait until the weights are made
        self.model = model
        self._generation = ledger.position().generation
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
        return self._store.why_read_only or self._unlearnable

    def _why_single_documents_cannot_be_learned(self) -> str | None:
        try:
            self.model._check_correctable()
        except LikelyError as error:
            return str(error)
        return None

    def _check_can_learn(self) -> None:
        """Raise ``StoreReadOnlyError``, ``NotAdditiveError`` or ``PrunedError`` if nothing can be learned."""
        self._check_process()
        if self._store is None or self._store.why_read_only is not None:
            raise StoreReadOnlyError(str(self._why_not))
        if self._why_not is not None:
            self.model._check_correctable()

    def _opened(self) -> Store:
        if self._store is None:
            raise StoreReadOnlyError("the store is closed")
        return self._store

    def _check_process(self) -> None:
        """Raise ``StoreError`` after a fork: a database connection must not be used by two processes."""
        if self._process != os.getpid():
            raise StoreError("this keeper was opened before the process forked: open it anew in each process")
