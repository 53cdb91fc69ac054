"""`Analyzer`: how texts become terms; `analyze` for one text; tokens from the user's own function; stop words.

The lists of stop words and of negators were written for this project from the closed word classes of each language:
articles, pronouns, prepositions, conjunctions, auxiliaries and a few particles. They do not copy any other list. They
are in ``data/stopwords.toml``. Negators are never stop words: a text without its "not" has another meaning.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import asdict, dataclass, field, fields
from functools import cache, cached_property
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, cast

from likely import _native
from likely.arrow_data import listed
from likely.errors import OptionError, TextError
from likely.options.compound import parts_of
from likely.options.kinds import STEM_LANGUAGES
from likely.options.model import ANALYZE_OPTIONS, check_cut, with_defaults, with_preset
from likely.terminal import printable, table

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.types import Model, Texts


SEPARATOR = _native.SEPARATOR
"""The character between two tokens on their way to the kernel: half a surrogate pair, which no valid text has."""

WINDOW = 1000
"""A token is looked for at most this many characters after the end of the last one."""


@dataclass(frozen=True)
class CustomTokenizer:
    """A function of the user that cuts texts into tokens.

    Tokens that are empty or white space are dropped. White space within a token becomes an underscore, because a
    space joins the words of an n-gram.

    Examples
    --------
    >>> CustomTokenizer(str.split).text("so  good") == f"so{SEPARATOR}good"
    True
    """

    tokenizer: Callable[[str], Iterable[str]]

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as the function returns them, without those that are empty or white space."""
        made = self.tokenizer(text)
        found = list(made) if isinstance(made, Iterable) and not isinstance(made, str | bytes) else [made]
        for token in found:
            if not isinstance(token, str) or isinstance(made, str):
                what = "a string" if isinstance(made, str) else f"a {type(token).__name__}"
                raise TextError(
                    f"{tokenizer_name(self.tokenizer)} returned {what} for a text: it must return a list of str"
                )
        return [token for token in found if token.strip()]

    def text(self, text: str) -> str:
        """The tokens of a text, joined to one string."""
        return SEPARATOR.join(map(_without_spaces, self.tokens(text)))

    def texts(self, texts: Texts) -> Iterator[str]:
        """The tokens of each text, joined to one string per text."""
        for row, text in enumerate(_strings(texts), 1):
            if text is None:
                raise TextError(f"the text in row {row} is missing (null): fill it in or leave the row out")
            if not isinstance(text, str):
                raise TextError(f"the text in row {row} is of type {type(text).__name__}, not str")
            yield self.text(text)

    def places(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """The tokens, joined to one string, and for each of its characters the place of the token in the text.

        Upper and lower case do not matter. A token that is not found in the text, because the function changed it,
        has an empty place. It is looked for in a window only, so that the time is linear in the length of the text.
        """
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        lowered = text.lower() if len(text.lower()) == len(text) else text
        at = 0
        for token in self.tokens(text):
            wanted = token if lowered is text else token.lower()
            start = lowered.find(wanted, at, at + len(wanted) + WINDOW)
            place = (at, at) if start < 0 else (start, start + len(token))
            at = place[1]
            parts.append(_without_spaces(token))
            places += [place] * (len(parts[-1]) + 1)  # the last one is for the separator
        return SEPARATOR.join(parts), places


def _strings(texts: Texts) -> Iterator[object]:
    """The texts one by one, from every container that the kernel reads too."""
    if isinstance(texts, _native.Strings):
        return iter(texts.to_pylist())
    if isinstance(texts, str | bytes | Mapping | Set) or not (
        isinstance(texts, Iterable) or hasattr(texts, "__arrow_c_stream__")
    ):
        raise TextError(f"texts is a single {type(texts).__name__}, not many texts: give a list of str")
    if hasattr(texts, "read_next_batch"):
        batches = cast("Iterable[pa.RecordBatch]", texts)
        return (text for batch in batches for text in listed(batch, "texts", TextError) or ())
    found = listed(texts, "texts", TextError)
    return iter(cast("Iterable[object]", texts if found is None else found))


def _without_spaces(token: str) -> str:
    return "_".join(token.split()) if any(map(str.isspace, token)) else token


def tokenizer_name(tokenizer: object) -> str:
    """The name under which a model file remembers a tokenizer.

    Examples
    --------
    >>> tokenizer_name(str.split)
    'builtins.str.split'
    """
    kind = type(tokenizer)
    module = getattr(tokenizer, "__module__", None) or getattr(
        getattr(tokenizer, "__objclass__", kind), "__module__", "?"
    )
    return f"{module}.{getattr(tokenizer, '__qualname__', kind.__qualname__)}"


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


def analyze(text: str, **options: object) -> list[Term]:
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

    The fields are the options of the same names, or their parts; lists of words are in place of the names of lists.

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
    mail: bool = field(default=False, compare=False)
    """Whether mail was learned, which is decoded when it is read: then every door decodes a text that is raw mail."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Analyzer:
        """The analyzer for options that have been checked."""
        values = parts_of({name: options[name] for name in ANALYZE_OPTIONS})
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
                for word in words:
                    if (number := len(bare.native.trace(word))) != 1:
                        said = f"{word!r}, which is {number} words in a text"
                        raise OptionError(f"{option} has {said}: give single words")

    def fields(self) -> dict[str, Any]:
        """The fields by name, of which the terms of a text follow."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}

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

    def prepared(self, text: str) -> str:
        """The text itself; if mail was learned and this is a raw message, its decoded text."""
        if not self.mail:
            return text
        from likely.reading.mail import prepared  # few models learn mail

        return prepared(text)

    def texts(self, texts: Texts) -> Texts:
        """Texts as the kernel reads them: prepared, or as the tokens that the function of the user returns."""
        if self.mail:
            texts = (self.prepared(text) if isinstance(text, str) else text for text in _strings(texts))  # type: ignore[misc]
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
    form = parts_of({"weighting": options["weighting"]})
    tfidf = form["weighting"] == "tfidf"
    # If the weights are learned, documents are not scaled while they are counted.
    counted = tfidf and options["norm"] == "l2" and options["variant"] != "nbsvm"
    lengths = form["idf"] if counted else None
    equal = options["document_weight"] == "equal"
    if (lengths or equal) and options["variant"] in ("binary", "complement_binary"):
        return "presence", lengths, equal
    return "damped" if tfidf and form["tf"] == "sublinear" else "count", lengths, equal


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


_WHY_DROPPED = {
    "P": "punctuation",
    "S": "symbol",
    "C": "control character",
    "M": "mark without a letter",
    "Z": "white space",
}
"""Why a character is dropped, by the first letter of its category in Unicode."""

STEPS = dict(_native.STEPS)
"""What the kernel can do to a piece, one bit each."""


@dataclass(frozen=True)
class Piece:
    """A piece of a text.

    Attributes
    ----------
    start, end : int
        The place in the text, in characters: ``text[start:end]``.
    text : str
        The piece as it is written in the text.
    term : str or None
        The term that it becomes; None if it is dropped.
    why : str
        "kept" if it is unchanged, else why it was changed or dropped.
    """

    start: int
    end: int
    text: str
    term: str | None
    why: str


@dataclass(frozen=True)
class Trace:
    """A text in pieces, and the terms that are counted.

    Attributes
    ----------
    text : str
        The text.
    pieces : list of Piece
        Every piece that is not white space, in order.
    terms : list of str
        All terms with n-grams, ordered by where they end.
    unknown : list of str or None
        The terms that the model has not learned; None without a model.
    """

    text: str
    pieces: list[Piece]
    terms: list[str]
    unknown: list[str] | None

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, ready for JSON."""
        return asdict(self)


def trace(text: str, model: Model | None = None, **options: object) -> Trace:
    """What happens to a text on its way to terms.

    Parameters
    ----------
    text : str
        Any text.
    model : NaiveBayes, optional
        Analyze the text as this model does, and say which terms it does not know.
    **options
        Without a model: ``task`` and the options that decide the terms of a text, as for `NaiveBayes`.

    Examples
    --------
    >>> [(piece.text, piece.term, piece.why) for piece in trace("So GOOD!").pieces]
    [('So', 'so', 'lower-cased'), ('GOOD', 'good', 'lower-cased'), ('!', None, 'punctuation')]
    >>> [(piece.term, piece.why) for piece in trace("Not the best", stop_words=["the"], negation="on").pieces]
    [('not', 'lower-cased'), (None, 'stop word'), ('NOT_best', 'negated')]
    """
    analyzer = _analyzer(options) if model is None else model.analysis_
    text = analyzer.prepared(text)
    terms = [term.term for term in analyzer.terms(text)]
    distinct = list(dict.fromkeys(terms))
    read, unknown = {}, None
    if model is not None:
        as_read = dict(zip(distinct, model._read_terms(distinct), strict=True))
        known = dict(zip(distinct, model.knows(list(as_read.values())), strict=True))
        unknown = [term for term in distinct if not known[term]]
        read = {term: as_read[term] for term in distinct if as_read[term] != term}
    return Trace(text, list(_pieces(text, analyzer, read)), terms, unknown)


def _analyzer(options: Mapping[str, object]) -> Analyzer:
    """The analyzer for some options. Options of a task that do not decide terms are left out."""
    with_defaults(options, ("task", *ANALYZE_OPTIONS))
    given = with_preset(options)
    values = with_defaults({name: value for name, value in given.items() if name in ANALYZE_OPTIONS})
    check_cut(values)
    return Analyzer.of(values)


def _pieces(text: str, analyzer: Analyzer, read: dict[str, str]) -> Iterator[Piece]:
    end = 0
    for term, start, stop, steps in analyzer.trace(text):
        yield from _dropped(text, end, start)
        piece = text[start:stop]
        yield Piece(start, stop, piece, read.get(term, term) if term else None, _why(piece, term, steps, read))
        end = max(end, stop)
    yield from _dropped(text, end, len(text))


def _why(piece: str, term: str | None, steps: int, read: dict[str, str]) -> str:
    done = [name for bit, name in STEPS.items() if steps & bit]
    if term in read:
        done.append(f"{term} -> {read[term]}")
    if done:
        return ", ".join(done)
    return "white space folded" if term == " " and piece != term else "kept"


def _dropped(text: str, start: int, end: int) -> Iterator[Piece]:
    """The dropped pieces between two terms; white space is left out."""
    for reason, group in groupby(range(start, end), key=lambda at: _reason(text[at])):
        places = list(group)
        if reason != "white space":
            yield Piece(places[0], places[-1] + 1, text[places[0] : places[-1] + 1], None, reason)


def _reason(character: str) -> str:
    if character.isspace():
        return "white space"
    return _WHY_DROPPED.get(unicodedata.category(character)[0], "not part of a word")


MOST_PRINTED = 40
"""At most this many terms are listed."""


def trace_text(trace: Trace) -> str:
    """A table of the pieces of a text, one line per piece, and the terms that are made of them."""
    rows = [
        [printable(piece.text), printable(piece.term) if piece.term is not None else "-", piece.why]
        for piece in trace.pieces
    ]
    parts = [table([["text", "term", ""], *rows]) if rows else "The text has no terms."]
    pieces = {piece.term for piece in trace.pieces}
    longer = [printable(term) for term in trace.terms if term not in pieces]
    if longer:
        parts.append(f"n-grams: {', '.join(longer[:MOST_PRINTED])}" + (" ..." if len(longer) > MOST_PRINTED else ""))
    if trace.unknown is not None:
        unknown = ", ".join(map(printable, trace.unknown[:MOST_PRINTED])) or "none"
        parts.append(f"not known to the model, so ignored: {unknown}")
    return "\n\n".join(parts)


# Stop words and negators --------------------------------------------------------------------------------------------


_READ: dict[str, tuple[str, ...]] = {}
"""The lists of files as they were last read. A model still needs its list if the file is deleted."""

LARGEST_LIST = 16 << 20
"""The size of the largest file of stop words that is read, in bytes."""


def languages() -> tuple[str, ...]:
    """The codes (ISO 639-1) of the languages that have lists, sorted.

    Examples
    --------
    >>> languages()[:4]
    ('ar', 'bn', 'cs', 'da')
    """
    return tuple(_sections())


def stop_words(code: str) -> tuple[str, ...]:
    """The stop words of a language, sorted, in lower case and without negators.

    Examples
    --------
    >>> stop_words("en")[:4], "not" in stop_words("en")
    (('a', 'about', 'above', 'after'), False)
    >>> stop_words("german")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words='german' is not allowed: did you mean 'de'? There are lists for ar...
    """
    return _words("stop_words", code, "words")


@cache
def kept_negators() -> tuple[str, ...]:
    """Negators that are kept even if they are frequent: the English ones, and those that are not stop words anywhere.

    A negator of one language can be a stop word of another: "et" is a negator in Finnish and a stop word in French.

    Examples
    --------
    >>> "no" in kept_negators(), "pas" in kept_negators(), "et" in kept_negators()
    (True, True, False)
    """
    listed = {word for code in languages() for word in stop_words(code)}
    others = {word for code in languages() for word in negators(code)} - listed
    return tuple(sorted(others | set(negators("en"))))


def negators(code: str) -> tuple[str, ...]:
    """The words of a language that negate the words after them, sorted, in lower case, with the apostrophe ``'``.

    In Hindi, Bengali, Tamil and Turkish the negator follows the word that it negates. The lists of these languages
    serve to keep the negators, not to mark the words after them.

    Examples
    --------
    >>> [word for word in negators("en") if word.startswith("do")]
    ["doesn't", 'doesnt', "don't", 'dont']
    """
    return _words("negation", code, "negators")


def stop_word_list(value: str | Collection[str] | None) -> tuple[str, ...]:
    """The words that a value of the option ``stop_words`` stands for, sorted; an empty tuple for None and 'auto'.

    Examples
    --------
    >>> stop_word_list(["the", "a"]), stop_word_list("auto"), len(stop_word_list("en")) > 50
    (('a', 'the'), (), True)
    """
    if value is None or (isinstance(value, str) and value == "auto"):
        return ()
    if not isinstance(value, str):
        return tuple(sorted(set(value)))
    if value in languages() or not _names_file(value):
        return stop_words(value)
    return _read_words(value)


def _names_file(value: str) -> bool:
    return os.path.sep in value or "." in value or "\0" in value or os.path.exists(value)


def _read_words(path: str) -> tuple[str, ...]:
    """The words of a file, which has one word per line and comments after #. A deleted file is remembered."""
    if path in _READ and not os.path.exists(path):
        return _READ[path]
    try:
        if os.path.getsize(path) > LARGEST_LIST:
            raise OptionError(f"stop_words={path!r} is not allowed: the file has more than {LARGEST_LIST:,} bytes")
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except (OSError, ValueError) as error:
        raise OptionError(f"stop_words={path!r} cannot be read: {error}") from error
    _READ[path] = tuple(sorted({line for line in lines if line}))
    return _READ[path]


def negator_list(value: str | Collection[str]) -> tuple[str, ...]:
    """The words that a value of the option ``negation`` stands for, sorted; the English negators for 'on'.

    Examples
    --------
    >>> negator_list("off"), negator_list(["pas", "jamais"]), "not" in negator_list("on")
    ((), ('jamais', 'pas'), True)
    """
    if isinstance(value, str):
        return negators("en") if value == "on" else ()
    return tuple(sorted(set(value)))


@cache
def _sections() -> dict[str, dict[str, str]]:
    import tomllib  # few models need the lists, and the modules take longer than all others of this package
    from importlib import resources

    text = resources.files("likely").joinpath("data/stopwords.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _words(option: str, code: str, kind: str) -> tuple[str, ...]:
    section = _sections().get(code) if isinstance(code, str) else None
    if section is None:
        others = "; or give 'auto', a file or a list of words" if option == "stop_words" else ""
        choices = ", ".join(f"{known} ({each['name']})" for known, each in _sections().items())
        raise OptionError(f"{option}={code!r} is not allowed: {_hint(code)}There are lists for {choices}{others}")
    return tuple(section[kind].split())


def _hint(code: object) -> str:
    """A hint at the code that was probably meant, if the value looks like a code or the name of a language."""
    names = {section["name"].lower(): code for code, section in _sections().items()}
    import difflib

    close = difflib.get_close_matches(str(code).lower(), [*names, *_sections()], n=1)
    return f"did you mean {names.get(close[0], close[0])!r}? " if close else ""
