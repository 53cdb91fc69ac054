"""How a document becomes terms by scikit-learn's rules: decode, preprocess, cut into tokens, make n-grams."""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Generic, TypeVar, cast

from likely.errors import OptionError, TextError
from likely.vectorize.drop_in.characters import STRIPPERS
from likely.vectorize.drop_in.ngrams import CharInWordNgrams, CharNgrams, WordNgrams
from likely.vectorize.drop_in.parameterized import Parameterized
from likely.vectorize.drop_in.parameters import TOKEN_PATTERN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.vectorize.drop_in.parameters import (
        DecodeError,
        Input,
        Preprocessor,
        StopWords,
        StripAccents,
        Tokenizer,
        Unit,
    )

Result = TypeVar("Result")


@dataclass(frozen=True)
class Steps(Generic[Result]):
    """Functions that are called one after another. It is an object because a closure cannot be pickled."""

    first: tuple[Callable[..., object], ...]
    last: Callable[..., Result]

    def __call__(self, document: object) -> Result:
        """What the last function returns for a document."""
        for step in self.first:
            document = step(document)
        return self.last(document)


@dataclass(frozen=True)
class Decoding:
    """A document to its text.

    It holds the three parameters that it needs and not the vectorizer, because a vectorizer that its own parts refer
    to would be freed late.
    """

    input: Input
    encoding: str
    decode_error: DecodeError

    def __call__(self, document: object) -> str:
        """The text of a document. What is neither text nor bytes is returned as it is, for functions of the user."""
        if self.input == "filename":
            document = Path(cast("str", document)).read_bytes()
        elif self.input == "file":
            document = cast("IO[bytes]", document).read()
        if isinstance(document, bytes):
            return document.decode(self.encoding, self.decode_error)
        if isinstance(document, float) and math.isnan(document):
            raise TextError("np.nan is an invalid document, expected byte or unicode string.")
        return cast("str", document)


def _lower(text: str) -> str:
    return text.lower()


def _unchanged(text: str) -> str:
    return text


