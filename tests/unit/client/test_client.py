"""Both clients with a real server: answers, errors, and attempts that are repeated."""

from __future__ import annotations

import asyncio
import inspect
import json
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from likely import NaiveBayes
from likely.client import AsyncClient, Client, Outcome, Retries
from likely.errors import RequestError, UnavailableError

TOKEN = "a-token-that-may-learn"  # noqa: S105
SOON = Retries(attempts=4, first=0.01, longest=0.02, random=random.Random(3))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("client")
    NaiveBayes().fit(["good fun", "dull"], ["pos", "neg"]).save(folder / "reviews.likely")
    (folder / "tokens").write_text(f"learn {TOKEN}\n")
    arguments = ["reviews.likely", "--store", "reviews.store", "--port", "0", "--json", "--token-file", "tokens"]
    with subprocess.Popen(
        [sys.executable, "-m", "likely.cli", "serve", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.kill()


def test_all_that_a_client_can_ask(address: str) -> None:
    with Client(address + "/", token=TOKEN) as client:
        found = client.predict(["dull", "good"], top=2)
        assert [each.label for each in found] == ["neg", "pos"]
        assert [each.label for each in found[0].labels] == ["neg", "pos"]
        assert client.explain("dull")["label"] == "neg"
        learned = client.learn(["zany", "zanier"], ["pos", "pos"], source="ann")
        assert [each.what for each in learned] == ["learned", "learned"]
        assert client.history(limit=1)[0].source == "ann"
        assert client.history(before=2)[0].seq == 1
        assert client.undo().what == "undone"
        assert isinstance(client.forget(source="ann")[0], Outcome)
        with pytest.raises(RequestError) as refused:
            client.forget("never learned")
        assert (refused.value.status, bool(refused.value.request_id)) == (404, True)
        assert client.model().learning.can_learn is True
        assert [each.label for each in client.classes()] == ["neg", "pos"]
        assert client.term("good/bad").known is False
        assert client.term("..").term == ".."


def test_the_same_for_asyncio(address: str) -> None:
    async def ask() -> None:
        async with AsyncClient(address, token=TOKEN) as client:
            answers = await asyncio.gather(*(client.predict([text]) for text in ["dull", "good"] * 10))
            assert [each[0].label for each in answers] == ["neg", "pos"] * 10
            learned = await client.learn(["brisk"], ["pos"], key="once")
            assert learned == await client.learn(["brisk"], ["pos"], key="once")
            assert (await client.forget("brisk"))[0].what == "forgotten"
            assert (await client.model()).name == "reviews"
            assert (await client.explain("dull"))["label"] == "neg"
            assert (await client.history(limit=1))[0].kind == "forget"
            assert (await client.classes(words=1))[0].label == "neg"
            assert (await client.term("dull")).known is True
            assert (await client.undo()).what == "undone"

    asyncio.run(ask())


def test_a_missing_token_is_an_error_of_its_own(address: str) -> None:
    with Client(address) as client, pytest.raises(RequestError, match="send a token"):
        client.predict(["dull"])


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
    with Client(nobody, retries=SOON) as client, pytest.raises(UnavailableError, match="4 attempts"):
        client.model()

    async def ask() -> None:
        async with AsyncClient(nobody, retries=SOON) as client:
            with pytest.raises(UnavailableError, match="4 attempts"):
                await client.model()

    asyncio.run(ask())


def test_passing_problems_are_repeated_with_the_same_key() -> None:
    outcome = b'{"seq":1,"what":"learned","digest":"","label":"a","before":null}'
    answers = [b"", problem(503), b'{"outcomes":[' + outcome + b'],"durability":"sync"}']
    with scripted(answers) as (server, seen), Client(server, retries=SOON) as client:
        assert client.learn(["x"], ["a"])[0].what == "learned"
    assert len(seen) == 3
    assert len({body.partition(b"\r\n\r\n")[2] for body in seen}) == 1


def test_other_problems_are_not_repeated() -> None:
    with (
        scripted([problem(422)]) as (server, seen),
        Client(server, retries=SOON) as client,
        pytest.raises(RequestError, match="no"),
    ):
        client.model()
    assert len(seen) == 1
    with (
        scripted([problem(503)] * 4) as (server, seen),
        Client(server, retries=SOON) as client,
        pytest.raises(UnavailableError, match="no"),
    ):
        client.model()
    assert len(seen) == 4


def problem(status: int) -> bytes:
    return json.dumps({"status": status, "detail": "no"}).encode()


class scripted:  # noqa: N801 - used as a function
    """A server that gives these answers, one per connection; an empty one closes the connection."""

    def __init__(self, answers: list[bytes]) -> None:
        self._answers, self._seen = answers, list[bytes]()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> tuple[str, list[bytes]]:
        self._thread.start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}", self._seen

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._socket.close()

    def _run(self) -> None:
        for answer in self._answers:
            with self._socket.accept()[0] as connection:
                data = connection.recv(100_000)
                while b"content-length" in data.lower() and data.endswith(b"\r\n\r\n"):
                    data += connection.recv(100_000)
                self._seen.append(data)
                status = json.loads(answer).get("status", 200) if answer.startswith(b"{") else 200
                if answer:
                    head = f"HTTP/1.1 {status} X\r\ncontent-length: {len(answer)}\r\nconnection: close\r\n\r\n"
                    connection.sendall(head.encode() + answer)


def test_both_clients_have_the_same_methods() -> None:
    def methods(client: type) -> dict[str, inspect.Signature]:
        public = {name: found for name, found in vars(client).items() if not name.startswith("_")}
        return {name: inspect.signature(found) for name, found in public.items()} | {
            "__init__": inspect.signature(client.__init__)  # type: ignore[misc]
        }

    assert methods(AsyncClient) == methods(Client), "give Client and AsyncClient the same methods and arguments"
