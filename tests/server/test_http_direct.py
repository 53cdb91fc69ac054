"""Direct answers on real connections: in order, whatever the pieces, and as those of the ordinary way."""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import pytest

from .served import Served, read_all, serving

TEXTS = ("dull", "good fun", "", "unheard of", "a \U0001f600 film")


def request(text: str, *, path: bytes = b"/predict", head: bytes = b"") -> bytes:
    body = b'{"text": "%b"}' % text.encode()
    host = b"host: localhost\r\ncontent-type: application/json\r\n"
    return b"POST %b HTTP/1.1\r\n%b%bcontent-length: %d\r\n\r\n%b" % (path, host, head, len(body), body)


def asked(connection: socket.socket, data: bytes, answers: int = 1) -> bytes:
    """What the server answers, on a connection that stays open."""
    connection.sendall(data)
    found = b""
    while not is_complete(found, answers):
        part = connection.recv(1 << 16)
        assert part, found
        found += part
    return found


def is_complete(found: bytes, answers: int) -> bool:
    sizes = [int(size) for size in re.findall(rb"content-length: (\d+)", found)]
    return len(sizes) == answers and sum(map(len, bodies(found))) == sum(sizes)


def connected(server: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def bodies(answers: bytes) -> list[bytes]:
    """The bodies of all answers on a connection."""
    return [part.partition(b"\r\n\r\n")[2] for part in re.split(rb"(?=HTTP/1\.1 \d)", answers)[1:]]


def heads(answers: bytes) -> list[dict[bytes, bytes]]:
    parts = [part.partition(b"\r\n\r\n")[0] for part in re.split(rb"(?=HTTP/1\.1 \d)", answers)[1:]]
    return [dict(line.split(b": ", 1) for line in part.split(b"\r\n")[1:]) for part in parts]


def test_both_ways_give_the_same_answers(shared: Served) -> None:
    # A path with an empty query is the same path, but not the one that is answered directly.
    with connected(shared) as connection:
        directly, ordinary = (
            asked(
                connection,
                b"".join(request(text, path=path, head=b"x-request-id: a-1\r\n") for text in TEXTS),
                len(TEXTS),
            )
            for path in (b"/predict", b"/predict?")
        )
    assert bodies(directly) == bodies(ordinary)
    for one, other in zip(heads(directly), heads(ordinary), strict=True):
        assert one | {b"date": b""} == other | {b"date": b""}


def test_requests_that_follow_each_other_are_answered_in_order(shared: Served) -> None:
    requests = [
        request("dull"),
        request("good fun", path=b"/predict?"),
        b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n",
        request("good fun"),
        request("dull", head=b"content-encoding: br\r\n"),
        request("dull"),
    ]
    with connected(shared) as connection:
        found = asked(connection, b"".join(requests), len(requests))
    assert re.findall(rb"HTTP/1\.1 (\d+)", found) == [b"200"] * 4 + [b"415", b"200"]
    labels = [re.findall(rb'"label":"(\w+)"', body)[:1] for body in bodies(found)]
    assert labels == [[b"neg"], [b"pos"], [], [b"pos"], [], [b"neg"]]


@pytest.mark.parametrize("size", [1, 7, 60])
def test_a_request_may_come_in_pieces(shared: Served, size: int) -> None:
    data = request("good fun") + request("dull")
    with connected(shared) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(data), size):
            connection.sendall(data[at : at + size])
            time.sleep(0.001)
        connection.shutdown(socket.SHUT_WR)
        found = read_all(connection)
    assert re.findall(rb'predictions":\[{"label":"(\w+)"', found) == [b"pos", b"neg"]


def test_what_follows_a_request_does_not_take_its_answer(shared: Served) -> None:
    found = shared.raw(request("dull") + b"\x00\x01 not HTTP\r\n\r\n")
    assert re.findall(rb"HTTP/1\.1 (\d+)", found) == [b"200", b"400"]


@pytest.mark.parametrize("head", [b"connection: close\r\n", b"expect: 100-continue\r\nconnection: close\r\n"])
def test_the_connection_is_closed_if_that_is_wanted(shared: Served, head: bytes) -> None:
    with connected(shared) as connection:
        connection.sendall(request("dull", head=head))
        found = read_all(connection)
    assert b'"label":"neg"' in found


def test_an_idle_connection_is_closed(model_file: Path) -> None:
    with serving(model_file, limits={"idle_time": 1}) as server:
        for path in (b"/predict", b"/predict?"):
            with connected(server) as connection:
                for each in (b"/predict", path):
                    assert b" 200 " in asked(connection, request("dull", path=each))
                    time.sleep(0.7)  # less than the time: it is kept
                assert read_all(connection) == b""


def test_a_model_that_has_learned_nothing_says_so(tmp_path: Path) -> None:
    with serving(tmp_path / "none", tmp_path / "store", model=None) as server, connected(server) as connection:
        for way in (b"/predict", b"/predict?"):
            found = asked(connection, request("dull", path=way))
            assert found.startswith(b"HTTP/1.1 409 ")
            assert b"has not learned anything" in found


@pytest.mark.parametrize("path", [b"/predict", b"/predict?"], ids=["directly", "ordinary"])
@pytest.mark.parametrize("name", [b"Host", b"Origin", b"Authorization", b"Content-Type"], ids=bytes.decode)
def test_headers_that_decide_come_once(shared: Served, path: bytes, name: bytes) -> None:
    heads = (b"%b: localhost\r\n" % name * 2, b"accept: a\r\naccept: b\r\n")
    with connected(shared) as connection:
        refused, answered = (asked(connection, request("dull", path=path, head=head)) for head in heads)
    assert b"HTTP/1.1 400 " in refused
    assert b"more than one %b header" % name in refused
    assert b"HTTP/1.1 200 " in answered


@pytest.mark.parametrize("path", [b"/predict", b"/predict?"], ids=["directly", "ordinary"])
def test_a_trailer_is_not_a_header(shared: Served, path: bytes) -> None:
    head = b"host: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n"
    chunks = b'f\r\n{"text":"dull"}\r\n0\r\nhost: evil.example\r\ncontent-type: text/plain\r\n\r\n'
    with connected(shared) as connection:
        found = asked(connection, b"POST %b HTTP/1.1\r\n%b\r\n%b" % (path, head, chunks))
    assert b'"label":"neg"' in found


@pytest.mark.parametrize("pieces", [1, 2])
def test_the_body_of_an_upgrade_is_not_the_next_request(shared: Served, pieces: int) -> None:
    head = b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n"
    hidden = b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
    data = b"POST /predict HTTP/1.1\r\nhost: localhost\r\n%bcontent-length: %d\r\n\r\n" % (head, len(hidden))
    with connected(shared) as connection:
        if pieces == 1:
            connection.sendall(data + hidden)
        else:
            connection.sendall(data)
            time.sleep(0.05)
            connection.sendall(hidden)
        found = read_all(connection)
    assert re.findall(rb"HTTP/1\.1 (\d+)", found) == [b"400"]
    assert b"cannot have an Upgrade header" in found
