"""The log: one JSON object per line, in ASCII, without what people have written."""

from __future__ import annotations

import io
import json
import logging

from likely.server.http.log import Log, ToLog


def test_an_event_is_one_line_of_ascii() -> None:
    stream = io.StringIO()
    Log(stream).event("request", route="/terms/{term}\x1b[31m\n\u202e", status=200)
    line = stream.getvalue()
    assert line.isascii()
    assert line.count("\n") == 1
    assert "\x1b" not in line
    assert json.loads(line)["status"] == 200


def test_a_bug_is_told_by_where_it_is_and_not_by_its_message() -> None:
    stream = io.StringIO()
    try:
        raise ValueError("the text of somebody")
    except ValueError as error:
        Log(stream).error(error, "a-1")
    found = json.loads(stream.getvalue())
    assert (found["event"], found["id"], found["error"]) == ("bug", "a-1", "ValueError")
    assert "test_log.py" in found["where"][-1]
    assert "somebody" not in stream.getvalue()


def test_the_library_below_is_passed_on_without_arguments() -> None:
    stream = io.StringIO()
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 1, "got %s", ("a secret",), None)
    ToLog(Log(stream)).emit(record)
    assert "secret" not in stream.getvalue()
    assert json.loads(stream.getvalue())["message"] == "got %s"
