"""Requests and answers, each described once: they are parsed, checked, written and documented by these types.

Every answer about a text has a list of labels with probabilities, and a correction may name its label in a list, so
that several labels per text fit in.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from likely.server.http.limits import BATCH, DOCUMENT, LARGEST, NAME

AnyLabel = str | Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | bool
"""A label. All labels of a model are of one type."""
Text = Annotated[str, Meta(max_length=DOCUMENT, description="A text.")]
Name = Annotated[str, Meta(min_length=1, max_length=NAME)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Request(Struct, forbid_unknown_fields=True, kw_only=True):
    """The base of all requests: unknown fields are refused, so that a misspelled one is not overlooked."""


# Predicting ------------------------------------------------------------------------------------------------------


class PredictRequest(Request):
    """One text, or several."""

    text: Text | None = None
    texts: Annotated[list[Text], Meta(min_length=1, max_length=BATCH)] | None = None
    top: Annotated[int, Meta(ge=1, le=1_000, description="The number of labels per text.")] = 1
    abstain: Annotated[Share, Meta(description="Give no answer below this probability.")] | None = None
    counts: Annotated[bool, Meta(description="Whether the drift figures count these texts: false for trials.")] = True


class LabelProbability(Struct):
    """A label and its probability."""

    label: AnyLabel
    probability: float


class Prediction(Struct):
    """What a text is about."""

    label: Annotated[AnyLabel | None, Meta(description="The predicted label; null if the model abstains.")]
    probability: Annotated[float, Meta(description="The probability of the best label.")]
    known: Annotated[float, Meta(description="The share of the terms that the model knows.")]
    labels: Annotated[list[LabelProbability], Meta(description="The most probable labels, best first.")]


class Predictions(Struct):
    """One prediction per text, in the order of the texts."""

    predictions: list[Prediction]


class ExplainRequest(Request):
    """One text."""

    text: Text


# Learning --------------------------------------------------------------------------------------------------------


class CorrectionRequest(Request):
    """A text and its label, as somebody says."""

    text: Text
    label: AnyLabel | None = None
    labels: Annotated[list[AnyLabel], Meta(min_length=1, max_length=1)] | None = None
    source: (
        Annotated[Name, Meta(description="Where it comes from; all of a source can be forgotten at once.")] | None
    ) = None
    key: Annotated[Name, Meta(description="Idempotency key: the same key is learned once.")] | None = None


class LearnRequest(Request):
    """Corrections, all of which are learned, or none. A single one may stand without a list."""

    corrections: Annotated[list[CorrectionRequest], Meta(min_length=1, max_length=BATCH)] | None = None
    text: Text | None = None
    label: AnyLabel | None = None
    source: Name | None = None
    key: Name | None = None


class ForgetRequest(Request):
    """What to forget: a text, the digest of a text, or all of a source. Give one of them."""

    text: Text | None = None
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of the UTF-8 of the text.")] | None = (
        None
    )
    source: Name | None = None
    key: Name | None = None


class UndoRequest(Request):
    """The entry to undo; without it the last one that is not undone."""

    seq: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    key: Name | None = None


class OutcomeAnswer(Struct):
    """What was done with one text."""

    seq: Annotated[int, Meta(description="The number of the entry, by which it can be undone.")]
    what: Literal["learned", "moved", "known", "forgotten", "undone"]
    digest: str
    label: AnyLabel | None
    before: Annotated[AnyLabel | None, Meta(description="The label before.")]


class Outcomes(Struct):
    """What was done, in the order of the request. It is durable, and the model has learned it."""

    outcomes: list[OutcomeAnswer]
    durability: str


class HistoryEntry(Struct):
    """An entry of the history. The text is there only if texts are kept."""

    seq: int
    time: str
    kind: Literal["learn", "forget"]
    digest: str
    label: AnyLabel
    source: str | None
    of: Annotated[int | None, Meta(description="The entry that this one reverses, or follows.")]
    undoes: int | None
    text: str | None


class History(Struct):
    """Entries, newest first."""

    entries: list[HistoryEntry]


# The model -------------------------------------------------------------------------------------------------------


class Learning(Struct):
    """Whether the server learns."""

    can_learn: bool
    why_not: Annotated[str | None, Meta(description="Why nothing can be learned, as a sentence.")]
    durability: str | None
    seq: Annotated[int, Meta(description="The number of the last entry.")]
    folded_seq: Annotated[int, Meta(description="The last entry that the folded model file contains.")]


class ModelAnswer(Struct):
    """What the model is."""

    name: str
    version: Annotated[str, Meta(description="The version of the server.")]
    documents: float
    classes: int
    terms: int
    calibrated: bool
    options: Annotated[Raw, Meta(description="The options of the model, by name.")]
    learning: Learning


class TermScore(Struct):
    """A term, and how typical it is."""

    term: str
    score: float


class ClassAnswer(Struct):
    """A class, its size, and its most typical words if they were asked for."""

    label: AnyLabel
    documents: float
    tokens: float
    share: float
    words: list[TermScore]


class Classes(Struct):
    """The classes of the model, in its order."""

    classes: list[ClassAnswer]


class TermClass(Struct):
    """The counts of a term in a class, and its probability."""

    label: AnyLabel
    count: float
    documents: float
    probability: float


class TermAnswer(Struct):
    """A term in all classes."""

    term: str
    known: bool
    classes: list[TermClass]


class PoolAnswer(Struct):
    """Texts on the server that wait for labels."""

    name: Annotated[str | None, Meta(description="The names of the files; null if the server has no pool.")]
    total: Annotated[int, Meta(description="The number of distinct texts, also of those that are learned already.")]
    is_cut: Annotated[bool, Meta(description="Whether the files have more texts than are used.")]
    texts: list[str]
    next: Annotated[int | None, Meta(description="Where to go on; null at the end.")]


class DriftClass(Struct):
    """A class in training and now."""

    label: AnyLabel
    training: Annotated[float, Meta(description="Its share in the training data.")]
    predicted: Annotated[float | None, Meta(description="Its share of the answers.")]
    estimated: Annotated[float | None, Meta(description="Its share, estimated from the probabilities.")]


class DriftAnswer(Struct):
    """How far the last texts are from the training data, by the figures of all processes."""

    texts: int
    terms: int
    unknown: Annotated[float | None, Meta(description="The share of the terms that the model does not know.")]
    usual: Annotated[float | None, Meta(description="The share that is usually unknown.")]
    distance: Annotated[
        float | None, Meta(description="The total variation distance of the estimated shares from those of training.")
    ]
    abstained: Annotated[int, Meta(description="Texts without an answer.")]
    warning: Annotated[str | None, Meta(description="What is wrong and what to do, in one sentence.")]
    classes: list[DriftClass]
    processes: Annotated[int, Meta(description="The number of processes whose figures are in it.")]


class Health(Struct):
    """Whether the server is there, or ready."""

    status: Literal["ok", "degraded", "draining"]
    why: str | None = None


# Errors ----------------------------------------------------------------------------------------------------------


class Problem(Struct):
    """A problem, as RFC 9457 describes it, with the id of the request."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
