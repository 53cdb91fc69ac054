"""Texts to terms: `Analyzer`, which says how, and `analyze`, which shows the terms of one text."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.analysis.custom_tokenizer import CustomTokenizer
from likely.analysis.stop_words import check_single, kept_negators, negator_list, stop_word_list
from likely.errors import TextError
from likely.options.conflicts import check_cut
from likely.options.kinds import STEM_LANGUAGES
from likely.options.table import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Unpack

    from likely.options.typed import AnalysisOptions
    from likely.types import Texts


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a text, with its place in the text.

    Attributes
    ----------
    term : str
        The term as it is counted. The words of an n-gram are joined by a space, which no word contains.
    start, end : int
        The place in the text, in characters: ``text[start:end]``.
    start_byte, end_byte : int
        The same place in bytes of UTF-8.
    """

    term: str
    start: int
    end: int
    start_byte: int
    end_byte: int


def analyze(text: str, **options: Unpack[AnalysisOptions]) -> list[Term]:
    """The terms of a text with their places, ordered by where they end (n-grams of characters come after words).

    Parameters
    ----------
    text : str
        Any text.
    **options
        The options that decide the terms of a text, as for `NaiveBayes`: ``analyzer``, ``ngrams``, ``stem`` ...

    Examples
    --------
    >>> [t.term for t in analyze("Don't panic!", ngrams=(1, 2))]
    ["don't", 'panic', "don't panic"]
    >>> analyze("Ça va?")[1]
    Term(term='va', start=3, end=5, start_byte=4, end_byte=6)
    >>> [t.term for t in analyze("Not running :-)", stem="english", negation="on", punctuation="keep")]
    ['not', 'NOT_run', ':-)']
    """
    values = with_defaults(options, ANALYZE_OPTIONS)
    check_cut(values)
    return Analyzer.of(values).terms(text)


