"""The compiled part of `likely`: text to terms, counts and scores."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "CHAR_MARK",
    "KNOWN",
    "LEAST_WEIGHT",
    "LENGTH",
    "SEPARATOR",
    "STEPS",
    "UNKNOWN",
    "Alphabet",
    "Analyzer",
    "Counted",
    "Counts",
    "CsvLayout",
    "Hashing",
    "Lexicon",
    "LinearSolver",
    "LogEntries",
    "Pattern",
    "Ragged",
    "Records",
    "Single",
    "Spelling",
    "Weights",
    "cases_of",
    "close_gate",
    "count_lengths",
    "count_terms",
    "delta_strings_size",
    "encode_labels",
    "group_terms",
    "kernels",
    "open_gate",
    "order_rows",
    "read_csv",
    "read_header",
    "read_jsonl",
    "read_lines",
    "rows_of",
    "sample_numbers",
    "stem_languages",
    "sum_logs",
    "sum_rows",
    "vectorize",
    "weigh_rows",
]

CHAR_MARK: str
KNOWN: int
LEAST_WEIGHT: float
LENGTH: int
SEPARATOR: str
STEPS: list[tuple[int, str]]
UNKNOWN: int

_Ids: TypeAlias = npt.NDArray[np.uint32]
_Floats: TypeAlias = npt.NDArray[np.float64]
_Starts: TypeAlias = npt.NDArray[np.int64]
_Exact: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
_Parts: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
_Columns: TypeAlias = tuple[Any, _Ids, _Exact, _Exact]

@final
class Analyzer:
    """How texts become terms."""

    def __new__(cls, settings: dict[str, Any]) -> Analyzer: ...
    def normalized(self, term: str) -> str: ...
    def spans(self, text: str) -> list[tuple[str, int, int, int, int]]: ...
    def trace(self, text: str) -> list[tuple[str | None, int, int, int]]: ...

@final
class Counts:
    """Everything naive Bayes knows: how often each term occurs in each class."""

    def __new__(cls) -> Counts: ...
    @staticmethod
    def count(
        analyzer: Analyzer, texts: Any, classes: _Ids | None, weights: _Floats | None, threads: int
    ) -> Counts: ...
    @staticmethod
    def count_batches(
        analyzer: Analyzer, batches: Iterable[tuple[Any, _Ids, _Floats | None]], threads: int
    ) -> Counts: ...
    def folds_of_phrases(self, folds: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[int]]: ...
    def folded(self, folds: list[tuple[int, int]]) -> Counts: ...
    def locate(self, other: Counts, ids: _Ids) -> _Ids: ...
    @staticmethod
    def from_columns(
        analyzer: Analyzer,
        most_words: int,
        shares: bool,
        weighed: bool,
        totals: tuple[_Exact, _Exact],
        batches: Iterable[_Columns],
    ) -> tuple[Counts, npt.NDArray[np.int64]]: ...
    @property
    def terms(self) -> int: ...
    @property
    def vocabulary_size(self) -> int: ...
    @property
    def learned(self) -> bool: ...
    @property
    def worn(self) -> bool: ...
    def merge(self, other: Counts, classes: Iterable[int]) -> _Ids: ...
    def subtract(self, other: Counts, classes: Iterable[int]) -> _Ids: ...
    def compacted(self, classes: Iterable[int]) -> Counts: ...
    def copy(self) -> Counts: ...
    def totals(self) -> list[_Floats]: ...
    def exact_totals(self) -> list[_Exact]: ...
    def select(self, ids: _Ids) -> Counts: ...
    def find(self, analyzer: Analyzer, terms: list[str]) -> _Ids: ...
    def ids(self) -> _Ids: ...
    def sorted_ids(self) -> _Ids: ...
    def spell(self, ids: _Ids) -> list[str]: ...
    def words_in(self, ids: _Ids) -> _Ids: ...
    def row_lengths(self, ids: _Ids) -> npt.NDArray[np.int64]: ...
    def cell_classes(self, ids: _Ids) -> _Ids: ...
    def cells(self, ids: _Ids, documents: bool) -> _Floats: ...
    def class_sums(self, ids: _Ids, documents: bool) -> _Floats: ...
    def sums_of_others(self, ids: _Ids, documents: bool) -> _Floats: ...
    def columns(self, ids: _Ids, ranks: _Ids) -> _Columns: ...

@final
class Alphabet:
    """What the running Python knows of the characters beyond ASCII."""

    def __new__(
        cls,
        words: Sequence[tuple[int, int]],
        spaces: Sequence[tuple[int, int]],
        replaced: Sequence[tuple[int, bytes]],
    ) -> Alphabet: ...

@final
class Pattern:
    """How texts become terms, by the rules of scikit-learn."""

    def __new__(
        cls,
        unit: str,
        least: int,
        ngrams: tuple[int, int],
        lowercase: bool,
        stop_words: Sequence[bytes],
        alphabet: Callable[[], Alphabet],
    ) -> Pattern: ...

@final
class Counted:
    """The counts of some texts, before it is decided which columns to keep."""

    def __len__(self) -> int: ...
    def columns(self) -> int: ...
    def documents(self) -> npt.NDArray[np.int64]: ...
    def totals(self) -> npt.NDArray[np.int64]: ...
    def select(self, pattern: Pattern, keep: npt.NDArray[np.bool_]) -> None: ...
    def take_rows(self, binary: bool, floats: bool) -> tuple[_Parts, Lexicon]: ...
    def take_lexicon(self) -> Lexicon: ...

@final
class Lexicon:
    """Terms and their columns."""

    def __new__(cls, pattern: Pattern, terms: list[str]) -> Lexicon: ...
    @staticmethod
    def from_spelled(pattern: Pattern, text: bytes, ends: npt.NDArray[np.int64]) -> Lexicon: ...
    def __len__(self) -> int: ...
    def terms(self) -> list[str]: ...
    def spelled(self) -> tuple[bytes, npt.NDArray[np.int64]]: ...
    def extend(self, counted: Counted) -> npt.NDArray[np.int64]: ...
    def rows(
        self,
        pattern: Pattern,
        texts: Any,
        decode: Callable[[Any], Any],
        binary: bool,
        floats: bool,
        threads: int,
    ) -> _Parts: ...

@final
class Single:
    """What a matrix of one row is made with."""

    def __new__(
        cls,
        lexicon: Lexicon,
        pattern: Pattern,
        binary: bool,
        floats: bool,
        kind: type[Any],
        others: list[tuple[str, Any]],
    ) -> Single: ...
    def matrix(self, texts: Any) -> Any: ...

@final
class Hashing:
    """How the hashes of terms become columns. If `signed`, half of the terms count -1."""

    def __new__(cls, columns: int, signed: bool) -> Hashing: ...
    def rows(
        self, pattern: Pattern, texts: Any, decode: Callable[[Any], Any], binary: bool, threads: int
    ) -> _Parts: ...
    def columns(self, terms: list[bytes]) -> list[tuple[int, int]]: ...

@final
class Ragged:
    """A table whose row `r` has the entries `starts[r]:starts[r + 1]` of `columns` and `values`."""

    def __new__(
        cls, starts: _Starts, columns: _Ids, values: npt.NDArray[Any] | None = None, width: int | None = None
    ) -> Ragged: ...
    @property
    def starts(self) -> _Starts: ...
    @property
    def columns(self) -> _Ids: ...
    @property
    def values(self) -> Any: ...
    @property
    def width(self) -> int | None: ...

@final
class LinearSolver:
    """How linear classifiers are solved."""

    def __new__(
        cls, loss: Literal["hinge", "logistic"] | str, tolerance: float, most_rounds: int, threads: int
    ) -> LinearSolver: ...
    def solve(self, rows: Ragged, classes: _Ids, costs: _Floats, sides: _Ids, factors: _Floats) -> _Floats: ...

@final
class LogEntries:
    """What each entry of some documents does in `sum_logs`."""

    def __new__(cls, taken: _Floats, tops: _Floats, times: _Floats, alpha: float) -> LogEntries: ...

@final
class CsvLayout:
    """What a file of separated values looks like, and which of its fields are wanted."""

    def __new__(
        cls, delimiter: str, width: int, columns: Sequence[int], has_label: bool, longest: int
    ) -> CsvLayout: ...

@final
class Records:
    """The rows of a chunk of a file."""

    @property
    def columns(self) -> list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]]: ...
    @property
    def labels(self) -> tuple[list[str], _Ids]: ...
    @property
    def kinds(self) -> npt.NDArray[np.uint8]: ...
    @property
    def starts(self) -> npt.NDArray[np.int64]: ...
    @property
    def ends(self) -> npt.NDArray[np.int64]: ...
    @property
    def bad(self) -> list[tuple[int, str]]: ...
    @property
    def used(self) -> int: ...
    @property
    def passed(self) -> int: ...
    @property
    def cut(self) -> bool: ...
    @property
    def broken(self) -> int: ...

@final
class Spelling:
    """Known words, by their places in a list, to be found by words that misspell them."""

    def __new__(cls, words: list[str], frequencies: _Floats) -> Spelling: ...
    @staticmethod
    def of_counts(counts: Counts, ids: _Ids, frequencies: _Floats) -> Spelling: ...
    def closest(self, word: str) -> int | None: ...
    def folds(self, rare: float, times: float) -> list[tuple[int, int]]: ...

@final
class Weights:
    """The linear form that scores texts. It knows terms by their ids in the counts it was made from."""

    def __new__(
        cls,
        counts: Counts,
        classes: int,
        value: Literal["count", "presence", "damped"] | str,
        normalized: bool,
        absent: float,
    ) -> Weights: ...
    @property
    def version(self) -> int: ...
    @property
    def worn(self) -> bool: ...
    def has_room_for(self, classes: int) -> bool: ...
    def frozen(self) -> Weights: ...
    def set(
        self,
        counts: Counts,
        ids: _Ids,
        scales: _Floats | None,
        rests: _Floats | None,
        deltas: _Floats,
        classes: _Floats,
    ) -> None: ...
    def set_cells(self, ids: _Ids, scales: _Floats | None, cells: Ragged, bias: _Floats) -> None: ...
    def read_as_known(self, counts: Counts, spelling: Spelling, ids: _Ids, folds: list[tuple[int, int]]) -> None: ...
    def read_words(self, counts: Counts, words: list[str]) -> list[str]: ...
    def score(
        self,
        analyzer: Analyzer,
        counts: Counts,
        texts: Any,
        columns: _Ids,
        threads: int,
        reduce: Callable[[_Floats], Any],
    ) -> list[Any]: ...

def close_gate() -> None: ...
def open_gate() -> None: ...
def count_lengths(
    first: Counts,
    analyzer: Analyzer,
    batches: Iterable[tuple[Any, _Ids, _Floats | None]],
    value: str,
    scales: _Floats,
    threads: int,
) -> Counts: ...
def delta_strings_size(page: bytes, strings: int) -> int | None: ...
def sample_numbers(texts: Any) -> npt.NDArray[np.uint64]: ...
def encode_labels(labels: list[Any], numbers: dict[Any, int]) -> _Ids | None: ...
def kernels() -> list[str]: ...
def order_rows(rows: Ragged, places: _Ids, classes: _Ids, weights: _Floats | None) -> tuple[_Ids, Ragged]: ...
def group_terms(counts: Counts, ids: _Ids, marks: _Ids) -> tuple[_Ids, _Ids]: ...
def cases_of(groups: _Ids, rows: Ragged) -> tuple[Ragged, _Ids, _Ids]: ...
def sum_logs(
    documents: Ragged, gold: _Ids, cells: Ragged, single: npt.NDArray[np.bool_], entries: LogEntries, threads: int
) -> _Floats: ...
def sum_rows(
    documents: Ragged, gold: _Ids, numbers: Ragged, gold_values: _Floats | None, threads: int
) -> _Floats: ...
def rows_of(
    counts: Counts,
    analyzer: Analyzer,
    texts: Any,
    threads: int,
    at_once: int,
    reduce: Callable[[Ragged], Any],
) -> list[Any]: ...
def stem_languages() -> list[tuple[str, str]]: ...
def vectorize(analyzer: Analyzer, texts: Any, threads: int) -> tuple[_Parts, list[str]]: ...
def count_terms(pattern: Pattern, texts: Any, decode: Callable[[Any], Any], threads: int) -> Counted: ...
def weigh_rows(parts: _Parts, factors: _Floats | None, sublinear: bool, norm: str | None, threads: int) -> None: ...
def read_csv(chunk: bytes, last: bool, layout: CsvLayout, broken: int) -> Records: ...
def read_header(chunk: bytes, last: bool, delimiter: str) -> tuple[list[bytes], int] | None: ...
def read_jsonl(chunk: bytes, last: bool, longest: int, *, names: Sequence[str], has_label: bool) -> Records: ...
def read_lines(chunk: bytes, last: bool, longest: int, *, marked: bool, has_label: bool) -> Records: ...