class TermRules(Parameterized):
    """The parameters that decide which terms a document has, and the functions that follow from them."""

    input: Input
    encoding: str
    decode_error: DecodeError
    strip_accents: StripAccents
    lowercase: bool
    preprocessor: Preprocessor
    tokenizer: Tokenizer
    stop_words: StopWords
    token_pattern: str | None
    ngram_range: tuple[int, int]
    analyzer: Unit
    _stop_words_id: int

    def decode(self, doc: object) -> str:
        """The text of a document: ``input`` says whether it is a text, a file or the name of one; bytes are decoded.

        Parameters
        ----------
        doc : bytes, str, file or path
            As ``input`` says.
        """
        return Decoding(self.input, self.encoding, self.decode_error)(doc)

    def _decoding(self) -> Callable[[object], str]:
        if type(self).decode is not TermRules.decode:
            return self.decode
        return Decoding(self.input, self.encoding, self.decode_error)

    def build_preprocessor(self) -> Callable[[str], object]:
        """The function that changes a text before it is cut into tokens."""
        if self.preprocessor is not None:
            return self.preprocessor
        strip = self.strip_accents
        if strip and not callable(strip):
            if strip not in STRIPPERS:
                choices = ", ".join(map(repr, STRIPPERS))
                raise OptionError(f'Invalid value for "strip_accents": {strip}: give {choices}, None or a function')
            strip = STRIPPERS[strip]
        return Steps((_lower,) if self.lowercase else (), strip or _unchanged)

    def build_tokenizer(self) -> Callable[[str], Iterable[object]]:
        """The function that cuts a text into tokens."""
        if self.tokenizer is not None:
            return self.tokenizer
        if self.token_pattern is None:
            raise OptionError("token_pattern is None: give a regular expression, or a tokenizer")
        try:
            pattern = re.compile(self.token_pattern)
        except re.error as error:
            raise OptionError(f"token_pattern is {self.token_pattern!r}, which does not compile: {error}") from None
        if pattern.groups > 1:
            raise OptionError(
                "More than 1 capturing group in token pattern. Only a single group should be captured: "
                "write the others as (?:...)"
            )
        return pattern.findall

    def get_stop_words(self) -> frozenset[str] | None:
        """The words that are left out, or None."""
        if self.stop_words is None:
            return None
        if isinstance(self.stop_words, str):
            return _named_stop_words(self.stop_words)
        return frozenset(self.stop_words)

    def build_analyzer(self) -> Callable[[object], Iterable[str]]:
        """The function that returns the terms of a document, in order."""
        decode = self._decoding()
        if callable(self.analyzer):
            # The terms of a function of the user may be anything that can be hashed; they are mostly strings.
            return Steps((decode,), cast("Callable[[str], Iterable[str]]", self.analyzer))
        preprocess = self.build_preprocessor()
        shortest, longest = self.ngram_range
        if self.analyzer == "char":
            return Steps((decode, preprocess), CharNgrams((shortest, longest)))
        if self.analyzer == "char_wb":
            return Steps((decode, preprocess), CharInWordNgrams((shortest, longest)))
        if self.analyzer == "word":
            stop_words, tokenize = self.get_stop_words(), self.build_tokenizer()
            self._check_stop_words_consistency(stop_words, preprocess, tokenize)
            return Steps((decode, preprocess, tokenize), WordNgrams((shortest, longest), stop_words))
        raise OptionError(
            f"{self.analyzer} is not a valid tokenization scheme/analyzer: give 'word', 'char', 'char_wb' or a "
            "function"
        )

    def _check_stop_words_consistency(
        self,
        stop_words: Iterable[str] | None,
        preprocess: Callable[..., object],
        tokenize: Callable[..., Iterable[object]],
    ) -> bool | str | None:
        """Warn, once per list, if a stop word is cut into tokens that are not stop words.

        The result, which scikit-learn's callers expect: False if there are such words, None if the list was checked
        before, "error" if a function could not take the words, and else True.
        """
        if id(self.stop_words) == self.__dict__.get("_stop_words_id"):
            return None
        self._stop_words_id = id(self.stop_words)
        try:
            tokens = {token for word in stop_words or () for token in tokenize(preprocess(word))}
        except Exception:  # a function of the user may expect something else than words
            return "error"
        strange = sorted(cast("set[str]", tokens) - set(stop_words or ()))
        if strange:
            warnings.warn(
                "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop words generated "
                f"tokens {strange} not in stop_words.",
                stacklevel=2,
            )
        return not strange

    def _check_ngram_range(self) -> None:
        shortest, longest = self.ngram_range
        if shortest > longest:
            raise OptionError(
                f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the upper boundary."
            )

    def _warn_of_unused(self) -> None:
        """Warn of parameters that have no effect because of others."""
        called, in_words = callable(self.analyzer), self.analyzer == "word"
        unused = {
            "'token_pattern' will not be used since 'tokenizer' is not None'": (
                self.tokenizer is not None and self.token_pattern is not None
            ),
            "'preprocessor' will not be used since 'analyzer' is callable'": called and self.preprocessor is not None,
            "'ngram_range' will not be used since 'analyzer' is callable'": called
            and tuple(self.ngram_range) != (1, 1),
            "'stop_words' will not be used since 'analyzer' != 'word'": not in_words and self.stop_words is not None,
            "'token_pattern' will not be used since 'analyzer' != 'word'": (
                not in_words and self.token_pattern not in (None, TOKEN_PATTERN)
            ),
            "'tokenizer' will not be used since 'analyzer' != 'word'": not in_words and self.tokenizer is not None,
        }
        for message, is_unused in unused.items():
            if is_unused:
                warnings.warn(f"The parameter {message}", stacklevel=4)


def _named_stop_words(name: str) -> frozenset[str]:
    if name != "english":
        raise OptionError(f"not a built-in stop list: {name}: give 'english', a list of words, or None")
    try:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
    except ImportError:
        raise OptionError(
            "stop_words='english' is scikit-learn's list, which is not installed: install scikit-learn, or give a "
            "list of words; max_df leaves out frequent words of any language"
        ) from None
    return frozenset(ENGLISH_STOP_WORDS)
