"""`Batching`: texts of requests that arrive at the same time are scored in one call, which saves most of its cost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from likely.server.http.messages import LabelProbability, Prediction

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.http.service import Service

SHORT = 20_000
"""Texts with at most this many characters together are scored at once: it takes less than a millisecond."""


class Wish(NamedTuple):
    """What is wanted of a prediction: the number of labels, when to abstain, and whether it counts as drift."""

    top: int
    abstain: float | None
    counts: bool = True


class Batching:
    """Collects the texts that come in one turn of the event loop, and scores them together at its end.

    A single text waits for nothing: if no other request is there, it is a batch of its own.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: dict[Wish, list[tuple[str, asyncio.Future[Prediction]]]] = {}

    async def predict(self, texts: list[str], wish: Wish) -> list[Prediction]:
        """One prediction per text."""
        if len(texts) == 1 and len(texts[0]) <= SHORT:
            return [await self._together(texts[0], wish)]
        model = self._service.keeper.model
        if sum(map(len, texts)) + 100 * len(texts) <= SHORT:
            found = predictions(model, texts, wish)
        else:
            found = await self._service.aside(predictions, model, texts, wish)
        self._count(found, wish)
        return found

    def _together(self, text: str, wish: Wish) -> asyncio.Future[Prediction]:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._flush)
        future: asyncio.Future[Prediction] = loop.create_future()
        self._waiting.setdefault(wish, []).append((text, future))
        return future

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for wish, batch in waiting.items():
            try:
                found = predictions(self._service.keeper.model, [text for text, _ in batch], wish)
            except Exception as error:
                _fail(batch, error)
                continue
            self._count(found, wish)
            for (_, future), prediction in zip(batch, found, strict=True):
                if not future.done():  # the client may be gone
                    future.set_result(prediction)

    def _count(self, found: list[Prediction], wish: Wish) -> None:
        if wish.counts:
            self._service.metrics.predicted((each.label for each in found), sum(each.known for each in found))


def _fail(batch: list[tuple[str, asyncio.Future[Prediction]]], error: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)


def predictions(model: NaiveBayes, texts: list[str], wish: Wish) -> list[Prediction]:
    """One prediction per text.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> predictions(model, ["dull day"], Wish(1, None))[0].label
    '-'
    """
    found = model.predict_all(texts, wish.top, abstain=wish.abstain)
    columns = (found.answers, found.labels, found.probabilities, found.known)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Prediction(answer, shares[0], known, list(map(LabelProbability, labels, shares)))
        for answer, labels, shares, known in rows
    ]
