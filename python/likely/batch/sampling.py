"""The sample of likely, drawn in parts: each worker draws from its documents, and the parts are joined.

Which documents are in a sample is decided by numbers that follow from their texts (`likely.training.sample`), so the
sample of all documents is the same whatever the parts and their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likely.batch.counting import DocumentRows, class_type
from likely.training.sample import OVERHEAD, KeptRows, Sampler

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.reading.batch import Chosen
    from likely.reading.rows import Sample


SLICE = 2_000
"""The number of texts of a record batch."""
EVERY = 2**64 - 1
"""The largest number of a group."""


def sample_rows(
    batches: Iterable[pa.RecordBatch | pa.Table],
    columns: Chosen,
    size: int,
    most_bytes: int,
    most_number: int = EVERY,
) -> Iterator[pa.RecordBatch]:
    """What a sampler of this size keeps of some documents; the last row is about all of them.

    With ``most_number``, it keeps only what the sample of all documents may need (`bounds`).

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.reading.batch import Chosen
    >>> batch = pa.record_batch({"text": ["good", "bad", "good"], "label": [1, 0, 1]})
    >>> rows = pa.Table.from_batches(sample_rows([batch], Chosen("text", "label"), 10, 1000))
    >>> sorted(zip(rows["text"].to_pylist()[:-1], rows["label"].to_pylist(), rows["copies"].to_pylist()))
    [('bad', 0, 1), ('good', 1, 2)]
    """
    documents, sampler = DocumentRows(columns), Sampler(size, most_bytes, most_number)
    for found in documents.of(batches):
        sampler.add(found)
    if documents.label_type is None:
        return
    schema = pa.schema(
        [
            *((name, pa.uint64()) for name in ("group", "number")),
            ("label", class_type(documents.label_type)),
            ("text", pa.string()),
            ("copies", pa.int64()),
            ("weight", pa.string()),  # a whole number of any size
        ]
    )
    rows, labels = sampler.kept()
    for start in range(0, len(rows), SLICE):
        some = rows.at(slice(start, start + SLICE))
        weights = [None] * len(some) if some.weights is None else [str(each) for each in some.weights]
        named = [labels[code] for code in some.codes.tolist()]
        texts = some.texts.tolist()
        yield pa.record_batch([some.groups, some.numbers, named, texts, some.copies, weights], schema=schema)
    numbers = [[documents.rows], [documents.bad], [None], [None], [sampler.of], [str(sampler.reached())]]
    yield pa.record_batch([pa.array(each, field.type) for each, field in zip(numbers, schema, strict=True)], schema)


def bounds(size: int, most_bytes: int, rows: int, characters: int) -> Iterator[int]:
    """Numbers up to which groups may be in a sample of this many documents: the first that is enough is the best.

    Numbers are spread evenly, so with the first one each part sends about twice its share of the sample, not a
    sample of its own. Should many documents be copies, it is too small, and a larger one follows.

    Examples
    --------
    >>> [round(bound / EVERY, 6) for bound in bounds(20_000, 1 << 28, 1_000_000_000, 10**12)]
    [4e-05, 0.00064, 0.01024, 0.16384, 1.0]
    """
    share = 2 * min(size / max(rows, 1), most_bytes / max(characters + OVERHEAD * rows, 1))
    while share < 1:
        yield int(share * EVERY)
        share *= 16
    yield EVERY


class JoinedSample:
    """The parts of a sample, joined.

    Attributes
    ----------
    bad, rows : int
        The number of bad rows of the data, and of all its rows.
    """

    def __init__(self, size: int, most_bytes: int, most_number: int = EVERY, *, grouped: bool = False) -> None:
        self._sampler, self._grouped, self._most = Sampler(size, most_bytes, most_number), grouped, most_number
        self._reached = EVERY
        self.bad = self.rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows of `sample_rows`."""
        is_end = pc.and_(pc.is_null(batch["label"]), pc.is_null(batch["text"]))
        for end in batch.filter(is_end).to_pylist():
            self.rows, self.bad = self.rows + end["group"], self.bad + end["number"]
            self._sampler.of += end["copies"]
            self._reached = min(self._reached, int(end["weight"]))
        self._take(batch.filter(pc.invert(is_end)))

    def _take(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        texts, weights = batch["text"].to_pylist(), batch["weight"].to_pylist()
        encoded = batch["label"].dictionary_encode()
        sizes = [0 if text is None else len(text) + OVERHEAD for text in texts]
        rows = KeptRows(
            batch["group"].to_numpy(),
            batch["number"].to_numpy(),
            encoded.indices.to_numpy().astype(np.uint32),
            np.array([*texts, None], np.object_)[:-1],
            np.array(sizes, np.int64),
            batch["copies"].to_numpy(),
            None if weights[0] is None else np.array([int(each) for each in weights], np.object_),
        )
        self._sampler.take(rows, encoded.dictionary.to_pylist(), grouped=self._grouped)

    def is_whole(self) -> bool:
        """Whether the sample is the same without a bound to the numbers of groups."""
        return self._most == EVERY or min(self._reached, self._sampler.reached()) < self._most

    def sample(self) -> Sample:
        """The sample of all documents."""
        return self._sampler.sample()
