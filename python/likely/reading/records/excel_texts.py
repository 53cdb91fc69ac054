"""The texts of workbooks: a text that is stored once may be in every cell, and each cell gets a copy of it."""

from __future__ import annotations

import re

import numpy as np

_NAME = "sharedstrings.xml"
_TEXT = re.compile(rb"<(?:\w+:)?si(?=[\s/>])")
_CELL = re.compile(rb"\st\s*=\s*[\"']s[\"']")
_PLAIN_CELL = re.compile(rb'\st="s"[^>]*><v>([0-9]{1,9})</v></c>')
_HIDING = (b"<!--", b"<![CDATA[")


def has_texts(name: str) -> bool:
    """Whether the file of this name in a workbook contains the texts that its cells refer to."""
    return name.lower().endswith(_NAME)


class StoredTexts:
    """The sizes of the stored texts of a workbook, counted as its XML goes by.

    Examples
    --------
    >>> texts = StoredTexts()
    >>> texts.add(b"<sst><si><t>a</t></si><si><t>abcd</t></si>")
    >>> texts.size_of(b'<c r="A1" t="s"><v>0</v></c><c r="A2" t="s"><v>0</v></c>'), texts.number
    (34, 2)
    """

    def __init__(self) -> None:
        self.number = 0
        """The number of texts so far."""
        self._is_plain = True
        self._length = 0
        self._starts = [np.zeros(0, np.int64)]
        self._sizes: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None

    def add(self, xml: bytes) -> None:
        """Take in the next part of the file with the texts."""
        starts = np.array([found.start() for found in _TEXT.finditer(xml)], np.int64) + self._length
        self.number += len(starts)
        self._starts.append(starts)
        self._length += len(xml)
        # What only looks like a text would shift the numbers of the texts after it.
        self._is_plain &= not any(hiding in xml for hiding in _HIDING)

    def size_of(self, sheet: bytes) -> int:
        """The number of bytes of the stored texts, with their XML, in the cells of a part of a sheet; never less."""
        if self._sizes is None:
            self._sizes = np.diff(np.concatenate([*self._starts, np.array([self._length])]))
        if not self.number:
            return 0
        cells = len(_CELL.findall(sheet))
        places = np.array(_PLAIN_CELL.findall(sheet) if self._is_plain else [], np.int64)
        known = self._sizes[places[places < self.number]].sum()
        # A cell that is written in any other way may have any of the texts.
        return int(known) + max(cells - len(places), 0) * int(self._sizes.max())
