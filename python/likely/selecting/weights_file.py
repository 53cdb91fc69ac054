"""`WeightsFile`: the log importance weight of every raw document."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.selecting.importance import UNIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from likely.reports.rows.output import Sink

FORMATS = (".csv", ".jsonl")


class WeightsFile:
    """Writes one row per raw document: its file, its row there (from 1), its words, and its log importance weights.

    A row that cannot be read has neither words nor weights.

    Parameters
    ----------
    sink : Sink
        Where the rows go.
    name : str
        The name of the file, which says whether it is CSV or JSON Lines.
    targets : list of str
        The names of the targets. If there are several, each has a column of its own.
    """

    def __init__(self, sink: Sink, name: str, targets: list[str]) -> None:
        check_weights_name(name)
        self._sink = sink
        self._is_csv = name.lower().endswith(".csv")
        weights = ["log_weight"] if len(targets) == 1 else [f"log_weight_{at}" for at in range(1, len(targets) + 1)]
        self._columns = ["file", "row", "words", *weights]
        if self._is_csv:
            sink.write((",".join(self._columns) + "\n").encode())

    def add(
        self,
        file: str,
        before: int,
        sums: npt.NDArray[np.int64],
        words: npt.NDArray[np.uint64],
        problems: Mapping[int, str],
    ) -> None:
        """Write the rows of a batch, of which ``before`` rows of the file precede."""
        weights = (sums / UNIT).tolist()
        nothing = [None] * (1 + sums.shape[1])
        rows = (
            [file, before + at + 1, *(nothing if at in problems else [number, *weights[at]])]
            for at, number in enumerate(words.tolist())
        )
        if self._is_csv:
            lines = io.StringIO()
            csv.writer(lines, lineterminator="\n").writerows(rows)
            self._sink.write(lines.getvalue().encode("utf-8", "surrogateescape"))
        else:
            self._sink.write(
                "".join(json.dumps(dict(zip(self._columns, row, strict=True))) + "\n" for row in rows).encode()
            )


def check_weights_name(name: str) -> None:
    """Raise ``SourceError`` if the name of the file does not say how it is written.

    Examples
    --------
    >>> check_weights_name("weights.xls")
    Traceback (most recent call last):
    likely.errors.SourceError: weights.xls: weights are written as .csv or .jsonl: name such a file
    """
    if not name.lower().endswith(FORMATS):
        raise SourceError(f"{name}: weights are written as {' or '.join(FORMATS)}: name such a file")
