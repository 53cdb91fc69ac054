"""Every route, token, origin, Host and content type: exactly the table of docs/production/access.md."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from likely import NaiveBayes
from likely.server.app import OPERATIONS

from .conftest import LABELS, TEXTS
from .served import Served, serving

if TYPE_CHECKING:
    import httpx

DOCS = Path(__file__).parents[2] / "docs" / "production" / "access.md"
PREDICT, LEARN = "a-token-that-predicts", "a-token-that-learns"
BODIES: dict[str, dict[str, object]] = {
    "/predict": {"text": "dull"},
    "/explain": {"text": "dull"},
    "/learn": {"corrections": [{"text": "zany", "label": "pos"}]},
    "/forget": {"text": "zany"},
    "/undo": {},
}


class Row(NamedTuple):
    """A row of the table."""

    method: str
    path: str
    no_tokens: int
    none: int
    predict: int
    learn: int
    other_origin: int
    other_host: int
    other_type: int

    def expected(self, right: int, origin: str | None, host: str, kind: str) -> int:
        """What is answered, in the order of the checks: Host, Origin, token, type."""
        if host != "localhost":
            return self.other_host
        if origin is not None and origin != "http://localhost":
            return self.other_origin
        if right == 200 and kind != "application/json":
            return self.other_type
        return right


def table() -> list[Row]:
    """The rows of the table."""
    part = DOCS.read_text(encoding="utf-8").split("<!-- access -->")[1].split("\n\n")[0]
    rows = re.findall(r"^\| `(GET|POST) (\S+)` \|(.*)\|$", part, re.MULTILINE)
    return [Row(method, path, *map(int, cells.split("|"))) for method, path, cells in rows]


def test_the_table_has_every_route() -> None:
    documented = {(row.method, row.path.partition("?")[0]) for row in table()}
    assert documented == {(route.method, route.path) for route in OPERATIONS} | {("GET", "/")}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[bool, Served]]:
    """A server without tokens, and one with them."""
    path = tmp_path_factory.mktemp("access") / "reviews.likely"
    NaiveBayes().fit(TEXTS, LABELS).save(path)
    tokens = path.with_suffix(".tokens")
    tokens.write_text(f"# two tokens\npredict {PREDICT}\n")
    with (
        serving(path, path.with_suffix(".open")) as is_open,
        serving(
            path,
            path.with_suffix(".closed"),
            token_file=str(tokens),
            environment={"LIKELY_LEARN_TOKEN": LEARN},
        ) as closed,
    ):
        yield {False: is_open, True: closed}


@pytest.mark.parametrize("row", table(), ids=lambda row: f"{row.method} {row.path}")
def test_the_table_is_what_happens(servers: dict[bool, Served], row: Row) -> None:
    rights = [
        (False, None, row.no_tokens),
        (False, "any-token-that-is-not-known", row.no_tokens),
        (True, None, row.none),
        (True, "any-token-that-is-not-known", row.none),
        (True, PREDICT, row.predict),
        (True, LEARN, row.learn),
    ]
    origins = [None, "http://localhost", "http://evil.example", "null"]
    kinds = ["application/json", "text/plain", "application/x-www-form-urlencoded", ""]
    named = row.path.replace("{term}", "dull")
    body = json.dumps(BODIES.get(named, {})).encode() if row.method == "POST" else None
    found, expected = {}, {}
    with servers[False].client() as to_open, servers[True].client() as to_closed:
        for (has_tokens, token, right), origin, host, kind in itertools.product(
            rights, origins, ["localhost", "evil.example"], kinds
        ):
            client = to_closed if has_tokens else to_open
            path = named
            prepare(client, path)
            headers = {"host": host, "content-type": kind}
            headers |= {"origin": origin} if origin else {}
            headers |= {"authorization": f"Bearer {token}"} if token else {}
            answer = client.request(row.method, path, content=body, headers=headers)
            case = (has_tokens, token, origin, host, kind)
            found[case], expected[case] = answer.status_code, row.expected(right, origin, host, kind)
            is_problem = answer.headers["content-type"] == "application/problem+json"
            assert is_problem == (answer.status_code != 200)
            assert "access-control-allow-origin" not in answer.headers
    assert found == expected


def prepare(client: httpx.Client, path: str) -> None:
    """Learn what can then be forgotten or undone."""
    if path in ("/forget", "/undo"):
        headers = {"authorization": f"Bearer {LEARN}"}
        client.post("/learn", json=BODIES["/learn"], headers=headers).raise_for_status()


def test_nobody_learns_a_token_from_an_answer(servers: dict[bool, Served]) -> None:
    with servers[True].client("wrong-token-wrong-token") as client:
        answer = client.get("/model")
    assert "wrong-token" not in answer.text
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "token-that" not in servers[True].log.read_text()


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8000", "LOCALHOST"])
def test_names_of_this_machine_are_allowed(servers: dict[bool, Served], host: str) -> None:
    with servers[False].client() as client:
        assert client.get("/livez", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["", "localhost.evil.example", "evil.example:80", "127.0.0.1.evil", "[::2]", "a@localhost"]
)
def test_other_names_are_not(servers: dict[bool, Served], host: str) -> None:
    with servers[False].client() as client:
        assert client.get("/livez", headers={"host": host}).status_code in (400, 421)
