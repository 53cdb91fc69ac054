"""How a document becomes terms by scikit-learn's rules: in the kernel, or in scikit-learn if the kernel cannot."""

# ruff: noqa: RUF009 - `parameter` makes a field

from __future__ import annotations

import contextlib
import math
import re
import unicodedata
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar, Literal, cast

import numpy as np

from likely import _native
from likely.arrow_data import listed
from likely.core.analyzer import thread_count
from likely.errors import OptionError, TextError
from likely.options.kinds import MOST_THREADS, whole
from likely.vectorize.parameters import (
    ENCODING,
    FUNCTION,
    PAIR,
    PATTERN,
    TOKEN_PATTERN,
    TRUTH,
    WORDS,
    Parameterized,
    one_of,
    parameter,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    import numpy.typing as npt
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

    from likely.types import Documents

_RUNS = re.compile(r"(?:\(\?u\))?(?:\\b)?(?P<each>(?:\\w)+)\+(?:\\b)?")
"""The token patterns that the kernel knows: runs of word characters, each at least of a given length."""

_STEPS = ("decode", "build_preprocessor", "build_tokenizer", "get_stop_words", "build_analyzer")
"""The methods by which a subclass can change the terms; the kernel does not know what it changed."""

FIRST, END = 0x80, 0x110000
"""The code points beyond ASCII, which is the same in every version of Unicode."""
BLOCK = 256


@dataclass(frozen=True)
class Decoding:
    """A document to its text.

    It holds the three parameters that it needs and not the vectorizer, because a vectorizer that its own parts refer
    to would be freed late.
    """

    input: str
    encoding: str
    decode_error: str

    def __call__(self, document: object) -> str:
        """The text of a document. What is neither text nor bytes is returned as it is, for the kernel to refuse."""
        if self.input == "filename":
            document = Path(cast("str", document)).read_bytes()
        elif self.input == "file":
            document = cast("IO[bytes]", document).read()
        if isinstance(document, bytes):
            return document.decode(self.encoding, self.decode_error)
        if isinstance(document, float) and math.isnan(document):
            raise TextError("np.nan is an invalid document, expected byte or unicode string.")
        return cast("str", document)


@dataclass(frozen=True)
class Kernel:
    """The kernel with some parameters."""

    pattern: _native.Pattern
    key: object
    """With equal keys, the same lexicon can be used."""
    decode: Callable[[object], str]
    reads_files: bool
    threads: int

    def texts(self, documents: Documents) -> Documents:
        """The documents as the kernel takes them."""
        if self.reads_files:
            return map(self.decode, cast("Iterable[object]", documents))
        # The kernel refuses a container without an order; scikit-learn reads it in any order.
        return list(documents) if isinstance(documents, set | frozenset | dict) else documents


@dataclass(kw_only=True, eq=False, repr=False)
class TermVectorizer(Parameterized):
    """The parameters that decide which terms a document has, and who finds them."""

    _theirs: ClassVar[str]
    """The class of scikit-learn that does what the kernel cannot."""
    input: Literal["content", "filename", "file"] = parameter("content", one_of("content", "filename", "file"))
    encoding: str = parameter("utf-8", ENCODING)
    decode_error: Literal["strict", "ignore", "replace"] = parameter("strict", one_of("strict", "ignore", "replace"))
    strip_accents: Literal["ascii", "unicode"] | Callable[[str], str] | None = parameter(
        None, one_of("ascii", "unicode", None, or_function=True)
    )
    lowercase: bool = parameter(True, TRUTH)
    preprocessor: Callable[..., object] | None = parameter(None, FUNCTION)
    tokenizer: Callable[..., Iterable[object]] | None = parameter(None, FUNCTION)
    stop_words: Literal["english"] | Collection[str] | None = parameter(None, WORDS)
    token_pattern: str | None = parameter(TOKEN_PATTERN, PATTERN)
    ngram_range: tuple[int, int] = parameter((1, 1), PAIR)
    analyzer: Literal["word", "char", "char_wb"] | Callable[..., Iterable[object]] = parameter(
        "word", one_of("word", "char", "char_wb", or_function=True)
    )
    binary: bool = parameter(False, TRUTH)
    dtype: npt.DTypeLike = parameter(np.float64)
    threads: int | None = parameter(None, whole(1, MOST_THREADS, none="one thread per processor"))

    def decode(self, doc: object) -> str:
        """The text of a document: ``input`` says whether it is a text, a file or the name of one; bytes are decoded.

        Parameters
        ----------
        doc : bytes, str, file or path
            As ``input`` says.
        """
        return Decoding(self.input, self.encoding, self.decode_error)(doc)

    def build_preprocessor(self) -> Callable[[str], object]:
        """The function that changes a text before it is cut into tokens, made by scikit-learn."""
        return cast("Callable[[str], object]", self._ask("build_preprocessor"))

    def build_tokenizer(self) -> Callable[[str], Iterable[object]]:
        """The function that cuts a text into tokens, made by scikit-learn."""
        return cast("Callable[[str], Iterable[object]]", self._ask("build_tokenizer"))

    def build_analyzer(self) -> Callable[[object], Iterable[str]]:
        """The function that returns the terms of a document, in order, made by scikit-learn."""
        return cast("Callable[[object], Iterable[str]]", self._ask("build_analyzer"))

    def get_stop_words(self) -> frozenset[str] | None:
        """The words that are left out, or None."""
        if isinstance(self.stop_words, str):
            return cast("frozenset[str]", self._ask("get_stop_words"))
        return None if self.stop_words is None else frozenset(self.stop_words)

    def _check_stop_words_consistency(self, *parts: object) -> object:
        # scikit-learn notes in the object which list it has checked: once is enough.
        return getattr(_scikit_learn(), self._theirs)._check_stop_words_consistency(self, *parts)

    def _ask(self, method: str) -> object:
        """What a method of scikit-learn's vectorizer returns, whatever a subclass of ours overrides."""
        theirs = self._scikit_learn()
        return getattr(type(theirs), method)(theirs)

    def _scikit_learn(self) -> CountVectorizer | HashingVectorizer:
        """scikit-learn's vectorizer with the same parameters, and with the steps that a subclass overrides."""
        theirs = getattr(_scikit_learn(), self._theirs)()
        shared = theirs.get_params().keys() & {each.name for each in fields(self)}
        theirs.set_params(**{name: getattr(self, name) for name in shared})
        for step in ("_check_stop_words_consistency", *filter(self._overrides, _STEPS)):
            setattr(theirs, step, getattr(self, step))
        return cast("CountVectorizer | HashingVectorizer", theirs)

    def _overrides(self, step: str) -> bool:
        return getattr(type(self), step) is not getattr(TermVectorizer, step)

    def _check(self) -> None:
        """Raise ``OptionError`` if a parameter is not allowed."""
        self._check_params()
        shortest, longest = self.ngram_range
        if shortest > longest:
            raise OptionError(
                f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the upper boundary."
            )

    def _kernel(self) -> Kernel | None:
        """The kernel with these parameters; None if scikit-learn has to do it."""
        if not self._is_native():
            return None
        stop_words = self.get_stop_words()
        if stop_words is not None:
            with contextlib.suppress(OptionError):
                self.build_analyzer()  # scikit-learn, if there is one, warns of odd stop words
        found = _RUNS.fullmatch(self.token_pattern or "")
        strip = self.strip_accents if isinstance(self.strip_accents, str) else None
        lowercase, longest = bool(self.lowercase), int(self.ngram_range[1])
        words = [word for word in stop_words or () if isinstance(word, str)]
        pattern = _native.Pattern(
            str(self.analyzer),
            found["each"].count("w") if found else 0,
            (int(self.ngram_range[0]), longest),
            lowercase,
            [word.encode("utf-8", "surrogatepass") for word in sorted(words)],
            lambda: alphabet(lowercase, strip),
        )
        key = stop_words, self.analyzer == "word" and longest > 1
        decode = Decoding(self.input, self.encoding, self.decode_error)
        return Kernel(pattern, key, decode, self.input != "content", thread_count(self.threads))

    def _is_native(self) -> bool:
        """Whether the kernel knows these parameters: no functions, a usual pattern, nothing to warn of."""
        functions = self.preprocessor, self.tokenizer, *filter(callable, (self.analyzer, self.strip_accents))
        if any(function is not None for function in functions) or self.ngram_range[0] < 1:
            return False
        if any(map(self._overrides, _STEPS)):
            return False
        if self.analyzer == "word":
            return _RUNS.fullmatch(self.token_pattern or "") is not None
        return self.stop_words is None and self.token_pattern in (None, TOKEN_PATTERN)


def _scikit_learn() -> object:
    try:
        import sklearn.feature_extraction.text
    except ImportError:
        raise OptionError(
            "these parameters need scikit-learn, which is not installed: install scikit-learn, or give a list of "
            "words as stop_words, no functions, and a token_pattern such as '\\w+'"
        ) from None
    return sklearn.feature_extraction.text


def refuse_single_text(documents: object) -> None:
    """Raise ``TextError`` for one text where many are expected."""
    if isinstance(documents, str):
        raise TextError("Iterable over raw text documents expected, string object received.")


def for_scikit_learn(documents: Documents) -> Documents:
    """The documents as scikit-learn takes them: the elements of an Arrow array are not of type str."""
    found = listed(documents, "the documents", TextError) if hasattr(documents, "to_pylist") else None
    return documents if found is None else cast("Documents", found)


def without_accents(text: str) -> str:
    """The text, decomposed (NFKD) and without combining marks."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def only_ascii(text: str) -> str:
    """The text, decomposed (NFKD) and without all characters that are not ASCII."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


STRIPPERS: dict[str, Callable[[str], str]] = {"ascii": only_ascii, "unicode": without_accents}
"""The functions that ``strip_accents`` can name. Both treat every character without regard to its neighbours."""


@cache
def alphabet(lowercase: bool, strip_accents: str | None) -> _native.Alphabet:
    """What the running Python knows of characters, for the kernel. Making it takes hundredths of a second."""
    everything = np.arange(FIRST, END, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    strip = STRIPPERS[strip_accents] if strip_accents else str
    fold = (lambda text: strip(text.lower())) if lowercase else strip
    return _native.Alphabet(ranges(r"\w+", everything), ranges(r"\s+", everything), list(changed(fold, everything)))


def ranges(pattern: str, everything: str) -> list[tuple[int, int]]:
    """The ranges of code points that match a pattern: the first, and one after the last, of each."""
    return [(found.start() + FIRST, found.end() + FIRST) for found in re.finditer(pattern, everything)]


def changed(fold: Callable[[str], str], everything: str) -> Iterator[tuple[int, bytes]]:
    """The code points that a function changes, and what each becomes, in UTF-8."""
    for start in range(0, len(everything), BLOCK):
        block = everything[start : start + BLOCK]
        if fold(block) == block:
            continue
        for character in block:
            if (folded := fold(character)) != character:
                yield ord(character), folded.encode("utf-8", "surrogatepass")
