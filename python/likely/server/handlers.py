"""What each route does: functions of the service, the call and the request or query, which return the answer."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from msgspec.json import encode
from msgspec.structs import asdict, replace
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.responses import Response, StreamingResponse

from likely.explanation.explanation import Explanation, spread
from likely.explanation.words import class_overviews
from likely.server import messages as m
from likely.server.access import ProblemError
from likely.server.metrics import figures_now
from likely.server.replay import digest_of
from likely.server.service import SHORT, Call, PredictOptions, Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from likely.model.naive_bayes import NaiveBayes

PRIVATE = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
"""The headers of data, which no browser shows as a page: the fewer, the faster."""
PART = 100_000
"""Texts times labels of a long answer that are written at once."""
AT_ONCE = 50
"""The typical words of this many classes are looked for at once."""
PER_TERM = 40
"""A term of an explanation takes as much room as this many numbers, even if there are few classes."""
POOL_CHARACTERS = 2_000_000
"""A part of the pool has at most this many characters, unless its first text has more."""


def json_response(data: bytes) -> Response:
    """An answer that is JSON already."""
    return Response(data, headers=PRIVATE, media_type="application/json")


# Predicting ------------------------------------------------------------------------------------------------------


async def predict(service: Service, call: Call, request: m.PredictRequest) -> Response:
    """Predict the label of one text or several."""
    if (request.text is None) == (request.texts is None):
        raise ProblemError(422, "give either text or texts")
    texts = [request.text] if request.text is not None else request.texts or []
    labels = min(request.top, _class_count(service.keeper.model))
    if len(texts) * labels > m.NUMBERS:
        raise ProblemError(
            422,
            f"{len(texts):,} texts with {labels:,} labels each are too many for one answer: send at most "
            f"{m.NUMBERS // labels:,} texts at once, or ask for fewer labels with top",
        )
    options = PredictOptions(request.top, request.abstain, request.counts)
    if len(texts) * labels <= SHORT:
        return json_response(encode(m.PredictionsAnswer(await service.batching.predict(texts, options))))
    step, written = max(1, PART // labels), list[bytes]()  # in parts, so that memory is bounded, and others may work
    for at in range(0, len(texts), step):
        found = await service.batching.predict(texts[at : at + step], options)
        written.append(await service.aside(_written, found))
    return StreamingResponse(_answer_of(written), headers=PRIVATE, media_type="application/json")


def _written(found: list[m.Prediction]) -> bytes:
    return b",".join(map(encode, found))


async def _answer_of(written: list[bytes]) -> AsyncIterator[bytes]:
    for at, part in enumerate(written):
        yield (b"," if at else b'{"predictions":[') + part
    yield b"]}"


async def explain(service: Service, call: Call, request: m.ExplainRequest) -> Response:
    """Explain why a text gets its label: the contribution of each of its words."""
    return await service.aside(_explained, service.keeper.model, request)


def _explained(model: NaiveBayes, request: m.ExplainRequest) -> Response:
    """The explanation as JSON; a problem if it would be too long."""
    classes, text = _class_count(model), request.text
    most = m.NUMBERS // max(PER_TERM, classes)
    if len(text) > most and classes:
        analyzer = model._snapshot(whole=False).counts.analyzer
        terms = len({each.term for each in analyzer.terms(analyzer.prepared(text))})
        if terms > most:
            raise ProblemError(
                422,
                f"the text has {terms:,} different terms, and an explanation with {classes:,} classes has room for "
                f"{most:,}: send a shorter text",
            )
    return json_response(encode(narrowed(model.explain(text), request.classes, request.terms).to_dict()))


def narrowed(found: Explanation, classes: int, terms: int) -> Explanation:
    """An explanation of the most probable classes, by the terms that separate them most, in the order of the text.

    The predicted class and its rival are always among them.
    """
    best = {*sorted(found.classes, key=lambda label: -found.probabilities[label])[:classes], found.label, found.rival}
    places = [at for at, label in enumerate(found.classes) if label in best]
    shown = [found.classes[at] for at in places]
    arrays = ("log_likelihoods", "counts", "numerators", "denominators")
    evidence = [
        dataclasses.replace(each, classes=shown, **{name: getattr(each, name)[places] for name in arrays})
        for each in found.terms
    ]
    strongest = {id(each) for each in sorted(evidence, key=lambda each: -spread(each, shown))[:terms]}
    by_class = {name: value for name, value in vars(found).items() if isinstance(value, dict)}
    fields: dict[str, Any] = {
        name: {label: value[label] for label in shown if label in value} for name, value in by_class.items()
    }
    return dataclasses.replace(found, terms=[each for each in evidence if id(each) in strongest], **fields)


def _class_count(model: NaiveBayes) -> int:
    """The number of classes of a model, which may have learned nothing. Nobody has to be waited for."""
    return len(model._scorer().classes.labels) if model._state.is_fitted else 0


# Learning --------------------------------------------------------------------------------------------------------


async def learn(service: Service, call: Call, request: m.LearnRequest) -> m.OutcomesAnswer:
    """Learn corrections, all or none; a text that was learned for another label is moved."""
    single = [request.text, request.label, request.source, request.key]
    if request.corrections is not None and single == [None] * 4:
        asked = request.corrections
    elif request.corrections is None and request.text is not None and request.label is not None:
        asked = [m.Correction(request.text, request.label, request.source, request.key)]
    else:
        raise ProblemError(422, "give either text and label, or corrections")
    key = call.key
    if len(asked) == 1:
        asked, key = [replace(asked[0], key=asked[0].key or key)], None
    return _answer(service, await service.durably(service.keeper.learn, asked, sender=call.sender, key=key))


async def forget(service: Service, call: Call, request: m.ForgetRequest) -> m.OutcomesAnswer:
    """Forget a text, the text with a digest, all of a source, or all that is older, as if it was never learned."""
    asked = asdict(request) | {"key": request.key or call.key}
    return _answer(service, await service.durably(service.keeper.forget, **asked))


async def undo(service: Service, call: Call, request: m.UndoRequest) -> m.OutcomesAnswer:
    """Undo an entry, or the last one that is not undone."""
    return _answer(service, [await service.durably(service.keeper.undo, request.seq, key=request.key or call.key)])


async def history(service: Service, call: Call, query: m.HistoryQuery) -> m.HistoryAnswer:
    """List the corrections, newest first."""
    entries = await service.read(service.keeper.history, before=query.before, limit=query.limit)
    names = m.HistoryEntry.__struct_fields__
    return m.HistoryAnswer([m.HistoryEntry(*(getattr(each, name) for name in names)) for each in entries])


def _answer(service: Service, outcomes: Sequence[m.Outcome]) -> m.OutcomesAnswer:
    for each in outcomes:
        service.metrics.corrected(each.what)
    return m.OutcomesAnswer(list(outcomes), service.keeper.status.durability or "none")


# The model -------------------------------------------------------------------------------------------------------


async def model(service: Service, call: Call, query: m.NoQuery) -> m.ModelAnswer:
    """Describe the model, and say whether the server learns."""
    return await service.aside(_about, service)


def _about(service: Service) -> m.ModelAnswer:
    found = service.keeper.model
    is_fitted = found._state.is_fitted
    return m.ModelAnswer(
        name=service.name,
        version=service.version,
        documents=float(found.class_documents_.sum()) if is_fitted else 0.0,
        classes=_class_count(found),
        terms=found.terms_ if is_fitted else 0,
        calibrated=is_fitted and found.calibration_ is not None,
        options=dict(found._options()),
        learning=replace(service.keeper.status, why_not=service.trouble or service.keeper.status.why_not),
    )


async def classes(service: Service, call: Call, query: m.ClassesQuery) -> m.ClassesAnswer:
    """List the classes, their sizes and, with a learn token, their most typical words."""
    if query.words and call.right != "learn":
        raise ProblemError(403, "typical words can reveal training data, so they need a learn token")
    found = service.keeper.model
    if not found._state.is_fitted:
        return m.ClassesAnswer([])
    return await service.aside(_classes, found, query.words)


def _classes(model: NaiveBayes, words: int) -> m.ClassesAnswer:
    labels = model.classes_.tolist()
    parts = range(0, len(labels), AT_ONCE)  # who learns need not wait for all of them
    found = [each for at in parts for each in class_overviews(model, labels[at : at + AT_ONCE], words)]
    total, answers = sum(each["documents"] for each in found) or 1.0, []
    for each in found:
        documents, scores = each["documents"], [m.TermScore(**word) for word in each["top_words"]]
        answers.append(m.ClassAnswer(each["class"], documents, each["tokens"], documents / total, scores))
    return m.ClassesAnswer(answers)


async def term(service: Service, call: Call, query: m.NoQuery) -> m.TermAnswer:
    """Show one term in all classes: its counts and its probability."""
    found = service.keeper.model
    if not found._state.is_fitted:
        return m.TermAnswer(call.term, False, [])
    rows = await service.aside(found._term_row, call.term)
    answers = [m.TermClass(row["class"], row["count"], row["documents"], row["probability"]) for row in rows]
    return m.TermAnswer(call.term, any(row.count for row in answers), answers)


async def pool(service: Service, call: Call, query: m.PoolQuery) -> m.PoolAnswer:
    """List texts that wait for labels; those that are learned already are left out."""
    return await service.read(_part_of_pool, service, query)


def _part_of_pool(service: Service, query: m.PoolQuery) -> m.PoolAnswer:
    found = service.pool.texts(service.keeper)
    texts: list[str] = []
    at, characters = query.start, 0
    while at < len(found.texts) and len(texts) < query.limit and characters < POOL_CHARACTERS:
        some = found.texts[at : at + query.limit]
        learned = service.keeper.are_learned([digest_of(text) for text in some])
        for text, is_learned in zip(some, learned, strict=True):
            if len(texts) == query.limit or characters >= POOL_CHARACTERS:
                break
            at += 1
            if not is_learned:
                texts.append(text)
                characters += len(text)
    following = at if at < len(found.texts) else None
    return m.PoolAnswer(service.pool.name, len(found.texts), found.is_cut, texts, following)


# The server ------------------------------------------------------------------------------------------------------


async def live(service: Service, call: Call, query: m.NoQuery) -> m.Health:
    """Liveness: the process answers."""
    return m.Health("ok")


async def ready(service: Service, call: Call, query: m.NoQuery) -> m.Health:
    """Readiness: `degraded` if the server can predict but not learn, although it has a store."""
    if service.is_draining:
        raise ProblemError(503, "the server is shutting down", {"retry-after": "5"})
    if service.trouble is None:
        return m.Health("ok")
    return m.Health("degraded", "corrections cannot be kept now: /model says why")


async def metrics(service: Service, call: Call, query: m.NoQuery) -> Response:
    """Metrics in the text format of Prometheus."""
    return Response(
        await service.aside(_metrics, service), headers={**PRIVATE, "content-type": CONTENT_TYPE_PLAIN_0_0_4}
    )


def _metrics(service: Service) -> bytes:
    drift = service.drift.compared_with(service.keeper.model)
    return service.metrics.text(figures_now(drift, _about(service)))


async def drift(service: Service, call: Call, query: m.NoQuery) -> m.DriftAnswer:
    """Compare the last texts with the training data: unknown terms, and the shares of the classes."""
    return await service.aside(service.drift.compared_with, service.keeper.model)
