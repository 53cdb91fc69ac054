"""The counts of one document as bytes of a model file, which is checked like any other when it is read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from likely.core.counts import Counts
from likely.core.file import Snapshot, from_bytes, to_bytes
from likely.errors import LikelyError, StoreError
from likely.labels import LabelIndex
from likely.options.model import with_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.server.store.entry import Entry
    from likely.types import Label


def pack(counts: Counts) -> bytes:
    """The counts of one document as bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> lesson = NaiveBayes()._count_one("so good", "+")
    >>> relabelled(unpack(pack(lesson)), "-").live().labels
    ['-']
    """
    # The options have no meaning here: the file also says how the text was split into terms.
    return to_bytes(Snapshot(_defaults(), counts))


@cache
def _defaults() -> Mapping[str, object]:
    return with_defaults({})


def unpack(data: bytes) -> Counts:
    """The counts of one document; ``ModelFileError`` if the bytes are anything else."""
    return from_bytes(data).counts


def counts_of(entry: Entry) -> Counts:
    """The counts of the document of an entry; ``StoreError`` if they are erased or damaged."""
    if entry.counts is None:
        raise StoreError(f"the counts of entry {entry.seq} are erased")
    try:
        counts = unpack(entry.counts)
    except LikelyError as error:
        raise StoreError(f"the counts of entry {entry.seq} are damaged: {error}. Restore a backup") from error
    if counts.live().labels != [entry.label] or counts.totals().documents.tolist() != [1.0]:
        raise StoreError(f"the counts of entry {entry.seq} are not those of one document. Restore a backup")
    return counts


def relabelled(counts: Counts, label: Label) -> Counts:
    """The counts of the same document in another class."""
    return Counts(counts.analyzer, LabelIndex([label]), counts.native.copy(), counts.dropped)
