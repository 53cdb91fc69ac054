"""What is sent to a server, and what its answers mean."""

from __future__ import annotations

import pytest
from likely.client import calls
from likely.errors import OptionError, RequestError, UnavailableError


def test_every_correction_has_a_key_of_its_own() -> None:
    one, other = (calls.learn(["a", "b"], ["x", "y"], None, None).body for _ in "12")
    assert one is not None
    assert other is not None
    keys = [each["key"] for body in (one, other) for each in body["corrections"]]  # type: ignore[attr-defined]
    assert len(set(keys)) == 4


def test_a_key_that_is_given_is_sent() -> None:
    body = calls.learn(["a"], ["x"], "ann", "mine").body
    assert body == {"corrections": [{"text": "a", "label": "x", "source": "ann", "key": "mine"}]}
    assert calls.undo(3, "mine").body == {"seq": 3, "key": "mine"}


def test_a_string_is_not_a_list_of_texts() -> None:
    with pytest.raises(OptionError, match="single string"):
        calls.predict("dull", 1, None)
    with pytest.raises(OptionError, match="one label per text"):
        calls.learn(["a"], [], None, None)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, RequestError), (403, RequestError), (422, RequestError), (503, UnavailableError), (507, UnavailableError)],
)
def test_problems_are_errors_with_names(status: int, kind: type[RequestError]) -> None:
    error = calls.refusal(status, {"detail": "no", "request_id": "a-1"})
    assert type(error) is kind
    assert (str(error), error.status, error.request_id) == ("no", status, "a-1")


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"5", b"\xff"])
def test_what_a_proxy_answers_is_told_by_its_status(content: bytes) -> None:
    error = calls.refusal(502, calls.document_of(content))
    assert (str(error), error.request_id) == ("the server answered with status 502", None)
