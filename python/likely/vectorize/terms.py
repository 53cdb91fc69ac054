"""Parameters as scikit-learn has them, and how a document becomes terms: in the kernel, or else in scikit-learn."""

# ruff: noqa: RUF009 - `parameter` makes a field

from __future__ import annotations

import contextlib
import difflib
import inspect
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, cast

import numpy as np

from likely import _native
from likely.arrow_data import listed
from likely.core.analyzer import thread_count
from likely.errors import OptionError, TextError
from likely.options.kinds import MOST_THREADS, Kind, is_finite, is_truth, is_whole, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    import numpy.typing as npt
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
    from sklearn.utils import Tags

    from likely.types import Documents

TOKEN_PATTERN = r"(?u)\b\w\w+\b"  # noqa: S105

Vocabulary: TypeAlias = Mapping[str, int] | Iterable[object] | None
Norm: TypeAlias = Literal["l1", "l2"] | None


def parameter(default: Any, kind: Kind | None = None) -> Any:
    """A field of a vectorizer. Without a kind, whoever uses the value checks it."""
    return field(default=default, metadata={"kind": kind})


def one_of(*choices: str | None, or_function: bool = False) -> Kind:
    """A few names, None if that is one of them, and functions if these are allowed too."""

    def is_allowed(value: object) -> bool:
        return (or_function and callable(value)) or ((value is None or isinstance(value, str)) and value in choices)

    return Kind(", ".join(map(repr, choices)) + (" or a function" if or_function else ""), is_allowed)


def _is_frequency(value: object) -> bool:
    return value >= 1 if is_whole(value) else is_finite(value) and 0 <= value <= 1


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(is_whole, value))


def _is_words(value: object) -> bool:
    return value is None or value == "english" or isinstance(value, list | tuple | set | frozenset)


def _is_pattern(value: object) -> bool:
    try:
        return value is None or (isinstance(value, str) and re.compile(value) is not None)
    except re.error:
        return False


def _is_terms(value: object) -> bool:
    return value is None or (isinstance(value, Iterable) and not isinstance(value, str))


TRUTH = Kind("True or False", is_truth)
FUNCTION = Kind("a function or None", lambda value: value is None or callable(value))
ENCODING = Kind("the name of an encoding", lambda value: isinstance(value, str))
WORDS = Kind("'english', a list of words or None", _is_words)
PATTERN = Kind("a regular expression that compiles, or None", _is_pattern)
PAIR = Kind("a pair of whole numbers such as (1, 2)", _is_pair)
FREQUENCY = Kind("a share from 0.0 to 1.0 or a number of texts from 1", _is_frequency)
TERMS = Kind("terms, a mapping of them to columns, or None", _is_terms)


class Parameterized:
    """The parameters of a dataclass, with scikit-learn's `get_params`, `set_params` and tags."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _requires_fit: ClassVar[bool] = True
    _ready: Any = None
    """What was made from the parameters; None once one of them changes."""

    def __new__(cls, *_: object, **params: object) -> Self:
        """A vectorizer, unless one of its parameters does not exist: the constructor would not say which is meant."""
        cls._check_names(params)
        return super().__new__(cls)

    @classmethod
    def _check_names(cls, given: Iterable[str]) -> None:
        known = cls._names()
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"its parameters are {', '.join(known)}"
                raise OptionError(f"{cls.__name__} has no parameter {name!r}: {hint}")

    @classmethod
    def _names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in self.__dataclass_fields__:
            self.__dict__["_ready"] = None

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The value of each parameter, by name; ``deep`` is accepted because scikit-learn passes it."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: object) -> Self:
        """Change some parameters. They are checked when they are used."""
        self._check_names(params)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def _check_params(self) -> None:
        for each in fields(self):
            kind, value = each.metadata["kind"], getattr(self, each.name)
            if kind is not None and not kind.check(value):
                raise OptionError(f"{each.name} is {value!r}: give {kind.allowed}")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        values = self.get_params().items()
        changed = [f"{name}={value!r}" for name, value in values if repr(value) != repr(defaults[name].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_ready": None}

    def __sklearn_tags__(self) -> Tags:
        # Only scikit-learn calls this, so it can be imported.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False, string=True),
            requires_fit=self._requires_fit,
        )


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
