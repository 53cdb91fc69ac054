"""The log, and texts that come together are scored together."""

from __future__ import annotations

import asyncio
import io
import json
import logging

import pytest
from likely import NaiveBayes
from likely.errors import ImpossibleWarning, OptionError, StoreError
from likely.server.keeper import Keeper
from likely.server.service import SHORT, Log, PredictOptions, Service, UvicornLog, predictions
from msgspec.json import encode


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
    assert "test_service.py" in found["where"][-1]
    assert "somebody" not in stream.getvalue()


def test_what_is_wrong_with_a_store_is_said_once_until_it_is_mended() -> None:
    stream = io.StringIO()
    log = Log(stream)
    for _ in range(3):
        log.error(StoreError("the base is missing"), "follow")
    log.error(StoreError("there is no room"), "fold")
    found = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(each["event"], each["why"]) for each in found] == [
        ("store", "the base is missing"),
        ("store", "there is no room"),
    ]
    log.said.clear()  # as a store that answers again does
    log.error(StoreError("the base is missing"), "follow")
    assert stream.getvalue().count("the base is missing") == 2


def test_the_library_below_is_passed_on_without_arguments() -> None:
    stream = io.StringIO()
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 1, "got %s", ("a secret",), None)
    UvicornLog(Log(stream)).emit(record)
    assert "secret" not in stream.getvalue()
    assert json.loads(stream.getvalue())["message"] == "got %s"


MODEL = NaiveBayes().fit(["good fun", "dull"], ["pos", "neg"])
ONE = PredictOptions(1, None)


def service() -> Service:
    keeper = Keeper.open(None, None)
    keeper.model = MODEL
    return Service(keeper, "reviews", "1.0")


def test_a_text_that_is_impossible_in_every_class_is_marked() -> None:
    model = NaiveBayes(alpha=0).fit(["good fun", "dull"], ["pos", "neg"])
    with pytest.warns(ImpossibleWarning, match=r"alpha=0.*0/0 is not defined"):
        found = predictions(model, ["good dull", "good"], ONE)
    assert [each.impossible for each in found] == [True, False]
    assert [b"impossible" in encode(each) for each in found] == [True, False]


def test_together_is_as_one_by_one() -> None:
    texts = ["good " * (number % 7) + "dull " * (number % 3) for number in range(60)]
    options = [ONE, PredictOptions(2, None), PredictOptions(2, 0.9)]

    async def ask() -> list[object]:
        batching = service().batching
        asked = [batching.predict([text], each) for text in texts for each in options]
        return [found[0] for found in await asyncio.gather(*asked)]

    expected = [predictions(MODEL, [text], each)[0] for text in texts for each in options]
    assert asyncio.run(ask()) == expected


def test_long_texts_are_scored_aside() -> None:
    texts = ["dull " * SHORT, "good"]
    found = asyncio.run(service().batching.predict(texts, ONE))
    assert found == predictions(MODEL, texts, ONE)


def test_a_request_that_cannot_be_met_fails_alone() -> None:
    async def ask() -> list[object]:
        batching = service().batching
        asked = [batching.predict(["dull"], each) for each in (ONE, PredictOptions(0, None), ONE)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    good, bad, also_good = asyncio.run(ask())
    assert good == also_good == predictions(MODEL, ["dull"], ONE)
    assert isinstance(bad, OptionError)


def test_a_client_that_is_gone_does_not_disturb_the_others() -> None:
    async def ask() -> object:
        batching = service().batching
        gone = asyncio.ensure_future(batching.predict(["good"], ONE))
        stays = asyncio.ensure_future(batching.predict(["dull"], ONE))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        return await stays

    assert asyncio.run(ask()) == predictions(MODEL, ["dull"], ONE)


@pytest.mark.parametrize("texts", [["good"], ["good", "dull", "fun"]])
def test_trials_do_not_count_as_drift(texts: list[str]) -> None:
    asked = service()

    async def ask() -> None:
        await asked.batching.predict(texts, PredictOptions(1, None, counts=False))
        await asked.batching.predict(texts, ONE)

    asyncio.run(ask())
    assert sum(asked.metrics.labels.values()) == len(texts)
    assert asked.drift.compared_with(MODEL).texts == len(texts)
