"""The read-only part of the Open Inference Protocol, version 2, for clients in the shape of KServe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.server.http.batching import Wish
from likely.server.http.handlers.health import check_ready
from likely.server.http.messages import (
    InferAnswer,
    InferOutput,
    InferRequest,
    LiveAnswer,
    ModelMetadata,
    ModelReady,
    Prediction,
    ReadyAnswer,
    ServerMetadata,
    Tensor,
)
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.handlers.looking import NoQuery
    from likely.server.http.service import Call, Service

OUTPUTS = {"label": "BYTES", "probability": "FP64", "probabilities": "FP64"}
"""The outputs and their types: the label, its probability, and the probability of each class."""
_BY_DEFAULT = ("label", "probability")


async def server(service: Service, call: Call, query: NoQuery) -> ServerMetadata:
    """Name and version of the server."""
    del call, query
    return ServerMetadata("likely", service.version, [])


async def live(service: Service, call: Call, query: NoQuery) -> LiveAnswer:
    """Whether the server is live."""
    del service, call, query
    return LiveAnswer(True)


async def ready(service: Service, call: Call, query: NoQuery) -> ReadyAnswer:
    """Whether the server is ready."""
    del call, query
    check_ready(service)
    return ReadyAnswer(True)


async def metadata(service: Service, call: Call, query: NoQuery) -> ModelMetadata:
    """What the model takes and gives."""
    del query
    _check_name(service, call.place)
    classes = len(service.keeper.model.classes_) if service.keeper.model._is_fitted else 0
    shapes = {"probabilities": [-1, classes]}
    outputs = [Tensor(name, kind, shapes.get(name, [-1])) for name, kind in OUTPUTS.items()]
    return ModelMetadata(service.name, "likely", [], [Tensor("text", "BYTES", [-1])], outputs)


async def model_ready(service: Service, call: Call, query: NoQuery) -> ModelReady:
    """Whether the model is ready."""
    del query
    _check_name(service, call.place)
    check_ready(service)
    return ModelReady(service.name, True)


async def infer(service: Service, call: Call, request: InferRequest) -> InferAnswer:
    """Predict the labels of texts."""
    _check_name(service, call.place)
    given = request.inputs[0]
    if given.shape not in ([len(given.data)], [len(given.data), 1]):
        raise ProblemError(422, f"the shape of the input is not that of its data: write [{len(given.data)}]")
    names = _BY_DEFAULT if request.outputs is None else tuple(each.name for each in request.outputs)
    found = await service.batching.predict(given.data, Wish(_LABELS if "probabilities" in names else 1, None))
    classes = service.keeper.model.classes_.tolist()
    outputs = [_output(name, found, classes) for name in dict.fromkeys(names)]
    return InferAnswer(service.name, service.version, outputs, request.id)


_LABELS = 1_000_000
"""More labels than any model has: all of them are wanted."""


def _output(name: str, found: list[Prediction], classes: list[str | int | bool]) -> InferOutput:
    if name == "label":
        labels: list[str | float] = ["" if each.label is None else str(each.label) for each in found]
        return InferOutput(name, "BYTES", [len(found)], labels)
    if name == "probability":
        return InferOutput(name, "FP64", [len(found)], [each.probability for each in found])
    rows = [{each.label: each.probability for each in prediction.labels} for prediction in found]
    flat: list[str | float] = [row.get(label, 0.0) for row in rows for label in classes]
    return InferOutput(name, "FP64", [len(found), len(classes)], flat)


def _check_name(service: Service, name: str) -> None:
    if name != service.name:
        raise ProblemError(404, "there is no model of this name here: `GET /model` says its name")
