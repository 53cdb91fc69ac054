"""Texts that come together are scored together, and each gets its own answer."""

from __future__ import annotations

import asyncio

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.server.http.batching import SHORT, Wish, predictions
from likely.server.http.service import Service
from likely.server.keeper import Keeper

MODEL = NaiveBayes().fit(["good fun", "dull"], ["pos", "neg"])
ONE = Wish(1, None)


def service() -> Service:
    keeper = Keeper.open(None, None)
    keeper.model = MODEL
    return Service(keeper, "reviews", "1.0")


def test_together_is_as_one_by_one() -> None:
    texts = ["good " * (number % 7) + "dull " * (number % 3) for number in range(60)]
    wishes = [ONE, Wish(2, None), Wish(2, 0.9)]

    async def ask() -> list[object]:
        batching = service().batching
        asked = [batching.predict([text], wish) for text in texts for wish in wishes]
        return [found[0] for found in await asyncio.gather(*asked)]

    expected = [predictions(MODEL, [text], wish)[0] for text in texts for wish in wishes]
    assert asyncio.run(ask()) == expected


def test_long_texts_are_scored_aside() -> None:
    texts = ["dull " * SHORT, "good"]
    found = asyncio.run(service().batching.predict(texts, ONE))
    assert found == predictions(MODEL, texts, ONE)


def test_a_wish_that_cannot_be_granted_fails_alone() -> None:
    async def ask() -> list[object]:
        batching = service().batching
        asked = [batching.predict(["dull"], wish) for wish in (ONE, Wish(0, None), ONE)]
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
        await asked.batching.predict(texts, Wish(1, None, counts=False))
        await asked.batching.predict(texts, ONE)

    asyncio.run(ask())
    assert asked.metrics.texts == len(texts)
    seen = asked.board.drift.recent().seen
    assert seen is not None
    assert seen["documents"] == len(texts)
