"""Damages model files, at random and by their structure, and loads them.

``python -m tests.unit.storage.fuzz FIRST COUNT`` runs the cases with these numbers. Every file must be refused in one
short line, or be a model that can be used, in little time and memory. The number of a case says everything about it,
so a case that fails can be run alone. This is a process of its own: a file that fills the memory would end it.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.core.manifest import sign
from likely.errors import LikelyError, ModelFileError

from tests.unit.storage import parquet_tree as tree

ROOM = 256 << 20
"""The memory that loading may take, in bytes."""
SECONDS = 10.0
NUMBERS = [
    0,
    1,
    -1,
    2,
    7,
    127,
    128,
    2**15,
    65538,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32,
    2**63 - 1,
    -(2**63),
    2**64,
    2**70,
]
VALUES: list[Any] = [None, True, -1, 0.5, 1e300, 2**63, 2**70, "", "x" * 10_000, [], [[]], {}, {"a": 1}]
TEXTS, LABELS = ["good fun", "good good plot", "a dull plot", "naïve 漢字"], ["+", "+", "-", "-"]


def files() -> list[bytes]:
    """Model files of all kinds, with zeros in place of their digests."""
    models = [
        NaiveBayes(ngrams=(1, 2)).fit(TEXTS, LABELS),
        NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS),
        NaiveBayes(calibrate=True).fit(TEXTS, [1, 1, 2, 2]),
        NaiveBayes().fit(TEXTS, [label == "+" for label in LABELS], [0.1, 0.2, 0.3, 0.4]),
        NaiveBayes().fit(["x" * 100 + str(at) for at in range(500)], [str(at % 7) for at in range(500)]),
    ]
    found = []
    for model in models:
        data = to_bytes(model._snapshot())
        found.append(data.replace(document_of(data)["digest"].encode(), b"0" * 64))
    return found


def document_of(data: bytes) -> dict[str, Any]:
    footer = tree.split(data)[1]
    found: dict[str, Any] = json.loads(footer[5].items[0][2])
    return found


# Damage ----------------------------------------------------------------------------------------------------------


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The file with some damage, signed again if there is still a place for the digest."""
    ways = [in_bytes, in_footer, in_footer, in_page_header, in_page_header, in_page, in_document]
    changed = rng.choice(ways)(data, rng)
    try:
        return sign(changed)
    except ValueError:
        return changed


