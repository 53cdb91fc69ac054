"""Files with a row a line or so: CSV, TSV, JSON Lines, fastText's lines, plain lines. The kernel reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from likely.errors import SourceError
from likely.labels import CodedLabels
from likely.reading.batch import Batch, Chosen, Lines, Skipped
from likely.reading.stream import CHUNK, LONGEST_ROW, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

    from likely import _native


SAMPLE = 200
"""How many rows are looked at to guess the columns."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class RecordReader:
    """What all such files have in common: chunk by chunk, rows that ended are handed on and the rest is kept."""

    format = ""

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        if stream.head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError(f"{stream.where} is UTF-16: say so with encoding='utf-16' (--encoding utf-16)")
        self.where = stream.where
        self.columns: list[str] = []
        self.row_columns: list[str] | None = None
        self.position = stream.position
        self.size = stream.size
        self.close = stream.close
        self._stream = stream
        self._skipped = skipped

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All rows, a batch for each chunk of the file."""
        del whole  # whole rows are there anyway
        parse = self._parser(chosen)
        line = 1 + self._header_lines()
        chunk, wanted, ended = self._begin(), 0, False
        # Who wants rows as they come shall not wait for more than what has been looked at already.
        at_hand = bool(chunk) and not self._stream.is_patient
        while not ended:
            if not at_hand:
                more = self._stream.read(CHUNK)
                chunk, ended = chunk + more if chunk else more, not more
                if more and len(chunk) < wanted:
                    continue
            at_hand = False
            records = parse(chunk, ended)
            for at, problem in records.bad:
                self._skipped.add(self.where, line + at, problem)
            if len(records.starts):
                yield self._batch(chunk, records, chosen)
            line += records.passed + records.cut
            # A row that does not end is not looked at again before it has doubled: else time would be quadratic.
            wanted = 0 if records.used else min(2 * len(chunk), LONGEST_ROW + 1)
            chunk = chunk[records.used :] if not records.cut else self._after_line_end()

    def _after_line_end(self) -> bytes:
        """What follows the line that is being read."""
        while more := self._stream.read():
            _, end, after = more.partition(b"\n")
            if end:
                return after
        return b""

    def _begin(self) -> bytes:
        """The first bytes of the first row, so far as they are known."""
        head = self._stream.read(1)
        return head.removeprefix(BYTE_ORDER_MARK)

    def _head(self) -> bytes:
        return self._stream.head.removeprefix(BYTE_ORDER_MARK)

    def _header_lines(self) -> int:
        return 0

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        raise NotImplementedError

    def _rows(self, lines: Lines) -> pa.Table:
        raise NotImplementedError

    def _batch(self, chunk: bytes, records: _native.Records, chosen: Chosen) -> Batch:
        lines = Lines(chunk, records.starts, records.ends)
        columns = [strings(*column) for column in records.columns]
        labels = typed(*records.labels, records.kinds) if chosen.label is not None else None
        return Batch(columns[0], labels, partial(self._rows, lines), lines)


def strings(values: Any, offsets: Any) -> pa.Array:
    """The kernel's strings as Arrow's, without a copy."""
    import pyarrow as pa

    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(values))


def typed(values: list[str], codes: Any, kinds: Any) -> CodedLabels:
    """Labels as what they were in JSON: text, or whole numbers, or truth values, if all are."""
    if len(kinds) and (kinds != kinds[0]).any():
        raise SourceError("some labels are text and some are numbers or truth values: write all alike")
    return CodedLabels(list(values), codes).as_kind((str, int, bool)[kinds[0] if len(kinds) else 0])
