"""Rows to a model: a file plus what is learned, minus what is forgotten; and whether a store is sound."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from likely.core import file as model_file
from likely.core.counts import Counts
from likely.core.file import Snapshot, from_bytes, to_bytes
from likely.errors import LikelyError, ModelFileError, StoreError
from likely.labels import LabelIndex
from likely.model.naive_bayes import NaiveBayes
from likely.options.model import with_defaults
from likely.reading.atomic import read_whole
from likely.server.store import Fold, Store, open_store
from likely.server.store.backup import check_exists
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from likely.server.store.ledger import Entry, Ledger
    from likely.types import Label

NO_BASE = "none"
"""What a store says of its base if it began with a model that had learned nothing."""


class Base:
    """The model file that corrections are added to; without a file, a model that has learned nothing.

    Attributes
    ----------
    digest : str
        The SHA-256 of the file.

    Examples
    --------
    >>> Base(None).load()._state.is_fitted
    False
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self.digest = path, NO_BASE

    def load(self) -> NaiveBayes:
        """The model of the file; ``ModelFileError`` if it was changed since it was first loaded."""
        if self._path is None:
            return NaiveBayes()
        try:
            data = read_whole(self._path, model_file.MAGIC, model_file.KEY)
            digest = hashlib.sha256(data).hexdigest()
            if self.digest not in (NO_BASE, digest):
                raise ModelFileError("it was changed while it was in use: put the file back")
            self.digest = digest
            return NaiveBayes._from_snapshot(model_file.from_bytes(data))
        except LikelyError as error:
            raise ModelFileError(f"cannot load {str(self._path)!r}: {error}") from error.__cause__

    def adopt(self, store: Store) -> None:
        """Write into a new store which base it belongs to; ``StoreError`` if it belongs to another one."""
        with store.reading() as ledger:
            found = ledger.about("base")
        if found is None and store.why_read_only is None:
            with store.writing() as ledger:
                found = ledger.about("base")
                if found is None:
                    ledger.note("base", self.digest)
                    ledger.note("base_path", "" if self._path is None else str(self._path.absolute()))
                    return
        if found not in (None, self.digest):
            raise StoreError(
                f"the store {store.name!r} belongs to another model (the SHA-256 of its base begins with "
                f"{str(found)[:12]}, this model's with {self.digest[:12]}): give the model that the store "
                "was started with, or a new store"
            )


def base_path(ledger: Ledger, model: Path | None = None) -> Path | None:
    """The file that a store was begun with, or ``model`` instead; None if it was begun with an empty model."""
    if ledger.about("base") == NO_BASE:
        return None
    path = model or Path(ledger.about("base_path") or "")
    if not path.is_file():
        raise StoreError(f"the base model {str(path)!r} is missing: give it with --model")
    return path


def digest_of(text: str) -> str:
    """The SHA-256 of the UTF-8 of a text.

    Examples
    --------
    >>> len(digest_of("good"))
    64
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_DEFAULTS = with_defaults({})


def pack(counts: Counts) -> bytes:
    """The counts of one document as bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counted = NaiveBayes()._count_one("so good", "+")
    >>> relabelled(from_bytes(pack(counted)).counts, "-").live().labels
    ['-']
    """
    # The options have no meaning here: the file also says how the text was split into terms.
    return to_bytes(Snapshot(_DEFAULTS, counts))


def counts_of(entry: Entry) -> Counts:
    """The counts of the document of an entry; ``StoreError`` if they are erased or damaged."""
    if entry.counts is None:
        raise StoreError(f"the counts of entry {entry.seq} are erased")
    try:
        counts = from_bytes(entry.counts).counts
    except LikelyError as error:
        raise StoreError(f"the counts of entry {entry.seq} are damaged: {error}. Restore a backup") from error
    if counts.live().labels != [entry.label] or counts.totals().documents.tolist() != [1.0]:
        raise StoreError(f"the counts of entry {entry.seq} are not those of one document. Restore a backup")
    return counts


def relabelled(counts: Counts, label: Label) -> Counts:
    """The counts of the same document in another class."""
    return Counts(counts.analyzer, LabelIndex([label]), counts.native.copy(), counts.dropped)


def rebuild(
    ledger: Ledger, base: Callable[[], NaiveBayes], load_fold: Callable[[Fold], bytes | None]
) -> tuple[NaiveBayes, int]:
    """The model of a store at this moment, from its last fold if that can be loaded, or else from the base.

    The number is that of the last entry that it contains.

    Both give the same model to the last bit.
    """
    ledger.check_complete()
    fold = ledger.fold
    data = None if fold is None else load_fold(fold)
    if fold is not None and data is not None:
        model = NaiveBayes._from_snapshot(from_bytes(data))
        return model, max(catch_up(model, ledger, fold.seq), default=fold.seq)
    model, last = base(), ledger.last()
    if last:
        with ThreadPoolExecutor(1) as beside:  # the model file is read while entries are added up
            whole = beside.submit(model._read_rest)
            learned = sum_of(map(counts_of, ledger.all_learned()))
            whole.result()
        correct(model, learned, None)
    return model, last


def catch_up(model: NaiveBayes, ledger: Ledger, seq: int) -> Iterator[int]:
    """Bring a model that contains the entries up to one of them up to date, step by step; yields the last entries."""
    while entries := ledger.since(seq):
        apply(model, ledger, entries, {})
        seq = entries[-1].seq
        yield seq


def apply(model: NaiveBayes, ledger: Ledger, entries: Sequence[Entry], counted: Mapping[int, Counts]) -> None:
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


_MOST = 20
"""At most this many problems are reported."""


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
    with closing(store):
        return verify(store, model)


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
            while entries := ledger.since(found.entries):
                for entry in entries:
                    found.entries += 1
                    found.erased += entry.is_erased
                    found.problems += _problems_of(entry)
            found.learned = sum(1 for _ in ledger.all_learned())
            ledger.check_complete()
            found.folded = None if ledger.fold is None else ledger.fold.seq
            found.problems += _check_model(ledger, store, model, found)
    except LikelyError as error:
        found.problems.append(str(error))
    del found.problems[_MOST:]
    return found


def _problems_of(entry: Entry) -> list[str]:
    """What is wrong with an entry."""
    problems = []
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
    base = Base(base_path(ledger, model))
    base.load()
    if ledger.about("base") not in (None, base.digest):
        return ["the base model is not the one that the store was started with: give it with --model"]
    whole, _ = rebuild(ledger, base.load, lambda _: None)
    found.replayed = True
    fold = ledger.fold
    if fold is None:
        return []
    if store.load_fold(fold) is None:
        return [f"the folded model of entry {fold.seq} is missing or damaged: the next start takes longer"]
    folded, _ = rebuild(ledger, base.load, store.load_fold)
    if to_bytes(folded._snapshot()) != to_bytes(whole._snapshot()):
        return ["the folded model is not the model of the base and the entries"]
    return []
