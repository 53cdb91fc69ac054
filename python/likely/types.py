"""The types of the public API, each alias defined once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from likely import _native

Label: TypeAlias = str | int | bool
"""A label. All labels of a model are of one type."""
Plain: TypeAlias = dict[str, Any]
"""Plain data, ready for JSON: what `to_dict` returns."""
Model: TypeAlias = Any
"""A `NaiveBayes`, for features that use a model without importing its class, which is in a layer above them."""


class ArrowStream(Protocol):
    """Arrow data that comes in batches: a table, a frame, a chunked array, a reader."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The data as a capsule of the Arrow C stream interface."""


class ArrowArray(Protocol):
    """Arrow data in one piece: an array or a record batch."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The data as capsules of the Arrow C data interface."""


Texts: TypeAlias = Iterable[str] | ArrowStream | ArrowArray
"""Texts: a list, tuple or generator; a numpy array; a pandas or polars Series; any Arrow data of strings."""
TextRows: TypeAlias = "list[str] | _native.Strings"
"""Texts, each of which can be had by its row."""
Labels: TypeAlias = Iterable[Label] | ArrowStream | ArrowArray
"""One label per text."""
Predicted: TypeAlias = Iterable[Label | None] | ArrowStream | ArrowArray
"""One prediction per text, or None where there is none."""
Documents: TypeAlias = Iterable[object] | ArrowStream | ArrowArray
"""Documents of the drop-in vectorizers: texts or bytes, files or paths, or whatever the functions of a user take."""
SampleWeight: TypeAlias = Iterable[float] | ArrowStream | ArrowArray
"""One weight per document, each at least 0."""
Groups: TypeAlias = Iterable[object] | ArrowStream | ArrowArray
"""One group per document, such as its author: what belongs together is left out together."""
Path: TypeAlias = str | os.PathLike[str]
"""The path of a file."""
Rows: TypeAlias = Sequence[Mapping[str, object]]
"""Rows of a table, each with its values by the names of their columns."""
Source: TypeAlias = Path | Sequence[Path] | ArrowStream | ArrowArray | Rows
"""Where labelled texts are read from: a path, a glob, several of them, a frame, or a list of dicts."""
Shares: TypeAlias = Mapping[str, float] | Mapping[int, float] | Mapping[bool, float] | Mapping[Label, float]
"""The share of each class; the shares sum to 1."""
Prior: TypeAlias = Literal["fitted", "uniform"] | Shares
"""P(class): as in the training data, equal for all classes, or given per class."""
Abstain: TypeAlias = float | Mapping[str, Any]
"""When not to answer: below a probability, or by a mapping with ``probability``, ``margin`` or ``precision``."""
Costs: TypeAlias = (
    Mapping[tuple[str, str], float] | Mapping[tuple[int, int], float] | Mapping[tuple[bool, bool], float]
)
"""What it costs to predict the second class for a document of the first; what is not given costs nothing."""
Thresholds: TypeAlias = str | Costs | Shares
"""Decision threshold per class: numbers, or a goal such as ``f1:spam``."""

ClassWeight: TypeAlias = Literal["balanced", "sqrt_balanced"] | Shares | None
"""The weights of the classes: by name, or a mapping from classes to weights above 0; None if all are 1."""

Tokenizer: TypeAlias = Callable[[str], Iterable[str]]
"""A function of the user that cuts a text into tokens."""

Array: TypeAlias = npt.NDArray[np.float64]
"""Numbers: counts, scores, probabilities."""
Ids: TypeAlias = npt.NDArray[np.uint32]
"""Ids of terms, or numbers of classes, as the kernel has them."""
Starts: TypeAlias = npt.NDArray[np.int64]
"""Where the rows of a ragged table start, and where the last one ends."""
Places: TypeAlias = npt.NDArray[np.intp]
"""Indices into another array."""
Mask: TypeAlias = npt.NDArray[np.bool_]
"""True or False per element."""
LabelArray: TypeAlias = npt.NDArray[np.generic]
"""Labels as numpy has them: strings, integers, booleans or objects."""
Indices: TypeAlias = npt.NDArray[np.int32] | npt.NDArray[np.int64]
"""The columns, or the row starts, of a sparse matrix: of 32 bits if these are enough."""


class TermDocument(TypedDict):
    """A term of `ExplanationDocument`; lists with one element per class are in the order of its ``classes``.

    The spans are the start and the end of each occurrence, in Unicode characters.
    """

    term: str
    word: str
    count: int
    weight: float
    written: list[str]
    spans: list[list[int]]
    likelihood: list[float | None]
    fractions: list[list[float]]
    contribution: list[float | None]


@dataclass(frozen=True)
class Change:
    """The fewest words that were found without which a text gets another class.

    Attributes
    ----------
    words : list of str
        The words, as the text has them.
    spans : list of (int, int)
        All their places in the text.
    label : str, int or bool
        The class of the text without them.
    probability : float
        The probability of this class.
    """

    words: list[str]
    spans: list[tuple[int, int]]
    label: Label
    probability: float


class ExplanationDocument(TypedDict):
    """An explanation as plain data (`docs/reference/json.md`); None stands for minus infinity."""

    text: str
    label: Label
    classes: list[Label]
    prior: list[float]
    log_prior: list[float | None]
    lacking: list[float]
    terms: list[TermDocument]
    known: float
    unknown: list[str]
    ignored: list[str]
    unknown_spans: list[list[int]]
    scores: list[float | None]
    posterior: list[float]
    calibrated: list[float] | None
    log_odds: float | None
    class_weight: list[float] | None
    thresholds: list[float | None]
    by_threshold: bool
    abstains: bool
    factor: float
    rival: Label | None
    variant: str
    change: Change | None
    summary: str
