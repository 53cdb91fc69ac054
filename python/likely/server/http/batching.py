"""`Batching`: texts of requests that arrive at the same time are scored in one call, which saves most of its cost."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from likely.server.http.messages import LabelProbability, Prediction

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.core.shift import Sees
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.http.service import Service

Then: TypeAlias = "Callable[[Prediction | Exception], None]"
"""What is done with a prediction, or with the reason why there is none."""
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
        self._waiting: dict[Wish, list[tuple[str, Then]]] = {}

    async def predict(self, texts: list[str], wish: Wish) -> list[Prediction]:
        """One prediction per text."""
        if len(texts) == 1 and len(texts[0]) <= SHORT:
            future: asyncio.Future[Prediction] = asyncio.get_running_loop().create_future()
            self.ask(texts[0], wish, partial(_settle, future))
            return [await future]
        model = self._service.keeper.model
        if sum(map(len, texts)) + 100 * len(texts) <= SHORT:
            found = predictions(model, texts, wish, self.watch(wish))
        else:
            found = await self._service.aside(predictions, model, texts, wish, self.watch(wish))
        self.count(found, wish)
        return found

    def ask(self, text: str, wish: Wish, then: Then) -> None:
        """Score a text with those that come in this turn of the event loop, and call ``then`` with its prediction."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        self._waiting.setdefault(wish, []).append((text, then))

    def flush(self) -> None:
        """Score all texts that wait."""
        waiting, self._waiting = self._waiting, {}
        for wish, batch in waiting.items():
            try:
                found = predictions(self._service.keeper.model, [text for text, _ in batch], wish, self.watch(wish))
            except Exception as error:
                for _, then in batch:
                    then(error)
                continue
            self.count(found, wish)
            for (_, then), prediction in zip(batch, found, strict=True):
                then(prediction)

    def watch(self, wish: Wish) -> Sees | None:
        """What sees the texts of a request."""
        return self._service.board.drift if wish.counts else None

    def count(self, found: list[Prediction], wish: Wish) -> None:
        """Count predictions, unless they are trials."""
        if wish.counts:
            self._service.metrics.predicted((each.label for each in found), sum(each.known for each in found))


def _settle(future: asyncio.Future[Prediction], found: Prediction | Exception) -> None:
    if future.done():  # the client is gone
        return
    if isinstance(found, Exception):
        future.set_exception(found)
    else:
        future.set_result(found)


def predictions(model: NaiveBayes, texts: list[str], wish: Wish, watch: Sees | None = None) -> list[Prediction]:
    """One prediction per text; the watch sees the texts too.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> predictions(model, ["dull day"], Wish(1, None))[0].label
    '-'
    """
    found = model._predict_all(texts, wish.top, abstain=wish.abstain, watch=watch)
    columns = (found.answers, found.labels, found.probabilities, found.known)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Prediction(answer, shares[0], known, list(map(LabelProbability, labels, shares)))
        for answer, labels, shares, known in rows
    ]
