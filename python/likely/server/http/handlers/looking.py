"""`GET /model`, `/classes` and `/terms/{term}`: what the model knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Raw, Struct
from msgspec.json import encode

from likely.server.http.messages import ClassAnswer, Classes, Learning, ModelAnswer, TermAnswer, TermClass, TermScore
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.http.service import Call, Service
    from likely.types import Label


class NoQuery(Struct):
    """A query without parameters."""


class ClassesQuery(Struct):
    """What is wanted of the classes."""

    words: Annotated[int, Meta(ge=0, le=200, description="Typical words per class. They need the learn token.")] = 0


async def model(service: Service, call: Call, query: NoQuery) -> ModelAnswer:
    """What the model is, and whether it learns."""
    del call, query
    keeper = service.keeper
    status, found = keeper.status, keeper.model
    is_fitted = found._state.is_fitted
    return ModelAnswer(
        name=service.name,
        version=service.version,
        documents=status.documents,
        classes=status.classes,
        terms=found.terms_ if is_fitted else 0,
        calibrated=is_fitted and found.calibration_ is not None,
        options=Raw(encode(found._options())),
        learning=Learning(status.can_learn, status.why_not, status.durability, status.seq, status.folded),
    )


async def classes(service: Service, call: Call, query: ClassesQuery) -> Classes:
    """The classes, their sizes and, for those who may learn, their most typical words."""
    if query.words and call.right != "learn":
        raise ProblemError(403, "typical words may tell what was learned, so they need a learn token")
    found = service.keeper.model
    if not found._state.is_fitted:
        return Classes([])
    if not query.words:
        return _classes(found, 0)
    return await service.aside(_classes, found, query.words)


def _classes(model: NaiveBayes, words: int) -> Classes:
    labels: list[Label] = model.classes_.tolist()
    documents, tokens = model.class_documents_.tolist(), model.class_tokens_.tolist()
    typical = model._top_words_of(labels, words) if words else {}
    total = sum(documents) or 1.0
    return Classes(
        [
            ClassAnswer(label, some, many, some / total, [TermScore(*pair) for pair in typical.get(label, [])])
            for label, some, many in zip(labels, documents, tokens, strict=True)
        ]
    )


async def term(service: Service, call: Call, query: NoQuery) -> TermAnswer:
    """One term in all classes: its counts and its probability."""
    del query
    found = service.keeper.model
    if not found._state.is_fitted:
        return TermAnswer(call.place, False, [])
    rows = found._term_row(call.place)
    answers = [TermClass(row["class"], row["count"], row["documents"], row["probability"]) for row in rows]
    return TermAnswer(call.place, any(row.count for row in answers), answers)
