"""What is sent to a server, and what its answers mean."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from urllib.parse import unquote

import numpy as np
import pytest
from likely.client import AsyncClient, Client, Retries, refusal
from likely.errors import OptionError, RequestError, UnavailableError

from .test_client import scripted

ONCE = Retries(attempts=1)
LEARNED = (
    b'{"outcomes":[{"seq":1,"what":"learned","digest":"","label":"a","before":null}],"durability":"sync","new":1}'
)


def bodies(count: int, *arguments: object, **more: object) -> list[dict[str, list[dict[str, str]]]]:
    """The bodies of requests to learn."""
    with scripted([LEARNED] * count) as (server, seen), Client(server, retries=Retries(attempts=1)) as client:
        for _ in range(count):
            client.learn(*arguments, **more)  # type: ignore[arg-type]
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in seen]


def test_every_correction_has_a_key_of_its_own() -> None:
    keys = [each["key"] for body in bodies(2, ["a", "b"], ["x", "y"]) for each in body["corrections"]]
    assert len(set(keys)) == 4


def test_a_key_that_is_given_is_sent() -> None:
    (body,) = bodies(1, ["a"], ["x"], source="ann", key="mine")
    assert body == {"corrections": [{"text": "a", "label": "x", "source": "ann", "key": "mine"}]}


def test_a_string_is_not_a_list_of_texts() -> None:
    with Client() as client:
        with pytest.raises(OptionError, match="single string"):
            client.predict("dull")
        with pytest.raises(OptionError, match="one label per text"):
            client.learn(["a"], [])


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, RequestError), (403, RequestError), (422, RequestError), (503, UnavailableError), (507, UnavailableError)],
)
def test_problems_are_errors_with_names(status: int, kind: type[RequestError]) -> None:
    error = refusal(status, b'{"detail": "no", "request_id": "a-1"}')
    assert type(error) is kind
    assert (str(error), error.status, error.request_id) == ("no", status, "a-1")


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"5", b"\xff"])
def test_what_a_proxy_answers_is_told_by_its_status(content: bytes) -> None:
    error = refusal(502, content)
    assert (str(error), error.request_id) == ("the server answered with status 502", None)


@pytest.mark.parametrize("content", [b"<html>", b'{"ok": 1}', b"[1]", b'{"outcomes": [], "durability": "sync"}'])
def test_an_answer_of_another_server_is_a_request_error(content: bytes) -> None:
    error = pytest.raises(RequestError, match="does not answer like a `likely` server")
    with scripted([content]) as (server, _), Client(server, retries=ONCE) as client, error:
        client.undo()


def test_an_answer_that_comes_in_drops_is_too_late() -> None:
    async def ask(server: str) -> None:
        async with AsyncClient(server, timeout=0.5, retries=ONCE) as client:
            await client.model()

    def ask_at_once(server: str) -> None:
        with Client(server, timeout=0.5, retries=ONCE) as client:
            client.model()

    for asks in (ask_at_once, lambda server: asyncio.run(ask(server))):
        ended = threading.Event()

        def drip(listening: socket.socket, ended: threading.Event = ended) -> None:
            with listening.accept()[0] as connection, contextlib.suppress(OSError):
                connection.recv(100_000)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
                while not ended.wait(0.01):
                    connection.sendall(b" ")

        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=drip, args=[listening])
            thread.start()
            with pytest.raises(UnavailableError, match="Timeout"):
                asks(f"http://127.0.0.1:{listening.getsockname()[1]}")
            ended.set()
            thread.join()


def test_what_cannot_be_sent_is_an_option_error() -> None:
    with pytest.raises(OptionError, match="token"):
        Client(token="schlüssel")
    with pytest.raises(OptionError, match="token"):
        Client(token="a\r\nb: c")
    with pytest.raises(OptionError, match="address"):
        Client("http://a:b")
    with Client() as client:
        with pytest.raises(OptionError, match="cannot be sent"):
            client.predict(["a\ud800"])
        with pytest.raises(OptionError, match="cannot be sent"):
            client.learn(["a"], [object()])  # type: ignore[list-item]


def test_labels_of_numpy_are_sent_as_those_of_python() -> None:
    (body,) = bodies(1, ["a", "b"], np.array([3, 4]))
    labels: list[object] = [each["label"] for each in body["corrections"]]
    assert labels == [3, 4]


@pytest.mark.parametrize("term", ["..", ".", "a/../b", "../.."])
def test_a_term_of_dots_is_not_a_path(term: str) -> None:
    answer = b'{"term": "", "known": false, "classes": []}'
    with scripted([answer]) as (server, seen), Client(server, retries=ONCE) as client:
        client.term(term)
    assert unquote(seen[0].decode().split()[1]) == f"/terms/{term}"
    assert "/." not in seen[0].decode().split()[1]
