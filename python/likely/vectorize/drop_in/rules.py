"""How a document becomes terms by scikit-learn's rules: decode, preprocess, tokenize, make n-grams."""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import OptionError, TextError
from likely.vectorize.drop_in.characters import STRIPPERS
from likely.vectorize.drop_in.ngrams import CharInWordNgrams, CharNgrams, WordNgrams
from likely.vectorize.drop_in.parameters import Parameterized

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN_PATTERN = r"(?u)\b\w\w+\b"  # noqa: S105


@dataclass(frozen=True)
class Steps:
    """Functions one after another, as an object, which unlike a closure can be pickled."""

    steps: tuple[Callable[[Any], Any], ...]

    def __call__(self, document: Any) -> Any:
        """What the last function makes of a document."""
        for step in self.steps:
            document = step(document)
        return document


@dataclass(frozen=True)
class Decoding:
    """A document to its text.

    It holds what it needs and no vectorizer, so that none is kept alive by its own parts.
    """

    input: str
    encoding: str
    decode_error: str

    def __call__(self, document: Any) -> Any:
        """The text of a document."""
        if self.input == "filename":
            document = Path(document).read_bytes()
        elif self.input == "file":
            document = document.read()
        if isinstance(document, bytes):
            return document.decode(self.encoding, self.decode_error)
        if isinstance(document, float) and math.isnan(document):
            raise TextError("np.nan is an invalid document, expected byte or unicode string.")
        return document


def _lower(text: str) -> str:
    return text.lower()


class Rules(Parameterized):
    """The parameters that decide which terms a document has, and what follows from them."""

    input: str
    encoding: str
    decode_error: str
    strip_accents: str | Callable[[str], str] | None
    lowercase: bool
    preprocessor: Callable[[Any], Any] | None
    tokenizer: Callable[[Any], Any] | None
    stop_words: Any
    token_pattern: str | None
    ngram_range: tuple[int, int]
    analyzer: str | Callable[[Any], Any]
    _stop_words_id: int

    def decode(self, doc: Any) -> Any:
        """The text of a document: of a file or its name if ``input`` says so, decoded if it is bytes.

        Parameters
        ----------
        doc : bytes, str, file or path
            As ``input`` says.
        """
        return Decoding(self.input, self.encoding, self.decode_error)(doc)

    def _decoding(self) -> Callable[[Any], Any]:
        if type(self).decode is not Rules.decode:
            return self.decode
        return Decoding(self.input, self.encoding, self.decode_error)

    def build_preprocessor(self) -> Callable[[Any], Any]:
        """The function that changes a text before it is tokenized."""
        if self.preprocessor is not None:
            return self.preprocessor
        strip: Any = self.strip_accents
        if strip and not callable(strip):
            if strip not in STRIPPERS:
                choices = ", ".join(map(repr, STRIPPERS))
                raise OptionError(f'Invalid value for "strip_accents": {strip}: give {choices}, None or a function')
            strip = STRIPPERS[strip]
        return Steps(((_lower,) if self.lowercase else ()) + ((strip,) if strip else ()))

    def build_tokenizer(self) -> Callable[[Any], Any]:
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

    def build_analyzer(self) -> Callable[[Any], Any]:
        """The function from a document to its terms, in order."""
        decode = self._decoding()
        if callable(self.analyzer):
            return Steps((decode, self.analyzer))
        preprocess = self.build_preprocessor()
        shortest, longest = self.ngram_range
        if self.analyzer == "char":
            return Steps((decode, preprocess, CharNgrams((shortest, longest))))
        if self.analyzer == "char_wb":
            return Steps((decode, preprocess, CharInWordNgrams((shortest, longest))))
        if self.analyzer == "word":
            stop_words, tokenize = self.get_stop_words(), self.build_tokenizer()
            self._check_stop_words_consistency(stop_words, preprocess, tokenize)
            return Steps((decode, preprocess, tokenize, WordNgrams((shortest, longest), stop_words)))
        raise OptionError(
            f"{self.analyzer} is not a valid tokenization scheme/analyzer: give 'word', 'char', 'char_wb' or a "
            "function"
        )

    def _check_stop_words_consistency(
        self, stop_words: Any, preprocess: Callable[[Any], Any], tokenize: Callable[[Any], Any]
    ) -> bool | str | None:
        """Warn, once a list, of stop words that become tokens which are none.

        False if there are such, None if it was checked before, "error" if a function could not take the words.
        """
        if id(self.stop_words) == self.__dict__.get("_stop_words_id"):
            return None
        self._stop_words_id = id(self.stop_words)
        try:
            tokens = {token for word in stop_words or () for token in tokenize(preprocess(word))}
        except Exception:  # functions of the user may expect anything else than words
            return "error"
        strange = sorted(tokens - set(stop_words or ()))
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
        """Warn of parameters that others make useless."""
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
        for message, is_so in unused.items():
            if is_so:
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
