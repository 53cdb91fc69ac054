"""The two ways from documents to rows: through the kernel, or through Python functions, with the same results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from likely import _native
from likely.analysis.analyzer import thread_count
from likely.errors import TextError
from likely.vectorize.drop_in.characters import alphabet
from likely.vectorize.drop_in.plain import PlainCounted, PlainLexicon, plain_hash_rows
from likely.vectorize.drop_in.rules import Decoding, Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt

    from likely.vectorize.drop_in.sparse import Parts

_TOKENS = re.compile(r"(?:\(\?u\))?(?:\\b)?(?P<each>(?:\\w)+)\+(?:\\b)?")
"""The token patterns that the kernel knows: runs of so many word characters or more."""

_METHODS = ("decode", "build_preprocessor", "build_tokenizer", "get_stop_words", "build_analyzer")
"""What a subclass may have changed, so that only Python knows what its terms are."""


class Lexicon(Protocol):
    """Terms that have columns."""

    def __len__(self) -> int: ...

    def terms(self) -> list[Any]:
        """The terms in the order of their columns."""


class Counted(Protocol):
    """The counts of some documents, before it is decided which columns to keep."""

    def columns(self) -> int:
        """How many columns there are."""

    def documents(self) -> npt.NDArray[np.int64]:
        """In how many documents the term of each column occurs."""

    def totals(self) -> npt.NDArray[np.int64]:
        """How often the term of each column occurs."""

    def __len__(self) -> int:
        """How many documents were counted."""

    def take_rows(self, binary: bool, floats: bool) -> tuple[Parts, Any]:
        """The matrix and its terms; can be asked for once."""

    def take_lexicon(self) -> Any:
        """The terms without the matrix; can be asked for once."""


@dataclass(frozen=True, eq=False)
class Spelled:
    """Terms one after another, and where each ends: how a lexicon is pickled."""

    text: bytes
    ends: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    def terms(self) -> list[str]:
        """The terms in the order of their columns."""
        starts = [0, *self.ends[:-1].tolist()]
        pairs = zip(starts, self.ends.tolist(), strict=True)
        return [self.text[start:end].decode("utf-8", "surrogatepass") for start, end in pairs]


@dataclass(frozen=True)
class NativeRoute:
    """Through the kernel."""

    pattern: _native.Pattern
    key: object
    """Equal for two routes if a lexicon of one is one of the other."""
    decode: Callable[[Any], Any]
    reads_files: bool
    threads: int

    def _texts(self, documents: Any) -> Any:
        if self.reads_files:
            return map(self.decode, documents)
        # The kernel refuses what has no order; scikit-learn takes it as it comes.
        return list(documents) if isinstance(documents, set | frozenset | dict) else documents

    def count(self, documents: Any) -> Counted:
        """Count the terms of documents."""
        return _native.count_terms(self.pattern, self._texts(documents), self.decode, self.threads)

    def select(self, counted: Any, keep: npt.NDArray[np.bool_]) -> None:
        """Leave only some columns."""
        counted.select(self.pattern, keep)

    def adopt(self, lexicon: Lexicon) -> Lexicon:
        """The same terms for this route."""
        if isinstance(lexicon, Spelled):
            return _native.Lexicon.from_spelled(self.pattern, lexicon.text, lexicon.ends)
        return _native.Lexicon(self.pattern, lexicon.terms())

    def rows(self, lexicon: Any, documents: Any, binary: bool, floats: bool) -> Parts:
        """Documents as rows of known terms."""
        # A single text takes microseconds, in which a list of it needs no further questions.
        texts = documents if type(documents) is list and not self.reads_files else self._texts(documents)
        parts: Parts = lexicon.rows(self.pattern, texts, self.decode, binary, floats, self.threads)
        return parts

    def hash_rows(self, documents: Any, columns: int, signed: bool, binary: bool) -> Parts:
        """Documents as rows of hashed terms."""
        texts = self._texts(documents)
        return _native.hash_rows(self.pattern, texts, self.decode, columns, signed, binary, self.threads)


@dataclass(frozen=True)
class PlainRoute:
    """Through Python functions, one document at a time."""

    analyze: Callable[[Any], Iterable[Any]]
    key: object = "plain"

    def _terms(self, documents: Any) -> Iterable[Iterable[Any]]:
        if hasattr(documents, "to_pylist"):  # what is in Arrow's arrays is no str
            documents = documents.to_pylist()
        return map(self.analyze, documents)

    def count(self, documents: Any) -> Counted:
        """Count the terms of documents."""
        return PlainCounted.of(self._terms(documents))

    def select(self, counted: Any, keep: npt.NDArray[np.bool_]) -> None:
        """Leave only some columns."""
        counted.select(keep)

    def adopt(self, lexicon: Lexicon) -> Lexicon:
        """The same terms for this route."""
        return PlainLexicon(lexicon.terms())

    def rows(self, lexicon: Any, documents: Any, binary: bool, floats: bool) -> Parts:
        """Documents as rows of known terms."""
        parts: Parts = lexicon.rows(self._terms(documents), binary, floats)
        return parts

    def hash_rows(self, documents: Any, columns: int, signed: bool, binary: bool) -> Parts:
        """Documents as rows of hashed terms."""
        return plain_hash_rows(self._terms(documents), columns, signed, binary)


Route = NativeRoute | PlainRoute


def route_of(rules: Rules, threads: int | None) -> Route:
    """The fastest way that gives the terms of these rules."""
    analyze = rules.build_analyzer()
    if not is_native(rules):
        return PlainRoute(analyze)
    found = _TOKENS.fullmatch(rules.token_pattern or "")
    strip = rules.strip_accents if isinstance(rules.strip_accents, str) else None
    stop_words = rules.get_stop_words() if rules.analyzer == "word" else None
    lowercase, longest = bool(rules.lowercase), int(rules.ngram_range[1])
    decode = Decoding(rules.input, rules.encoding, rules.decode_error)
    key = stop_words, rules.analyzer == "word" and longest > 1
    pattern = _native.Pattern(
        str(rules.analyzer),
        found["each"].count("w") if found else 0,
        (int(rules.ngram_range[0]), longest),
        lowercase,
        [
            word.encode("utf-8", "surrogatepass")
            for word in sorted(stop_words or (), key=str)
            if isinstance(word, str)
        ],
        lambda: alphabet(lowercase, strip or None),
    )
    return NativeRoute(pattern, key, decode, rules.input != "content", thread_count(threads))


def is_native(rules: Rules) -> bool:
    """Whether the kernel knows these rules: no functions, a usual pattern, nothing changed by a subclass."""
    functions = rules.preprocessor, rules.tokenizer, *filter(callable, (rules.analyzer, rules.strip_accents))
    if any(function is not None for function in functions) or rules.ngram_range[0] < 1:
        return False
    if any(getattr(type(rules), name) is not getattr(Rules, name) for name in _METHODS):
        return False
    return rules.analyzer != "word" or _TOKENS.fullmatch(rules.token_pattern or "") is not None


def refuse_single_text(documents: Any) -> None:
    """Raise for one text where many are expected."""
    if isinstance(documents, str):
        raise TextError("Iterable over raw text documents expected, string object received.")
