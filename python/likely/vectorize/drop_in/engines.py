"""The two ways from documents to rows, with the same results: the kernel, and Python functions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from likely import _native
from likely.arrow_data import listed
from likely.core.analyzer import thread_count
from likely.errors import TextError
from likely.vectorize.drop_in.characters import alphabet
from likely.vectorize.drop_in.python_counting import PythonCounted, PythonLexicon, python_hash_rows
from likely.vectorize.drop_in.term_rules import Decoding, TermRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt

    from likely.types import Documents, Mask
    from likely.vectorize.drop_in.sparse import Parts

_TOKENS = re.compile(r"(?:\(\?u\))?(?:\\b)?(?P<each>(?:\\w)+)\+(?:\\b)?")
"""The token patterns that the kernel knows: runs of word characters, each at least of a given length."""

_METHODS = ("decode", "build_preprocessor", "build_tokenizer", "get_stop_words", "build_analyzer")
"""The methods by which a subclass can change the terms; the kernel does not know what it changed."""


class Lexicon(Protocol):
    """Terms and their columns."""

    def __len__(self) -> int:
        """The number of terms."""

    def terms(self) -> list[str]:
        """The terms in the order of their columns."""


class Counted(Protocol):
    """The counts of some documents, before it is decided which columns are kept."""

    def columns(self) -> int:
        """The number of columns."""

    def documents(self) -> npt.NDArray[np.int64]:
        """The number of documents that the term of each column occurs in."""

    def totals(self) -> npt.NDArray[np.int64]:
        """The number of occurrences of the term of each column."""

    def __len__(self) -> int:
        """The number of documents that were counted."""

    def take_rows(self, binary: bool, floats: bool) -> tuple[Parts, Lexicon]:
        """The matrix and its terms; can be called once."""

    def take_lexicon(self) -> Lexicon:
        """The terms without the matrix; can be called once."""


@dataclass(frozen=True, eq=False)
class PickledLexicon:
    """Terms one after another in one piece of bytes, and where each ends: how a lexicon is pickled."""

    text: bytes
    ends: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.ends)

    def terms(self) -> list[str]:
        """The terms in the order of their columns."""
        starts = [0, *self.ends[:-1].tolist()]
        pairs = zip(starts, self.ends.tolist(), strict=True)
        return [self.text[start:end].decode("utf-8", "surrogatepass") for start, end in pairs]


@dataclass(frozen=True)
class NativeEngine:
    """Counts with the kernel."""

    pattern: _native.Pattern
    key: object
    """Two engines with equal keys can use the same lexicon."""
    decode: Callable[[object], str]
    reads_files: bool
    threads: int

    def _texts(self, documents: Documents) -> Documents:
        if self.reads_files:
            return map(self.decode, cast("Iterable[object]", documents))
        # The kernel refuses a container without an order; scikit-learn reads it in any order.
        return list(documents) if isinstance(documents, set | frozenset | dict) else documents

    def count(self, documents: Documents) -> Counted:
        """Count the terms of documents."""
        return _native.count_terms(self.pattern, self._texts(documents), self.decode, self.threads)

    def select(self, counted: Counted, keep: Mask) -> None:
        """Keep only some columns of what this engine counted."""
        cast("_native.Counted", counted).select(self.pattern, keep)

    def adopt(self, lexicon: Lexicon) -> Lexicon:
        """A lexicon of the same terms that this engine can use."""
        if isinstance(lexicon, PickledLexicon):
            return _native.Lexicon.from_spelled(self.pattern, lexicon.text, lexicon.ends)
        return _native.Lexicon(self.pattern, lexicon.terms())

    def extend(self, lexicon: Lexicon, counted: Counted) -> npt.NDArray[np.int64]:
        """Add new terms to a lexicon of this engine; returns the column of every term that was counted."""
        return cast("_native.Lexicon", lexicon).extend(cast("_native.Counted", counted))

    def rows(self, lexicon: Lexicon, documents: Documents, binary: bool, floats: bool) -> Parts:
        """One row per document, with the counts of the terms of a lexicon of this engine."""
        # One text takes microseconds, so the usual case, a list, is decided here and at once.
        texts = documents if type(documents) is list and not self.reads_files else self._texts(documents)
        native: _native.Lexicon = lexicon  # type: ignore[assignment]
        return native.rows(self.pattern, texts, self.decode, binary, floats, self.threads)

    def hash_rows(self, documents: Documents, columns: int, signed: bool, binary: bool) -> Parts:
        """One row of hashed terms per document."""
        texts = self._texts(documents)
        return _native.Hashing(columns, signed).rows(self.pattern, texts, self.decode, binary, self.threads)


@dataclass(frozen=True)
class PythonEngine:
    """Counts with Python functions, one document at a time."""

    analyze: Callable[[object], Iterable[str]]
    key: object = "python"

    def _terms(self, documents: Documents) -> Iterable[Iterable[str]]:
        # The elements of an Arrow array are not of type str.
        found = listed(documents, "the documents", TextError) if hasattr(documents, "to_pylist") else None
        return map(self.analyze, cast("Iterable[object]", documents if found is None else found))

    def count(self, documents: Documents) -> Counted:
        """Count the terms of documents."""
        return PythonCounted.of(self._terms(documents))

    def select(self, counted: Counted, keep: Mask) -> None:
        """Keep only some columns of what this engine counted."""
        cast("PythonCounted", counted).select(keep)

    def adopt(self, lexicon: Lexicon) -> Lexicon:
        """A lexicon of the same terms that this engine can use."""
        return PythonLexicon(lexicon.terms())

    def extend(self, lexicon: Lexicon, counted: Counted) -> npt.NDArray[np.int64]:
        """Add new terms to a lexicon of this engine; returns the column of every term that was counted."""
        return cast("PythonLexicon", lexicon).extend(cast("PythonCounted", counted))

    def rows(self, lexicon: Lexicon, documents: Documents, binary: bool, floats: bool) -> Parts:
        """One row per document, with the counts of the terms of a lexicon of this engine."""
        return cast("PythonLexicon", lexicon).rows(self._terms(documents), binary, floats)

    def hash_rows(self, documents: Documents, columns: int, signed: bool, binary: bool) -> Parts:
        """One row of hashed terms per document."""
        return python_hash_rows(self._terms(documents), columns, signed, binary)


Engine = NativeEngine | PythonEngine


def engine_for(rules: TermRules, threads: int | None) -> Engine:
    """The fastest engine that finds the terms of these rules."""
    analyze = rules.build_analyzer()
    if not is_native(rules):
        return PythonEngine(analyze)
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
    return NativeEngine(pattern, key, decode, rules.input != "content", thread_count(threads))


def is_native(rules: TermRules) -> bool:
    """Whether the kernel knows these rules: no functions, a usual pattern, nothing changed by a subclass."""
    functions = rules.preprocessor, rules.tokenizer, *filter(callable, (rules.analyzer, rules.strip_accents))
    if any(function is not None for function in functions) or rules.ngram_range[0] < 1:
        return False
    if any(getattr(type(rules), name) is not getattr(TermRules, name) for name in _METHODS):
        return False
    return rules.analyzer != "word" or _TOKENS.fullmatch(rules.token_pattern or "") is not None


def refuse_single_text(documents: object) -> None:
    """Raise ``TextError`` for one text where many are expected."""
    if isinstance(documents, str):
        raise TextError("Iterable over raw text documents expected, string object received.")
