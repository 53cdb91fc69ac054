"""Text to terms, for people to look at: the same terms that are counted, with their places."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.analysis.custom_tokenizer import Given
from likely.analysis.stop_words import check_single, negator_list, stop_word_list
from likely.errors import TextError
from likely.options.conflicts import check_cut
from likely.options.kinds import STEM_LANGUAGES
from likely.options.table import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a text and where it stands.

    Attributes
    ----------
    term : str
        The term as it is counted; the words of an n-gram are joined by a space, which no word contains.
    start, end : int
        Its place in the text, in characters: ``text[start:end]``.
    start_byte, end_byte : int
        The same in bytes of UTF-8.
    """

    term: str
    start: int
    end: int
    start_byte: int
    end_byte: int


def analyze(text: str, **options: Any) -> list[Term]:
    """Cut a text into terms, ordered by where they end (characters come after words).

    Parameters
    ----------
    text : str
        Any text.
    **options
        What decides the terms of a text, as for `NaiveBayes`: ``analyzer``, ``ngrams``, ``stem`` ...

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
    """How texts become terms and what a term counts: two analyzers are equal if they count every text alike.

    The fields are the options of the same names, with lists of words in place of the names of lists.

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
    """What a term counts in a document: its occurrences ("count"), 1 ("presence") or 1 + log tf ("damped")."""
    lengths: str | None = None
    """The idf by which documents were brought to length 1 when they were counted, if they were."""
    equal: bool = False
    """Whether all documents count the same: what their terms count, over the length of the document."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Analyzer:
        """The analyzer for some checked options."""
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
        """Raise ``OptionError`` for a stop word or negator that no word of a text could be."""
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
        """How many words or characters a term has at least."""
        return self.ngrams[0]

    @property
    def counted_as(self) -> tuple[str, str | None, bool]:
        """What the function of this name says of the options."""
        return self.value, self.lengths, self.equal

    @property
    def is_scaled(self) -> bool:
        """Whether the counts are of documents brought to a length, so that they are no numbers of occurrences."""
        return self.equal or self.lengths is not None

    @property
    def has_words(self) -> bool:
        """Whether words are terms."""
        return self.analyzer in ("word", "both")

    @cached_property
    def native(self) -> _native.Analyzer:
        """The kernel's analyzer."""
        return _native.Analyzer(
            unit=self.analyzer,
            ngrams=self.ngrams,
            char_ngrams=self.char_ngrams,
            lowercase=self.lowercase,
            accents=self.accents,
            normalize=self.normalize,
            punctuation=self.punctuation,
            numbers=self.numbers,
            urls=self.urls,
            emails=self.emails,
            mentions=self.mentions,
            hashtags=self.hashtags,
            stop_words=set(self.stop_words),
            stem=self.stem,
            negators=set(self.negation),
            hash_bits=self.hash_bits,
            value=self.value,
            equal=self.equal,
            given=self.tokenizer is not None,
        )

    def texts(self, texts: Any) -> Any:
        """Texts as the kernel reads them: as they are, or as the tokens that the tokenizer makes of them."""
        return texts if self.tokenizer is None else Given(self.tokenizer).texts(texts)

    def terms(self, text: str) -> list[Term]:
        """The terms of a text, ordered by where they end."""
        check_text(text)
        if self.tokenizer is None:
            return [Term(term, c0, c1, b0, b1) for term, b0, b1, c0, c1 in self.native.spans(text)]
        joined, places = Given(self.tokenizer).places(text)
        bytes_before = [0, *accumulate(len(each.encode("utf-8", "surrogatepass")) for each in text)]
        found = []
        for term, _, _, start, end in self.native.spans(joined):
            first, last = places[start][0], places[end - 1][1]
            found.append(Term(term, first, last, bytes_before[first], bytes_before[last]))
        return found

    def trace(self, text: str) -> list[tuple[str | None, int, int, int]]:
        """The pieces of a text before n-grams: what each is counted as, its place, and what was done to it."""
        check_text(text)
        if self.tokenizer is None:
            return self.native.trace(text)
        joined, places = Given(self.tokenizer).places(text)
        found = self.native.trace(joined)
        return [(term, places[start][0], places[end - 1][1], steps) for term, start, end, steps in found]

    @property
    def joint(self) -> str:
        """What stands between the parts of an n-gram."""
        return " " if self.has_words else ""


def counted_as(options: Mapping[str, Any]) -> tuple[str, str | None, bool]:
    """What a term counts in a document by some options; the idf by which documents have length 1, if they do by one.

    And whether all documents count the same.

    Examples
    --------
    >>> counted_as(with_defaults({"weighting": "tfidf", "norm": "l2"}))
    ('damped', 'plain', False)
    """
    tfidf = options["weighting"] == "tfidf"
    # Where weights are learned, the counts have no part in the lengths.
    counted = tfidf and options["norm"] == "l2" and options["variant"] != "nbsvm"
    lengths = options["idf"] if counted else None
    equal = options["document_weight"] == "equal"
    if (lengths or equal) and options["variant"] in ("binary", "complement_binary"):
        return "presence", lengths, equal
    return "damped" if tfidf and options["tf"] == "sublinear" else "count", lengths, equal


def _short(value: Any) -> str:
    return f"{len(value)} words" if isinstance(value, tuple) and value and isinstance(value[0], str) else str(value)


def check_text(text: object) -> None:
    """Raise ``TextError`` for what is no string."""
    if not isinstance(text, str):
        raise TextError(f"text is of type {type(text).__name__}, not str")


def thread_count(threads: int | None) -> int:
    """How many threads to use: as told, else as many as there are processors to run them on."""
    if threads:
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
