"""What is sent to a server, and what its answers mean."""

from __future__ import annotations

import json

import pytest
from likely.client import Client, Retries, refusal
from likely.errors import OptionError, RequestError, UnavailableError

from .test_client import scripted

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
