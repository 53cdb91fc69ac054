"""Plain text, one document per line; or fastText lines, which start with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely import _native
from likely.reading.files.formats import MARK
from likely.reading.files.stream import LONGEST_ROW
from likely.reading.records.reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from likely.reading.batch import Chosen, Lines, Table
    from likely.reading.files.stream import Stream
    from likely.reading.skipped import Skipped


class LineReader(RecordReader):
    """Reads plain text, one document per line; or fastText lines, which start with labels."""

    def __init__(self, stream: Stream, skipped: Skipped, *, marked: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "fasttext" if marked else "lines"
        self.columns = ["text", "label"] if marked else ["text"]
        self._marked = marked

    def sample(self) -> dict[str, list[str]]:
        """No values: the columns are known."""
        return {name: [] for name in self.columns}

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        marked, has_label = self._marked, chosen.label is not None
        return lambda chunk, last: _native.read_lines(chunk, last, LONGEST_ROW, marked=marked, has_label=has_label)

    def _rows(self, lines: Lines) -> Table:
        rows = [line.decode("utf-8", "replace") for line in lines]
        if not self._marked:
            return {"text": list(rows)}
        whole = "".join(row + "\n" for row in rows).encode()
        records = _native.read_lines(whole, True, LONGEST_ROW, marked=True, has_label=False)
        return {"text": records.columns[0], "label": [" ".join(_marks(row)) or None for row in rows]}

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """The line itself, because any line is a row."""
        del bad
        return line


def _marks(line: str) -> Iterator[str]:
    """The labels at the start of a line."""
    for word in line.split():
        if not word.startswith(MARK):
            return
        yield word.removeprefix(MARK)
