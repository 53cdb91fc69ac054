"""Plain text, a document a line; or fastText's, with labels in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely import _native
from likely.reading.formats import MARK
from likely.reading.records import RecordReader, strings
from likely.reading.stream import LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

    from likely.reading.batch import Chosen, Lines, Skipped
    from likely.reading.stream import Stream


class LineReader(RecordReader):
    """Plain text, a document a line; or fastText's, with labels in front."""

    def __init__(self, stream: Stream, skipped: Skipped, *, marked: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "fasttext" if marked else "lines"
        self.columns = ["text", "label"] if marked else ["text"]
        self._marked = marked

    def sample(self) -> dict[str, list[str]]:
        """Nothing to look at: the columns are known."""
        return {name: [] for name in self.columns}

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        marked, has_label = self._marked, chosen.label is not None
        return lambda chunk, last: _native.read_lines(chunk, last, LONGEST_ROW, marked=marked, has_label=has_label)

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        if not self._marked:
            return pa.table({"text": [line.decode() for line in lines]})
        records = _native.read_lines(b"\n".join(lines), True, LONGEST_ROW, marked=True, has_label=False)
        labels = [" ".join(_marks(line.decode())) or None for line in lines]
        return pa.table({"text": strings(*records.columns[0]), "label": pa.array(labels, pa.string())})


def _marks(line: str) -> Iterator[str]:
    """The labels in front of a line."""
    for word in line.split():
        if not word.startswith(MARK):
            return
        yield word.removeprefix(MARK)
