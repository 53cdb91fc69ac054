"""A Parquet file as a tree of values that can be changed and written again: what a forger needs."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


@dataclass
class Field:
    """A field of a struct; ``full`` writes its number in full, which may have any size."""

    number: int
    kind: int
    value: Any = None
    full: bool = False


@dataclass
class Struct:
    """A struct: its fields in their order."""

    fields: list[Field] = field(default_factory=list)

    def __getitem__(self, number: int) -> Any:
        return next(each.value for each in self.fields if each.number == number)

    def set(self, number: int, value: Any) -> None:
        next(each for each in self.fields if each.number == number).value = value


@dataclass
class Elements:
    """A list; ``claimed`` is the length that it claims to have, if that is not its length."""

    kind: int
    items: list[Any]
    claimed: int | None = None


class TreeReader:
    """Reads structs in the compact protocol of Thrift, as writers write them."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def struct(self) -> Struct:
        found, number = Struct(), 0
        while head := self.take(1)[0]:
            number += head >> 4
            found.fields.append(Field(number, head & 15, self.value(head & 15)))
        return found

    def value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return None
        if kind in (I16, I32, I64):
            number = self.varint()
            return number >> 1 ^ -(number & 1)
        if kind == BINARY:
            return self.take(self.varint())
        if kind == STRUCT:
            return self.struct()
        if kind == LIST:
            head = self.take(1)[0]
            length = head >> 4 if head >> 4 < 15 else self.varint()
            return Elements(head & 15, [self.value(head & 15) for _ in range(length)])
        return self.take(1 if kind == BYTE else 8)

    def take(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def varint(self) -> int:
        number = shift = 0
        while (byte := self.take(1)[0]) > 127:
            number |= (byte & 127) << shift
            shift += 7
        return number | byte << shift


def varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


def zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def written(tree: Struct) -> bytes:
    """The bytes of a struct."""
    parts, last = [], 0
    for each in tree.fields:
        step = each.number - last
        if each.full or not 0 < step < 16:
            parts.append(bytes([each.kind & 15]) + zigzag(each.number))
        else:
            parts.append(bytes([step << 4 | each.kind & 15]))
        parts.append(value_bytes(each.kind, each.value))
        last = each.number
    return b"".join(parts) + b"\0"


def value_bytes(kind: int, value: Any) -> bytes:
    """The bytes of a value, by what it is and not by the kind that is claimed, if they differ."""
    if isinstance(value, Struct):
        return written(value)
    if isinstance(value, Elements):
        length = len(value.items) if value.claimed is None else value.claimed
        head = bytes([length << 4 | value.kind]) if length < 15 else bytes([0xF0 | value.kind]) + varint(length)
        return head + b"".join(value_bytes(value.kind, each) for each in value.items)
    if isinstance(value, int):
        return zigzag(value)
    if isinstance(value, bytes):
        return varint(len(value)) + value if kind == BINARY else value
    return b""


def split(data: bytes) -> tuple[bytes, Struct]:
    """The bytes before the footer, and the footer."""
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    return data[:start], TreeReader(data, start).struct()


def joined(body: bytes, footer: Struct) -> bytes:
    """The file with another footer."""
    end = written(footer)
    return body + end + struct.pack("<I", len(end)) + b"PAR1"


def chunks(footer: Struct) -> list[Struct]:
    """The metadata of every column of every row group."""
    return [chunk[3] for group in footer[4].items for chunk in group[1].items]


def pages(body: bytes) -> list[tuple[Struct, bytes]]:
    """The header and the content of every page, in the order in which they lie in the file."""
    found, reader = [], TreeReader(body, 4)
    while reader.at < len(body):
        header = reader.struct()
        found.append((header, reader.take(header[3])))
    return found


def with_pages(footer: Struct, changed: list[tuple[Struct, bytes]]) -> bytes:
    """The file with these pages, as many as before; the places in the footer are changed to fit them.

    A column has a dictionary, if its metadata says so, and one page.
    """
    body, rest = b"PAR1", iter(changed)
    for chunk in chunks(footer):
        start = len(body)
        if any(each.number == 11 for each in chunk.fields):
            chunk.set(11, start)
            body += page_bytes(*next(rest))
        chunk.set(9, len(body))
        body += page_bytes(*next(rest))
        chunk.set(7, len(body) - start)
    return joined(body, footer)


def page_bytes(header: Struct, content: bytes) -> bytes:
    return written(header) + content
