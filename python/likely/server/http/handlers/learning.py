"""`POST /learn`, `/forget` and `/undo`, and `GET /history`: what people have corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from likely.server.http.limits import LARGEST
from likely.server.http.messages import (
    CorrectionRequest,
    ForgetRequest,
    History,
    HistoryEntry,
    LearnRequest,
    OutcomeAnswer,
    Outcomes,
    UndoRequest,
)
from likely.server.http.problems import ProblemError
from likely.server.keeper import Correction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.server.http.service import Call, Service
    from likely.server.keeper import Outcome
    from likely.types import Label


async def learn(service: Service, call: Call, request: LearnRequest) -> Outcomes:
    """Learn corrections, all or none; a text that was learned for another label is moved."""
    single = [request.text, request.label, request.source, request.key]
    if request.corrections is not None and single == [None] * 4:
        asked = request.corrections
    elif request.corrections is None and request.text is not None:
        asked = [CorrectionRequest(text=request.text, label=request.label, source=request.source, key=request.key)]
    else:
        raise ProblemError(422, "give either text and label, or corrections")
    keys = [each.key or _numbered(call.key, at, len(asked)) for at, each in enumerate(asked)]
    corrections = [
        Correction(each.text, _label(each), each.source, key) for each, key in zip(asked, keys, strict=True)
    ]
    return _told(service, await service.durably(service.keeper.learn, corrections, sender=call.sender))


async def forget(service: Service, call: Call, request: ForgetRequest) -> Outcomes:
    """Forget a text, the text with a digest, or all of a source, as if it had never been learned."""
    if sum(each is not None for each in (request.text, request.digest, request.source)) != 1:
        raise ProblemError(422, "give one of text, digest and source")
    outcomes = await service.durably(
        service.keeper.forget,
        text=request.text,
        digest=request.digest,
        source=request.source,
        key=request.key or call.key,
    )
    return _told(service, outcomes)


async def undo(service: Service, call: Call, request: UndoRequest) -> Outcomes:
    """Undo an entry, or the last one that is not undone."""
    outcome = await service.durably(service.keeper.undo, request.seq, key=request.key or call.key)
    return _told(service, [outcome])


class HistoryQuery(Struct):
    """Which entries are wanted."""

    before: Annotated[int, Meta(ge=1, le=LARGEST, description="Only entries before this one.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000, description="At most this many entries.")] = 50


async def history(service: Service, call: Call, query: HistoryQuery) -> History:
    """The history of corrections, newest first."""
    del call
    entries = await service.aside(service.keeper.history, before=query.before, limit=query.limit)
    return History(
        [HistoryEntry(e.seq, e.time, e.kind, e.digest, e.label, e.source, e.of, e.undoes, e.text) for e in entries]
    )


def _label(asked: CorrectionRequest) -> Label:
    if (asked.label is None) == (asked.labels is None):
        raise ProblemError(422, "give either label or labels with one label: this model has one label per text")
    return asked.label if asked.label is not None else (asked.labels or [""])[0]


def _numbered(key: str | None, at: int, of: int) -> str | None:
    """The key of one of several corrections of a request."""
    return key if key is None or of == 1 else f"{key}/{at}"


def _told(service: Service, outcomes: Iterable[Outcome]) -> Outcomes:
    answers = [OutcomeAnswer(each.seq, each.what, each.digest, each.label, each.before) for each in outcomes]
    for each in answers:
        service.metrics.corrected(each.what)
    return Outcomes(answers, service.keeper.status.durability)
