"""`POST /predict` and `POST /explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.server.http.batching import SHORT, Wish
from likely.server.http.messages import ExplainRequest, Predictions, PredictRequest
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.service import Call, Service
    from likely.types import ExplanationDocument


async def predict(service: Service, call: Call, request: PredictRequest) -> Predictions:
    """Predict the label of one text or several."""
    del call
    if (request.text is None) == (request.texts is None):
        raise ProblemError(422, "give either text or texts")
    texts = [request.text] if request.text is not None else request.texts or []
    return Predictions(await service.batching.predict(texts, Wish(request.top, request.abstain, request.counts)))


async def explain(service: Service, call: Call, request: ExplainRequest) -> ExplanationDocument:
    """Explain why a text gets its label: the contribution of each of its words."""
    del call
    model = service.keeper.model

    def work() -> ExplanationDocument:
        return model.explain(request.text).to_dict()

    return work() if len(request.text) <= SHORT else await service.aside(work)