@dataclass(frozen=True)
class Analyzer:
    """How texts become terms, and the value of a term in a document. Equal analyzers count every text alike.

    The fields are the options of the same names; lists of words are in place of the names of lists.

    Examples
    --------
    >>> Analyzer.of(with_defaults({"ngrams": (1, 2)})).terms("New York")[2].term
    'new york'
    """

    analyzer: str
    ngrams: tuple[int, int]
    char_ngrams: tuple[int, int]
    lowercase: bool
    accents: str
    normalize: str
    punctuation: str
    numbers: str
    urls: str
    emails: str
    mentions: str
    hashtags: str
    stop_words: tuple[str, ...]
    stem: str
    negation: tuple[str, ...]
    hash_bits: int
    tokenizer: Callable[[str], Iterable[str]] | None
    value: str = "count"
    """The value of a term in a document: its occurrences ("count"), 1 ("presence") or 1 + log tf ("damped")."""
    lengths: str | None = None
    """The kind of idf with which documents are scaled to unit length while they are counted; None if they are not."""
    equal: bool = False
    """Whether all documents weigh the same: the values of their terms are divided by the length of the document."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Analyzer:
        """The analyzer for options that have been checked."""
        values = {name: options[name] for name in ANALYZE_OPTIONS}
        values["ngrams"], values["char_ngrams"] = (tuple(map(int, values[n])) for n in ("ngrams", "char_ngrams"))
        values["lowercase"], values["hash_bits"] = bool(values["lowercase"]), int(values["hash_bits"])
        values["stem"] = STEM_LANGUAGES.get(values["stem"], values["stem"])
        values["negation"] = negator_list(values["negation"])
        values["stop_words"] = stop_word_list(values["stop_words"])
        value, lengths, equal = counted_as(options)
        analyzer = cls(**values, value=value, lengths=lengths, equal=equal)
        analyzer.check_lists()
        return analyzer

    def check_lists(self) -> None:
        """Raise ``OptionError`` for a stop word or negator that is not a single word: it could never match."""
        if self.tokenizer is None and (self.stop_words or self.negation):
            bare = Analyzer(**{**self.fields(), "stop_words": (), "negation": ()})
            for option, words in (("stop_words", self.stop_words), ("negation", self.negation)):
                check_single(option, words, lambda word: len(bare.native.trace(word)))

    def fields(self) -> dict[str, Any]:
        """The fields by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __str__(self) -> str:
        shortest, longest = self.ngrams
        length = f"{shortest}" if shortest == longest else f"{shortest} to {longest}"
        case = "lower-cased" if self.lowercase else "as written"
        usual = Analyzer.of(with_defaults({}))
        shown = ("analyzer", "ngrams", "lowercase")
        more = [f"{name}={_short(value)}" for name, value in self.fields().items() if value != getattr(usual, name)]
        more = [each for each in more if each.split("=")[0] not in shown]
        unit = {"char_wb": "char within words", "both": "word and char"}.get(self.analyzer, self.analyzer)
        return ", ".join([f"terms of {length} {unit}{'s' if longest > 1 else ''}", case, *more])

    @property
    def shortest(self) -> int:
        """The number of words or characters of the shortest terms."""
        return self.ngrams[0]

    @property
    def counted_as(self) -> tuple[str, str | None, bool]:
        """The result of the function of this name for the options of this analyzer."""
        return self.value, self.lengths, self.equal

    @property
    def is_scaled(self) -> bool:
        """Whether documents are scaled while they are counted, so that counts are not numbers of occurrences."""
        return self.equal or self.lengths is not None

    @property
    def has_words(self) -> bool:
        """Whether some terms are made of words."""
        return self.analyzer in ("word", "both")

    @cached_property
    def native(self) -> _native.Analyzer:
        """The kernel's analyzer."""
        settings = self.fields()
        del settings["lengths"]
        settings["unit"], settings["given"] = settings.pop("analyzer"), settings.pop("tokenizer") is not None
        settings["stop_words"], settings["negators"] = set(self.stop_words), set(settings.pop("negation"))
        return _native.Analyzer(settings)

    @cached_property
    def kept_negators(self) -> list[str]:
        """The negators that `stop_words='auto'` keeps, as they are counted: in any case, with either apostrophe."""
        written = {word.replace("'", mark) for word in kept_negators() for mark in ("'", "\u2019")}
        written |= {each for word in written for each in (word.capitalize(), word.upper())}
        return sorted({self.native.normalized(word) for word in written})

    def texts(self, texts: Texts) -> Texts:
        """Texts as the kernel reads them: unchanged, or as the tokens that the function of the user returns."""
        return texts if self.tokenizer is None else CustomTokenizer(self.tokenizer).texts(texts)

    def terms(self, text: str) -> list[Term]:
        """The terms of a text, ordered by where they end."""
        check_text(text)
        if self.tokenizer is None:
            return [Term(term, c0, c1, b0, b1) for term, b0, b1, c0, c1 in self.native.spans(text)]
        joined, places = CustomTokenizer(self.tokenizer).places(text)
        bytes_before = [0, *accumulate(len(each.encode("utf-8", "surrogatepass")) for each in text)]
        found = []
        for term, _, _, start, end in self.native.spans(joined):
            first, last = places[start][0], places[end - 1][1]
            found.append(Term(term, first, last, bytes_before[first], bytes_before[last]))
        return found

    def trace(self, text: str) -> list[tuple[str | None, int, int, int]]:
        """The pieces of a text before n-grams are made: of each its term, start, end, and the bits of its steps."""
        check_text(text)
        if self.tokenizer is None:
            return self.native.trace(text)
        joined, places = CustomTokenizer(self.tokenizer).places(text)
        found = self.native.trace(joined)
        return [(term, places[start][0], places[end - 1][1], steps) for term, start, end, steps in found]

    @property
    def joint(self) -> str:
        """The string between the parts of an n-gram."""
        return " " if self.has_words else ""


def counted_as(options: Mapping[str, Any]) -> tuple[str, str | None, bool]:
    """The fields ``value``, ``lengths`` and ``equal`` of the `Analyzer` that these options describe.

    Examples
    --------
    >>> counted_as(with_defaults({"weighting": "tfidf", "norm": "l2"}))
    ('damped', 'plain', False)
    """
    tfidf = options["weighting"] == "tfidf"
    # If the weights are learned, documents are not scaled while they are counted.
    counted = tfidf and options["norm"] == "l2" and options["variant"] != "nbsvm"
    lengths = options["idf"] if counted else None
    equal = options["document_weight"] == "equal"
    if (lengths or equal) and options["variant"] in ("binary", "complement_binary"):
        return "presence", lengths, equal
    return "damped" if tfidf and options["tf"] == "sublinear" else "count", lengths, equal


def _short(value: object) -> str:
    return f"{len(value)} words" if isinstance(value, tuple) and value and isinstance(value[0], str) else str(value)


def check_text(text: object) -> None:
    """Raise ``TextError`` if it is not a string."""
    if not isinstance(text, str):
        raise TextError(f"text is of type {type(text).__name__}, not str")


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as given, else one per processor that this process may use."""
    if threads:
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
