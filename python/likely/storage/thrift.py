"""A reader of the compact protocol of Thrift, in which Parquet writes its footer and page headers.

Nothing in the bytes is trusted: every length is checked before memory is allocated.
The protocol is described in the Apache Thrift specification, *Thrift Compact protocol encoding*.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from likely.errors import ModelFileError

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)

DEEPEST = 12
"""The deepest nesting of values; a Parquet footer has 6 levels."""

MOST = 1 << 20
"""The largest number of values; a file with a million rows has about 200."""

Struct: TypeAlias = dict[int, Any]
"""A struct: its values by field number. A value is an int, bool, bytes, list or struct, and is not yet checked."""


class Reader:
    """Reads values from a position in some bytes, and never beyond an end.

    Structs become dicts from field numbers to values, lists become lists, strings become bytes.

    Examples
    --------
    >>> Reader(bytes([0x15, 0x02, 0x18, 0x01, 0x61, 0x00])).struct()
    {1: 1, 2: b'a'}
    """

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end
        self.left = MOST

    def struct(self, depth: int = 0) -> Struct:
        """The struct that starts at the current position."""
        if depth > DEEPEST:
            raise ModelFileError("its values are nested too deeply")
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            if number in fields:
                raise ModelFileError("it has a field twice")
            kind = head & 15
            self._spend()
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth + 1)
        return fields

    def _value(self, kind: int, depth: int) -> object:
        self._spend()
        if kind in (_I16, _I32, _I64):
            return self._signed()
        if kind == _BINARY:
            return self._take(self._number())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth)
        if kind in (_TRUE, _FALSE, _BYTE):  # only an element of a list is a byte
            return self._byte()
        if kind == _DOUBLE:
            return self._take(8)
        raise ModelFileError(f"it has a value of the unknown kind {kind}")

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ModelFileError("it has more values than any model")

    def _list(self, depth: int) -> list[object]:
        if depth > DEEPEST:
            raise ModelFileError("its values are nested too deeply")
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._number()
        # Each element has at least one byte, so a list cannot be longer than the rest of the bytes.
        if length > self.end - self.at:
            raise ModelFileError("a list is longer than the file")
        return [self._value(head & 15, depth + 1) for _ in range(length)]

    def _take(self, length: int) -> bytes:
        if length > self.end - self.at:
            raise ModelFileError("a value is longer than the file")
        self.at += length
        return self.data[self.at - length : self.at]

    def _byte(self) -> int:
        if self.at >= self.end:
            raise ModelFileError("it ends in the middle of a value")
        self.at += 1
        return self.data[self.at - 1]

    def _number(self) -> int:
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ModelFileError("a number has too many digits")

    def _signed(self) -> int:
        number = self._number()
        return (number >> 1) ^ -(number & 1)
