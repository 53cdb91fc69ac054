"""What a server answers, as objects. Fields that a newer server adds are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeAlias, TypeVar, cast

Label: TypeAlias = str | int | bool
Document: TypeAlias = Mapping[str, object]
T = TypeVar("T")


@dataclass(frozen=True)
class Prediction:
    """What a text is about.

    Attributes
    ----------
    label : str, int, bool or None
        The predicted label; None if the model abstains.
    probability : float
        The probability of the best label.
    known : float
        The share of the terms that the model knows.
    labels : dict
        The most probable labels, best first, and their probabilities.
    """

    label: Label | None
    probability: float
    known: float
    labels: dict[Label, float]

    @classmethod
    def of(cls, document: Document) -> Prediction:
        """The prediction of a JSON document.

        Examples
        --------
        >>> labels = [{"label": "spam", "probability": 0.9}]
        >>> Prediction.of({"label": "spam", "probability": 0.9, "known": 1.0, "labels": labels}).labels
        {'spam': 0.9}
        """
        pairs = cast("list[dict[str, object]]", document["labels"])
        labels = {each["label"]: each["probability"] for each in pairs}
        return from_document(cls, {**document, "labels": labels})


@dataclass(frozen=True)
class Outcome:
    """What was done with one text; see `docs/server.md`.

    Attributes
    ----------
    seq : int
        The number of the entry, by which it can be undone.
    what : str
        "learned", "moved", "known", "forgotten" or "undone".
    digest : str
        The SHA-256 of the UTF-8 of the text.
    label, before : label or None
        The label of the text now, and before; None if it is not learned.
    """

    seq: int
    what: str
    digest: str
    label: Label | None
    before: Label | None


@dataclass(frozen=True)
class Entry:
    """An entry of the history; ``text`` is None unless the server keeps texts."""

    seq: int
    time: str
    kind: str
    digest: str
    label: Label
    source: str | None
    of: int | None
    undoes: int | None
    text: str | None


@dataclass(frozen=True)
class ModelInfo:
    """What the model of a server is; ``learning`` says whether it learns, or why not."""

    name: str
    version: str
    documents: float
    classes: int
    terms: int
    calibrated: bool
    options: dict[str, object]
    learning: dict[str, object]


def from_document(kind: type[T], document: Document) -> T:
    """An object with those fields of a document that it knows.

    Examples
    --------
    >>> document = {"seq": 1, "what": "known", "digest": "", "label": "a", "before": "a", "new": 0}
    >>> from_document(Outcome, document).what
    'known'
    """
    return kind(**{field.name: document[field.name] for field in fields(kind)})  # type: ignore[arg-type]
