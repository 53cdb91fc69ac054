"""What findings are made of: where the data is, examples, and the beginnings of sentences."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.evaluation.data_check import Example
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.reading.rows import Whole


@dataclass(frozen=True)
class Place:
    """Where the data is, for commands: its name, the names of its columns, and the flags that name them, if given."""

    data: str = "DATA"
    text: str = "text"
    label: str = "label"
    flags: tuple[str, ...] = ()

    @property
    def quoted(self) -> str:
        """The name of the data and the flags of its columns, as a shell reads them."""
        return shlex.join([self.data, *self.flags])

    def train(self, *flags: str) -> str:
        """The command that trains on the data with these flags.

        Examples
        --------
        >>> Place("my films.csv").train("--strip-labels")
        "likely train 'my films.csv' -o MODEL --strip-labels"
        """
        return shlex.join(["likely", "train", self.data, "-o", "MODEL", *self.flags, *flags])

    def query(self, query: str) -> str:
        r"""The command that trains on what a query selects; {data}, {text} and {label} stand for the names.

        Examples
        --------
        >>> print(Place("a.csv").query("SELECT * FROM {data} WHERE {text} <> ''"))
        likely train -o MODEL --sql "SELECT * FROM 'a.csv' WHERE \"text\" <> ''"
        """
        text, label = ('"' + name.replace('"', '""') + '"' for name in (self.text, self.label))
        filled = query.format(data="'" + self.data.replace("'", "''") + "'", text=text, label=label)
        for sign in '\\"$`':
            filled = filled.replace(sign, f"\\{sign}")
        return " ".join([shlex.join(["likely", "train", "-o", "MODEL", *self.flags]), f'--sql "{filled}"'])


def examples_of(whole: Whole, rows: Iterable[int], most: int) -> list[Example]:
    """The first rows as examples, at most this many."""
    return [Example.of(whole, row) for row, _ in zip(rows, range(most), strict=False)]


def rows_are(number: int, total: int, what: str, whats: str) -> str:
    """How many rows are something, as the beginning of a sentence.

    Examples
    --------
    >>> rows_are(1, 200, "is empty", "are empty"), rows_are(200, 200, "is empty", "are empty")
    ('1 row of 200 (0.5 %) is empty', '200 rows of 200 (100 %) are empty')
    """
    share = 100 * number / total
    shown = f"{share:.0f}" if share >= 10 else f"{share:.2g}"
    return f"{counted(number, 'row')} of {total:,} ({shown} %) {what if number == 1 else whats}"
