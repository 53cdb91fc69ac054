"""Malformed requests, bombs and slow clients: a documented answer to each, and others do not notice."""

from __future__ import annotations

import gzip
import json
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from likely import NaiveBayes

from .amounts import MALFORMED, PATIENCE, SLOW
from .conftest import LABELS, TEXTS
from .served import Served, read_all, serving, until

LIMITS = {"body_time": 1.0}
HEAD = b"POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
GOOD = HEAD + b'content-length: 15\r\n\r\n{"text":"dull"}'
ALLOWED = {200, 400, 403, 404, 405, 408, 411, 413, 415, 421, 422, 431, 501, 505}
MOST_MEMORY = 64_000_000


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with short deadlines, which must be as good at the end as at the beginning."""
    path = tmp_path_factory.mktemp("abuse") / "reviews.likely"
    NaiveBayes().fit(TEXTS, LABELS).save(path)
    with serving(path, path.with_suffix(".store"), limits=LIMITS) as server:
        yield server
        assert is_well(server)
        assert server.end() == 0
        assert "bug" not in {each["event"] for each in server.events()}


def is_well(server: Served) -> bool:
    """Whether the server answers as it should."""
    return bool(server.post("/predict", text="dull").json()["predictions"][0]["label"] == "neg")


def statuses(answer: bytes) -> list[int]:
    """The statuses of all answers on a connection."""
    return [int(found) for found in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def damaged(chance: random.Random) -> bytes:
    """A good request with some bytes changed, cut out, doubled or put in."""
    data = bytearray(GOOD)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 20)]
        elif kind == 2:
            data[at:at] = data[at : at + chance.randint(1, 40)]
        elif kind == 3:
            data[at:at] = chance.randbytes(chance.randint(1, 30))
        else:
            tokens = [
                b"\r\n",
                b"\r\n\r\n",
                b"transfer-encoding: chunked\r\n",
                b"content-length: 5\r\n",
                b"\x00",
                b"%00",
            ]
            data[at:at] = chance.choice(tokens)
    return bytes(data)


def test_malformed_bytes(victim: Served) -> None:
    chance, before = random.Random(16), victim.memory()
    for number in range(MALFORMED):
        data = damaged(chance) if number % 10 else chance.randbytes(chance.randint(1, 3_000))
        answer = victim.raw(data)
        assert set(statuses(answer)) <= ALLOWED, data
        assert b"Traceback" not in answer
    assert is_well(victim)
    assert victim.memory() - before < MOST_MEMORY


def bodies() -> dict[str, tuple[bytes, set[int]]]:
    """Bodies that should hurt, and what may be answered."""
    deep = b"[" * 100_000
    return {
        "deep list": (b'{"texts":' + deep, {400, 422}),
        "deep object": (b'{"a":' * 100_000, {400, 422}),
        "deep unknown field": (b'{"text":"a","b":' + deep + b"]" * 100_000 + b"}", {400, 422}),
        "many keys": (json.dumps({str(n): n for n in range(300_000)}).encode(), {422}),
        "the same key": (b"{" + b'"text":"dull",' * 100_000 + b'"text":"dull"}', {200}),
        "a huge number": (b'{"text":"a","abstain":1e400}', {400, 422}),
        "a huge whole number": (b'{"text":"a","top":' + b"9" * 100_000 + b"}", {400, 422}),
        "not a number": (b'{"text":"a","abstain":NaN}', {400}),
        "half a pair": (b'{"text":"\\ud800"}', {200, 400, 422}),
        "not UTF-8": (b'{"text":"\xff\xfe"}', {400}),
        "a byte order mark": (b'\xef\xbb\xbf{"text":"a"}', {400}),
        "a null character": (b'{"text":"\\u0000"}', {200}),
        "nothing": (b"", {400}),
        "two documents": (b'{"text":"a"}{"text":"b"}', {400}),
        "many texts": (json.dumps({"texts": [""] * 1_000_000}).encode(), {422}),
        "a text that is too long": (json.dumps({"text": "a" * 2_000_000}).encode(), {422}),
    }


@pytest.mark.parametrize("name", bodies())
def test_bodies_that_should_hurt(victim: Served, name: str) -> None:
    data, allowed = bodies()[name]
    before = victim.memory()
    with victim.client() as client:
        answer = client.post("/predict", content=data, headers={"content-type": "application/json"})
    assert answer.status_code in allowed
    assert victim.memory() - before < MOST_MEMORY


def test_nothing_is_decompressed(victim: Served) -> None:
    bomb = gzip.compress(b" " * 200_000_000, 9)
    before = victim.memory()
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    with victim.client() as client:
        answer = client.post("/predict", content=bomb, headers=headers)
    assert answer.status_code == 415
    assert victim.memory() - before < MOST_MEMORY


def test_answers_that_would_be_too_long_are_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "many.likely"
    NaiveBayes().fit([f"word{at} word{at + 1}" for at in range(1_000)], [f"class{at}" for at in range(1_000)]).save(
        path
    )
    words = " ".join(f"word{at}" for at in range(501))
    with serving(path) as server:
        server.post("/explain", text="word1")
        before = server.memory()
        answer = server.post("/explain", text=" ".join(f"w{at}" for at in range(2_001)))
        assert (answer.status_code, "send a shorter text" in answer.json()["detail"]) == (422, True)
        answer = server.post("/predict", texts=[""] * 2_001, top=1_000)
        assert (answer.status_code, "at most 2,000 texts" in answer.json()["detail"]) == (422, True)
        assert server.memory() - before < MOST_MEMORY
        assert len(server.post("/explain", text=words[:70]).json()["terms"]) == 11
        assert len(server.post("/explain", text=words[:700]).content) < 200_000, "the page asks for it at every key"
        assert len(server.post("/predict", texts=["word1"] * 30, top=1_000).json()["predictions"]) == 30


def test_a_body_that_says_it_is_too_large_is_not_read(victim: Served) -> None:
    with socket.create_connection(("127.0.0.1", victim.port), timeout=10) as connection:
        connection.sendall(HEAD + b"content-length: 99999999999\r\n\r\n")
        assert statuses(connection.recv(10_000)) == [413]


def test_chunks_without_end_are_cut_off(victim: Served) -> None:
    with socket.create_connection(("127.0.0.1", victim.port), timeout=10) as connection:
        connection.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        chunk = b"%x\r\n" % 1_000_000 + b" " * 1_000_000 + b"\r\n"
        try:
            for _ in range(60):
                connection.sendall(chunk)
            sent_all = True
        except OSError:
            sent_all = False
        answer = read_all(connection) if sent_all else b"HTTP/1.1 413 "
    assert statuses(answer) == [413]


def test_headers_without_end_are_cut_off(victim: Served) -> None:
    assert statuses(victim.raw(GOOD[:-30] + b"x: y\r\n" * 10_000)) in ([431], [400])
    assert statuses(victim.raw(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n")) in ([431], [400])


@pytest.mark.parametrize("slow", [HEAD + b"content-length: 15\r\n\r\n", HEAD + b'content-length: 15\r\n\r\n{"te'])
def test_slow_clients_are_cut_off_and_others_do_not_wait(victim: Served, slow: bytes) -> None:
    connections = [socket.create_connection(("127.0.0.1", victim.port), timeout=15) for _ in range(SLOW)]
    try:
        for connection in connections:
            connection.sendall(slow)
        assert is_well(victim)
        started = time.monotonic()
        answers = [read_all(connection) for connection in connections]
        assert time.monotonic() - started < 10
        assert {status for answer in answers for status in statuses(answer)} == {408}
    finally:
        for connection in connections:
            connection.close()


def test_too_many_connections_and_requests_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "reviews.likely"
    NaiveBayes().fit(TEXTS, LABELS).save(path)
    with serving(path, limits={"connections": 5}) as server:
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(5)]
        until(lambda: statuses(server.raw(GOOD)) == [503])
        for each in held:
            each.close()
        until(lambda: statuses(server.raw(GOOD)) == [200])
    with serving(path, limits={"requests": 0}) as server:
        assert server.post("/predict", text="dull").headers["retry-after"] == "1"
        assert server.get("/livez").status_code == 200
    tokens = {"LIKELY_PREDICT_TOKEN": "p" * 16, "LIKELY_LEARN_TOKEN": "l" * 16}
    with (
        serving(path, limits={"bodies": 3, "requests": 3}, environment=tokens) as server,
        server.client("p" * 16) as slow,
        server.client("l" * 16) as other,
    ):
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(9)]
        for each in held:
            each.sendall(HEAD + b"authorization: Bearer pppppppppppppppp\r\ncontent-length: 15\r\n\r\n")
        until(lambda: slow.post("/predict", json={"text": "dull"}).status_code == 503)
        assert {other.post("/predict", json={"text": "dull"}).status_code for _ in range(9)} == {200}
        for each in held:
            each.close()
        until(lambda: slow.post("/predict", json={"text": "dull"}).status_code == 200)


@pytest.mark.parametrize("upgrade", [b"h2c", b"websocket", b"TLS/1.3"])
def test_a_request_that_offers_another_protocol_is_answered(victim: Served, upgrade: bytes) -> None:
    offer = b"connection: upgrade, http2-settings\r\nupgrade: " + upgrade + b"\r\nhttp2-settings: AAEAAEAA\r\nhost:"
    offer = offer.replace(b"connection: ", b"connection: close, ")
    with socket.create_connection(("127.0.0.1", victim.port), timeout=15) as connection:
        connection.sendall(GOOD.replace(b"host:", offer))
        assert statuses(read_all(connection)) == [200]


def test_two_requests_in_one_piece_are_both_answered(victim: Served) -> None:
    last = GOOD.replace(b"host:", b"connection: close\r\nhost:")
    with socket.create_connection(("127.0.0.1", victim.port), timeout=15) as connection:
        connection.sendall(GOOD + last)
        assert statuses(read_all(connection)) == [200, 200]


@pytest.mark.timeout(PATIENCE)
def test_requests_made_from_our_own_document(victim: Served) -> None:
    """Schemathesis makes requests that fit the OpenAPI document, and requests that do not."""
    pytest.importorskip("schemathesis")
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "run", f"{victim.address}/openapi.json"),
        *("--checks", checks, "--phases", "fuzzing", "--seed", "16"),
        *("--max-examples", str(max(5, MALFORMED // 20)), "--no-color"),
    ]
    done = subprocess.run(command, cwd=victim.log.parent, capture_output=True, text=True, timeout=3_000, check=False)
    assert done.returncode == 0, done.stdout[-5_000:]