def in_bytes(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(changed))
        way = rng.randrange(5)
        if way == 0:
            changed[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            changed[at] = rng.randrange(256)
        elif way == 2:
            del changed[at : at + rng.choice([1, 4, 100])]
        elif way == 3:
            changed[at:at] = rng.randbytes(rng.choice([1, 4, 100]))
        else:
            changed[at:at] = changed[at : at + rng.choice([4, 100])]
        if not changed:
            break
    return bytes(changed)


def in_footer(data: bytes, rng: random.Random) -> bytes:
    body, footer = tree.split(data)
    for _ in range(rng.choice([1, 1, 3])):
        mutate(footer, rng)
    return tree.joined(body, footer)


def in_page_header(data: bytes, rng: random.Random) -> bytes:
    body, footer = tree.split(data)
    pages = tree.pages(body)
    mutate(rng.choice(pages)[0], rng)
    return tree.with_pages(footer, pages)


def in_page(data: bytes, rng: random.Random) -> bytes:
    """The file with a page that has other values, compressed again, so that its header is right."""
    body, footer = tree.split(data)
    pages = tree.pages(body)
    at = rng.randrange(len(pages))
    header, packed = pages[at]
    content = in_bytes(bytes(pa.decompress(packed, header[2], codec="zstd")) or b"\0", rng)
    if rng.random() < 0.2:
        content *= rng.choice([2, 1000])
    packed = bytes(pa.compress(content, codec="zstd"))
    header.set(2, len(content))
    header.set(3, len(packed))
    pages[at] = header, packed
    return tree.with_pages(footer, pages)


def in_document(data: bytes, rng: random.Random) -> bytes:
    body, footer = tree.split(data)
    document = document_of(data)
    places: list[tuple[Any, Any]] = [(document, key) for key in document]
    for holder, key in places:
        value = holder[key]
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        places += [(value, each) for each, _ in items]
    holder, key = rng.choice(places)
    holder[key] = rng.choice([*VALUES, *NUMBERS])
    footer[5].items[0].set(2, json.dumps(document, sort_keys=True, separators=(",", ":")).encode())
    return tree.joined(body, footer)


def mutate(root: tree.Struct, rng: random.Random) -> None:
    """Change one thing in a tree."""
    structs, lists = [root], []
    for each in structs:
        for field in each.fields:
            if isinstance(field.value, tree.Struct):
                structs.append(field.value)
            elif isinstance(field.value, tree.Elements):
                lists.append(field.value)
                structs += [item for item in field.value.items if isinstance(item, tree.Struct)]
    if lists and rng.random() < 0.25:
        mutate_list(rng.choice(lists), rng)
    else:
        mutate_struct(rng.choice(structs), rng)


def mutate_struct(struct: tree.Struct, rng: random.Random) -> None:
    way = rng.randrange(6) if struct.fields else 0
    place = rng.randrange(len(struct.fields)) if struct.fields else 0
    if way == 0:
        struct.fields.insert(place, odd_field(rng))
    elif way == 1:
        del struct.fields[place]
    elif way == 2:
        again = copy.deepcopy(struct.fields[place])
        again.number += rng.choice([0, 0, 65536, 1])
        again.full = True
        struct.fields.insert(rng.randint(place, len(struct.fields)), again)
    elif way == 3:
        struct.fields[place].kind = rng.randrange(16)
    elif numbers := [field for field in struct.fields if isinstance(field.value, int)]:
        rng.choice(numbers).value = rng.choice([*NUMBERS, rng.randrange(2**31)])


def mutate_list(elements: tree.Elements, rng: random.Random) -> None:
    way = rng.randrange(4)
    if way == 0:
        elements.kind = rng.randrange(16)
    elif way == 1:
        elements.claimed = rng.choice([0, 1, 14, 15, 1000, 2**31 - 1, 2**31, 2**63])
    elif way == 2 and len(elements.items) < 100:
        elements.items *= rng.choice([0, 2, 200])
    elif elements.items:
        del elements.items[rng.randrange(len(elements.items))]


def odd_field(rng: random.Random) -> tree.Field:
    """A field that asks for much: deep, long, or with values that take no room."""
    number = rng.choice([1, 2, 5, 8, 12, 13, 40, 65538, -3])
    value: Any = tree.Elements(rng.choice([1, 2, 9, 12]), [], rng.choice([2**31 - 1, 2**40, 100]))
    kind = tree.LIST
    if rng.random() < 0.3:
        for _ in range(rng.choice([3, 20, 5000])):
            value = tree.Elements(tree.LIST, [value])
    elif rng.random() < 0.3:
        kind, value = tree.BINARY, rng.choice([b"", b"x" * 100_000])
    return tree.Field(number, kind, value, full=rng.random() < 0.5)


# Checks ----------------------------------------------------------------------------------------------------------


def check(data: bytes, path: Path) -> bool:
    """Whether the file is loaded; an error unless it is refused in one short line or can be used."""
    start = time.monotonic()
    message = None
    try:
        path.write_bytes(data)
        model = likely.load(path)
    except ModelFileError as error:
        message = str(error)
    assert time.monotonic() - start < SECONDS, "it took too long"
    if message is not None:
        assert len(message) < 600, len(message)
        assert "\n" not in message, message
        return False
    again = to_bytes(model._snapshot())
    path.write_bytes(again)
    assert to_bytes(likely.load(path)._snapshot()) == again
    try:
        found = model.predict_proba([*TEXTS, ""])
    except LikelyError:  # such as a prior without a share for a class, which a model may have until it is asked
        return True
    assert np.isfinite(found).all()
    return True


def main(first: int, count: int) -> None:
    """Run some cases, and tell how many files were loaded."""
    sys.setrecursionlimit(50_000)
    originals = files()
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "damaged.likely"
    for data in originals:
        assert check(sign(data), path)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
    loaded = 0
    for case in range(first, first + count):
        rng = random.Random(case)
        # If the process dies, the last line says in which case.
        print(case, flush=True)
        loaded += check(damaged(rng.choice(originals), rng), path)
    folder.cleanup()
    print(f"{count} files, {loaded} of them loaded")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
