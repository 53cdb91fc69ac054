"""`POST /predict` and `POST /explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.json import encode

from likely.server.http.batching import SHORT, Wish, predictions
from likely.server.http.content import JSON, Content
from likely.server.http.limits import NUMBERS
from likely.server.http.messages import ExplainRequest, Predictions, PredictRequest
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.http.service import Call, Service

PER_CELL = 4
"""Numbers per term and class in an explanation."""


async def predict(service: Service, call: Call, request: PredictRequest) -> Predictions | Content:
    """Predict the label of one text or several."""
    del call
    if (request.text is None) == (request.texts is None):
        raise ProblemError(422, "give either text or texts")
    texts = [request.text] if request.text is not None else request.texts or []
    wish = Wish(request.top, request.abstain, request.counts)
    labels = min(request.top, class_count(service.keeper.model))
    if len(texts) * labels > NUMBERS:
        raise ProblemError(
            422,
            f"{len(texts):,} texts with {labels:,} labels each are too many for one answer: send at most "
            f"{NUMBERS // labels:,} texts at once, or ask for fewer labels with top",
        )
    if len(texts) * labels <= SHORT:
        return Predictions(await service.batching.predict(texts, wish))
    found = await service.aside(predictions, service.keeper.model, texts, wish, service.batching.watch(wish))
    service.batching.count(found, wish)
    return Content(await service.aside(encode, Predictions(found)), JSON)


async def explain(service: Service, call: Call, request: ExplainRequest) -> Content:
    """Explain why a text gets its label: the contribution of each of its words."""
    del call
    model = service.keeper.model
    if len(request.text) * class_count(model) <= SHORT:
        return _explained(model, request.text)
    return await service.aside(_explained, model, request.text)


def _explained(model: NaiveBayes, text: str) -> Content:
    """The explanation as JSON; a problem if it would be too long."""
    most = NUMBERS // (PER_CELL * max(1, class_count(model)))
    if len(text) > most and model._state.is_fitted:
        terms = len({each.term for each in model._snapshot(whole=False).counts.analyzer.terms(text)})
        if terms > most:
            raise ProblemError(
                422,
                f"the text has {terms:,} different terms, and an explanation with {class_count(model):,} classes has "
                f"room for {most:,}: send a shorter text",
            )
    return Content(encode(model.explain(text).to_dict()), JSON)


def class_count(model: NaiveBayes) -> int:
    """The number of classes of a model, which may have learned nothing."""
    return len(model.classes_) if model._state.is_fitted else 0
