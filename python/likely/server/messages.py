"""Requests and answers, each described once: parsed, checked, written, documented and read by these types.

The server, its store and the client share them.
"""

from __future__ import annotations

from datetime import date  # noqa: TC003 - msgspec reads the types
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from likely.server.pool import MOST_TEXTS

DOCUMENT = 1_000_000
"""The most characters of one text."""
BATCH = 10_000
"""The most texts of one request."""
LARGEST = 2**53 - 1
"""The largest whole number: programs that read JSON into floating-point numbers have it exactly (RFC 8259, 6)."""
NAME = 256
"""The most characters of a label, a source or an idempotency key."""
NUMBERS = 2_000_000
"""The most numbers in one answer: they take about 500 MB while it is written."""

AnyLabel: TypeAlias = str | Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | bool
"""A label. All labels of a model are of one type."""
Text = Annotated[str, Meta(max_length=DOCUMENT, description="A text.")]
Name = Annotated[str, Meta(min_length=1, max_length=NAME)]
NewLabel: TypeAlias = Name | Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | bool
Share = Annotated[float, Meta(ge=0, le=1)]


class RequestBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all requests: unknown fields are refused, so a misspelled one is not overlooked."""


# Predicting ------------------------------------------------------------------------------------------------------


class PredictRequest(RequestBody):
    """One text, or several."""

    text: Text | None = None
    texts: Annotated[list[Text], Meta(min_length=1, max_length=BATCH)] | None = None
    top: Annotated[int, Meta(ge=1, le=1_000, description="The number of labels per text.")] = 1
    abstain: Annotated[Share, Meta(description="Give no answer below this probability.")] | None = None
    counts: Annotated[bool, Meta(description="Whether the drift figures count these texts: false for trials.")] = True


class LabelProbability(Struct, gc=False):
    """A label and its probability."""

    label: AnyLabel
    probability: float


class Prediction(Struct, gc=False, omit_defaults=True):
    """The prediction for one text."""

    label: Annotated[AnyLabel | None, Meta(description="The predicted label; null if the model abstains.")]
    probability: Annotated[float, Meta(description="The probability of the best label.")]
    known: Annotated[float, Meta(description="The share of the terms that the model knows.")]
    labels: Annotated[list[LabelProbability], Meta(description="The most probable labels, best first.")]
    impossible: Annotated[
        bool, Meta(description="True if no class is possible (alpha=0): the rest says nothing.")
    ] = False


class PredictionsAnswer(Struct):
    """One prediction per text, in the order of the texts."""

    predictions: list[Prediction]


class ExplainRequest(RequestBody):
    """One text, and how much of its explanation is wanted."""

    text: Text
    classes: Annotated[int, Meta(ge=2, le=50, description="At most this many classes, the most probable ones.")] = 10
    terms: Annotated[int, Meta(ge=1, le=5_000, description="At most this many terms, the strongest ones.")] = 1_000


# Learning --------------------------------------------------------------------------------------------------------


class Correction(RequestBody):
    """A text and its label. A correction with the key of an earlier one is not made again."""

    text: Text
    label: NewLabel
    source: (
        Annotated[Name, Meta(description="Where it comes from; all of a source can be forgotten at once.")] | None
    ) = None
    key: Annotated[Name, Meta(description="Idempotency key: the same key is learned once.")] | None = None


class LearnRequest(RequestBody):
    """Corrections: all are learned, or none. A single one may be sent without a list."""

    corrections: Annotated[list[Correction], Meta(min_length=1, max_length=BATCH)] | None = None
    text: Text | None = None
    label: NewLabel | None = None
    source: Name | None = None
    key: Name | None = None


class ForgetRequest(RequestBody):
    """What to forget: a text, the digest of a text, all of a source, or all that is older. Give one of them."""

    text: Text | None = None
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of the UTF-8 of the text.")] | None = (
        None
    )
    source: Name | None = None
    key: Name | None = None
    before: Annotated[date, Meta(description="All that was learned before this day (UTC).")] | None = None


class UndoRequest(RequestBody):
    """The entry to undo; without it the last one that is not undone."""

    seq: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    key: Name | None = None


class Outcome(Struct, frozen=True):
    """What was done with one text: "known" if it was learned with this label before, "moved" if with another one."""

    seq: Annotated[int, Meta(description="The number of the entry, by which it can be undone.")]
    what: Literal["learned", "moved", "known", "forgotten", "undone"]
    digest: str
    label: AnyLabel | None
    before: Annotated[AnyLabel | None, Meta(description="The label before.")]


class OutcomesAnswer(Struct):
    """What was done, in the order of the request. It is durable, and the model has learned it."""

    outcomes: list[Outcome]
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


class HistoryAnswer(Struct):
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
    new_classes: Annotated[bool, Meta(description="Whether corrections may add new classes.")]


class ModelAnswer(Struct):
    """What the model is, and whether it learns."""

    name: str
    version: Annotated[str, Meta(description="The version of the server.")]
    documents: float
    classes: int
    terms: int
    calibrated: bool
    options: Annotated[dict[str, Any], Meta(description="The options of the model, by name.")]
    learning: Learning


class TermScore(Struct):
    """A term, the same for people (its stems are marked), and how typical it is."""

    term: str
    word: str
    score: float


class ClassAnswer(Struct):
    """A class, its size, and its most typical words if they were asked for."""

    label: AnyLabel
    documents: float
    tokens: float
    share: float
    words: list[TermScore]


class ClassesAnswer(Struct):
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
    total: Annotated[int, Meta(description="The number of distinct texts, including those already learned.")]
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
    """How far the last texts are from the training data. Each of several processes answers for its own texts."""

    texts: int
    terms: int
    unknown: Annotated[float | None, Meta(description="The share of terms that are unknown; null below 30 texts.")]
    usual: Annotated[float | None, Meta(description="The share that is usually unknown.")]
    distance: Annotated[
        float | None, Meta(description="The total variation distance between the estimated and the training shares.")
    ]
    abstained: Annotated[int, Meta(description="Texts without an answer.")]
    warning: Annotated[str | None, Meta(description="What is wrong and what to do, in one sentence.")]
    classes: list[DriftClass]


class Health(Struct):
    """Liveness and readiness."""

    status: Literal["ok", "degraded"]
    why: str | None = None


# Queries ---------------------------------------------------------------------------------------------------------


class NoQuery(Struct):
    """A query without parameters."""


class HistoryQuery(Struct):
    """Which entries are wanted."""

    before: Annotated[int, Meta(ge=1, le=LARGEST, description="Only entries before this one.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000, description="At most this many entries.")] = 50


class ClassesQuery(Struct):
    """What is wanted of the classes."""

    words: Annotated[int, Meta(ge=0, le=200, description="Typical words per class. They need the learn token.")] = 0


class PoolQuery(Struct):
    """Which texts are wanted."""

    start: Annotated[int, Meta(ge=0, le=MOST_TEXTS, description="The place of the first text.")] = 0
    limit: Annotated[int, Meta(ge=1, le=1_000, description="At most this many texts.")] = 1_000


# Errors ----------------------------------------------------------------------------------------------------------


class Problem(Struct):
    """A problem, as RFC 9457 describes it, with the id of the request."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
