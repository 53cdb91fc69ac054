"""The JSON document of a model file: format, version, options, classes. All of it is checked when it is read."""

from __future__ import annotations

import copy
import functools
import hashlib
import itertools
import json
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np

from likely.core.analyzer import Analyzer, languages, stop_word_list, tokenizer_name
from likely.errors import LikelyError, ModelFileError, TooLargeError
from likely.labels import ClassPlaces, python_labels
from likely.options.compound import IDF, NBSVM, PARTS, as_tuple, with_compounds
from likely.options.kinds import STEM_LANGUAGES, is_thresholds
from likely.options.model import ANALYZE_OPTIONS, MODEL, check_together, with_defaults
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.core.calibration import CalibrationRecord
    from likely.core.counts import Counts, Exact
    from likely.core.file import Snapshot
    from likely.core.tuning_record import Tuning
    from likely.reading.batch import Chosen
    from likely.types import Array, ClassWeight, Label, Places, Prior, Thresholds, Tokenizer


_PAIRS = ("prior", "class_weight", "thresholds")
"""The options that may be mappings from classes to numbers."""


def stored_options(options: Mapping[str, Any], counts: Counts) -> dict[str, object]:
    """The options of a model by name, as JSON values."""
    apart = ("tokenizer", "stop_words", *_PAIRS)
    # Only for these options is 1 the same as 1.0: for min_documents, 1 is one document and 1.0 is all documents.
    like = {"alpha": MODEL["alpha"].default, "nbsvm": NBSVM}
    stored = {name: _plain(value, like.get(name)) for name, value in options.items() if name not in apart}
    stop_words = options["stop_words"]
    if stop_words is not None and stop_words not in ("auto", *languages()):
        # The list is stored, not the name of its file, which may not exist when the model is loaded.
        stop_words = list(counts.analyzer.stop_words or stop_word_list(stop_words))
    # The number of threads is not stored: the same counts must give the same bytes on any machine.
    return stored | {
        "stop_words": stop_words,
        "tokenizer": name_of(options["tokenizer"]),
        "threads": None,
        **{name: stored_pairs(options[name]) for name in _PAIRS},
    }


def stored_pairs(value: Prior | ClassWeight | Thresholds | None) -> str | list[list[object]] | None:
    """A mapping as sorted lists of a class and its number, or of two classes and a cost; a name, or None, stays.

    Examples
    --------
    >>> stored_pairs({"spam": 0.3}), stored_pairs({("ham", "spam"): 5})
    ([['spam', 0.3]], [['ham', 'spam', 5.0]])
    """
    if value is None or isinstance(value, str):
        return value
    pairs = cast("Mapping[object, float]", value)
    keys = {key: key if isinstance(key, tuple) else (key,) for key in pairs}
    return sorted(([*map(_plain, labels), float(pairs[key])] for key, labels in keys.items()), key=json.dumps)


def pairs_from(name: str, stored: object) -> str | dict[Any, Any] | None:
    """What `stored_pairs` wrote of an option; its values are checked elsewhere, as options are."""
    if stored is None or isinstance(stored, str):
        return stored
    if not isinstance(stored, list) or not all(isinstance(row, list) and len(row) in (2, 3) for row in stored):
        raise ModelFileError(f"its {name} is not as `likely` writes it")
    found = {row[0] if len(row) == 2 else tuple(row[:2]): row[-1] for row in stored}
    if len(found) != len(stored):
        raise ModelFileError(f"its {name} has the same class twice")
    return found


def _plain(value: object, like: object = None) -> object:
    """The value as JSON writes and reads it: numbers of numpy become Python numbers, floats if ``like`` is one.

    For a mapping, ``like`` has a value like each of its values.
    """
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {
            name: _plain(each, like.get(name) if isinstance(like, Mapping) else None) for name, each in value.items()
        }
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    whole = isinstance(value, numbers.Integral) and not isinstance(like, float)
    return int(cast("int", value)) if whole else float(cast("float", value))


def stored_analyzer(analyzer: Analyzer) -> dict[str, object]:
    """The fields of an analyzer by name, as JSON values."""
    mail = {"mail": True} if analyzer.mail else {}
    stored = analyzer.fields() | {"tokenizer": name_of(analyzer.tokenizer)} | mail
    return {name: _plain(value) for name, value in stored.items()}


def name_of(tokenizer: Tokenizer | None) -> str | None:
    """The name of a tokenizer in a model file; None if there is none."""
    return None if tokenizer is None else tokenizer_name(tokenizer)


FORMAT = 7
"""The format of the files that this version writes."""
OLDEST = 3
"""The oldest format that this version reads. It never rises: every version reads the files of all earlier ones."""
LARGEST = 32 << 20
"""The largest size of a document in bytes, which is enough for more than 300,000 classes."""

LARGEST_BIAS = 1e9
"""The largest bias of a class. Those of real models are below 1000; with larger ones, scores would not be numbers."""

_FIRST = {
    "format",
    "likely",
    "options",
    "counted_with",
    "classes",
    "dropped_terms",
    "calibration",
    "tuning",
    "digest",
}
"""The keys of the oldest format."""
_LATER = {"columns": 4, "chosen": 5, "calibrated_prior": 5, "thresholds": 5, "kept_terms": 6}
"""All other keys, and the format that added each."""
_CALIBRATE_MAY_BE_NONE = 5
"""The first format in which the option ``calibrate`` can be None, its default."""
_COMPOUNDS = 7
"""The first format with options of several parts; in earlier ones, each part is an option."""
_NO_DIGEST = "0" * 64
_DIGEST = '"digest":"{}"'
_TOTALS = ("documents", "tokens")

Unchecked: TypeAlias = dict[str, Any]
"""A JSON object of a file, before its values are checked."""


@dataclass(frozen=True)
class Manifest:
    """The content of a document."""

    analyzer: Analyzer
    labels: list[Label]
    documents: Exact
    tokens: Exact
    dropped: int
    bias: Array | None
    """The bias of each class, if weights were learned (nbsvm)."""
    parts: Parts | None
    """The parts of the table; None if there is only one."""
    kept: dict[str, Any]
    """The fields of the `Snapshot` that the document holds as they are, by name: the options, the calibration ..."""


def write_manifest(snapshot: Snapshot, parts: Parts | None) -> bytes:
    """The document of a model, with zeros in place of the digest."""
    from likely import __version__

    counts, learned, live = snapshot.counts, snapshot.learned, snapshot.counts.live()
    totals = dict(zip(_TOTALS, counts.native.exact_totals(), strict=True))
    classes = [
        {"label": label, **_amounts(totals, number)}
        for label, number in zip(live.labels, live.numbers.tolist(), strict=True)
    ]
    if learned is not None:
        classes = [entry | {"bias": bias} for entry, bias in zip(classes, learned.bias.tolist(), strict=True)]
    calibration, tuning, columns = snapshot.calibration, snapshot.tuning, snapshot.columns
    document = {
        "format": FORMAT,
        "likely": __version__,
        "options": stored_options(snapshot.options, counts),
        "counted_with": stored_analyzer(counts.analyzer),
        "classes": classes,
        "dropped_terms": counts.dropped,
        "calibration": None if calibration is None else calibration.to_dict(),
        "tuning": None if tuning is None else tuning.to_dict(),
        "columns": None if columns is None else columns.to_dict(),
        "chosen": list(snapshot.chosen) or None,
        "calibrated_prior": stored_pairs(snapshot.calibrated_prior),
        "thresholds": stored_pairs(snapshot.thresholds),
        "kept_terms": None if parts is None else vars(parts),
        "digest": _NO_DIGEST,
    }
    text = json.dumps(document, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > LARGEST:
        raise TooLargeError(
            f"the labels need {len(text)} bytes, but a model file has room for {LARGEST}: use shorter labels"
        )
    return text


def _amounts(totals: Mapping[str, Exact], c: int) -> dict[str, int]:
    amounts = {}
    for name, (whole, fraction) in totals.items():
        amounts[name] = int(whole[c])
        if fraction[c]:
            amounts[f"{name}_fraction"] = int(fraction[c])
    return amounts


def sign(data: bytes) -> bytes:
    """The file with its digest in place of the zeros in its document: the SHA-256 of the file with the zeros."""
    blank = _DIGEST.format(_NO_DIGEST).encode()
    digest = _DIGEST.format(hashlib.sha256(data).hexdigest()).encode()
    at = data.rindex(blank)
    return data[:at] + digest + data[at + len(blank) :]


def parse_manifest(data: bytes, place: tuple[int, int], tokenizer: Tokenizer | None = None) -> Manifest:
    """The content of the document of a file; ``ModelFileError`` if the file was changed or not written by `likely`.

    ``place`` is where the document begins and ends in the file. ``tokenizer`` is the tokenizer of the model, if it
    has one: a file contains only its name.
    """
    start, end = place
    if end - start > LARGEST:
        raise ModelFileError(f"its document has {end - start} bytes, but a model has at most {LARGEST}")
    values: Unchecked = json.loads(data[start:end], object_pairs_hook=_unique, parse_constant=_no_number)
    _check_format(values)
    _check_digest(data, place, values["digest"])
    cut, classes = values["counted_with"], values["classes"]
    labels = python_labels([entry["label"] for entry in classes])
    if any(a >= b for a, b in itertools.pairwise(labels)):  # type: ignore[operator]
        raise ModelFileError("its classes are not sorted")
    try:
        _check_tokenizer(values["options"]["tokenizer"], tokenizer)
        options = {**_known_options(json.dumps(values["options"]), values["format"]), "tokenizer": tokenizer}
        analyzer = _known_analyzer(json.dumps(cut)) if tokenizer is None else _analyzer(cut, tokenizer)
        prior = pairs_from("prior", values.get("calibrated_prior"))
        if prior is not None:
            MODEL["prior"].check(prior)
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"its options are not valid in this version of `likely`: {shortened(error)}") from None
    documents, tokens = (_exact(classes, name) for name in _TOTALS)
    if not (documents[0] | documents[1]).all():
        raise ModelFileError("one of its classes has no documents")
    dropped = values["dropped_terms"]
    if type(dropped) is not int or not 0 <= dropped < 2**53:
        raise ModelFileError("the number of its dropped terms is not a whole number >= 0")
    bias = _bias(classes, options["variant"])
    kept = {
        "options": options,
        **_records(values),
        "columns": _columns(values.get("columns")),
        "chosen": _chosen(values.get("chosen"), values["format"]),
        "calibrated_prior": prior,
        "thresholds": _thresholds(values.get("thresholds"), labels),
    }
    return Manifest(analyzer, labels, documents, tokens, dropped, bias, parts_from(values.get("kept_terms")), kept)


def _records(values: Unchecked) -> dict[str, CalibrationRecord | Tuning | None]:
    """The calibration and the tuning of a model. A file that has none is read before their modules are imported."""
    calibration, tuning = None, None
    if values["calibration"] is not None:
        from likely.core.calibration import record_from

        calibration = record_from(values["calibration"])
    if values["tuning"] is not None:
        from likely.core.tuning_record import tuning_from

        tuning = tuning_from(values["tuning"])
    return {"calibration": calibration, "tuning": tuning}


def _check_tokenizer(name: object, tokenizer: Tokenizer | None) -> None:
    if name == name_of(tokenizer):
        return
    if name is None:
        raise ModelFileError("it was made without a tokenizer: load it without one")
    raise ModelFileError(
        f"it was made with the tokenizer {shortened(name)}: give this tokenizer, "
        "with `likely.load(path, tokenizer=...)`"
    )


def _known_options(stored: str, number: int) -> dict[str, object]:
    """The options of a document. Those of before are known: a store has thousands of documents with the same."""
    options = _options(stored, number)
    return {name: copy.copy(value) if isinstance(value, list | dict) else value for name, value in options.items()}


@functools.lru_cache(16)
def _known_analyzer(cut: str) -> Analyzer:
    return _analyzer(json.loads(cut), None)


def _analyzer(cut: Unchecked, tokenizer: Tokenizer | None) -> Analyzer:
    """The analyzer that the documents were counted with; its values are checked as options are."""
    names = {each.name for each in fields(Analyzer)}
    if set(cut) | {"mail"} != names or cut.get("mail", True) is not True:
        raise ModelFileError("its analyzer has other keys than `likely` writes")
    values = {**cut, "tokenizer": tokenizer}
    for name in ("ngrams", "char_ngrams", "stop_words", "negation"):
        values[name] = tuple(values[name])
    value, lengths = values["value"], values["lengths"]
    lists = (cut["stop_words"], cut["negation"])
    scaled = lengths is not None or values["equal"] is True
    if (
        cut["tokenizer"] != name_of(tokenizer)
        or not all(isinstance(words, list) for words in lists)
        or (value == "presence") > scaled
        or type(values["equal"]) is not bool
        or values["stem"] not in ("none", *STEM_LANGUAGES.values())
    ):
        raise ModelFileError("its analyzer has values that `likely` does not write")
    if value not in ("count", "damped", "presence") or lengths not in (None, *IDF):
        raise ModelFileError("its terms have values of a kind that `likely` does not know")
    empty = [name for name in ("stop_words", "negation") if not values[name]]
    options = with_compounds({name: value for name, value in values.items() if name not in empty})
    check_together(with_defaults({name: value for name, value in options.items() if name in ANALYZE_OPTIONS}))
    return Analyzer(**values)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ModelFileError("its document has a key twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise ModelFileError(f"its document has the number {shortened(text)}, which a model cannot have")


def _check_format(values: Unchecked) -> None:
    number = values.get("format") if isinstance(values, dict) else None
    if type(number) is not int or number < 1:
        raise ModelFileError("it is a Parquet file, but not a model of `likely`")
    version = shortened(values.get("likely", "a later version"))[:40]
    if number > FORMAT:
        raise ModelFileError(
            f"its format is {shortened(number)}, and this version of `likely` reads formats up to {FORMAT}: "
            f"install `likely` {version} or later"
        )
    if number < OLDEST:
        raise ModelFileError(
            f"its format is {number}, written by `likely` {version} before the first release: train the model again"
        )
    if set(values) != _FIRST | {key for key, first in _LATER.items() if first <= number}:
        raise ModelFileError("its document has other keys than `likely` writes")


def _check_digest(data: bytes, place: tuple[int, int], digest: object) -> None:
    document = data[slice(*place)]
    written = _DIGEST.format(digest).encode()
    at = place[0] + document.find(written)
    blank = _DIGEST.format(_NO_DIGEST).encode()
    content = hashlib.sha256(memoryview(data)[:at])
    content.update(blank)
    content.update(memoryview(data)[at + len(blank) :])
    if document.count(written) != 1 or content.hexdigest() != digest:
        raise ModelFileError("it is damaged: its content does not match its digest; get a fresh copy")


@functools.lru_cache(16)
def _options(document: str, number: int) -> dict[str, object]:
    """The options that a document of this format has as JSON, checked."""
    stored = json.loads(document)
    if number < _CALIBRATE_MAY_BE_NONE and stored["calibrate"] is False:
        stored = {**stored, "calibrate": None}  # the default was False
    stored |= {name: as_tuple(stored[name]) for name in ("ngrams", "char_ngrams") if name in stored}
    if number < _COMPOUNDS:
        stored = with_compounds(stored)
    if isinstance(stored["stop_words"], str) and stored["stop_words"] not in ("auto", *languages()):
        raise ModelFileError("its stop words are of a language that this version of `likely` does not have")
    pairs = {name: pairs_from(name, stored[name]) for name in _PAIRS if name in stored}
    values = with_defaults({**stored, **pairs, "tokenizer": None})
    check_together(values)
    return values


def _bias(classes: list[Unchecked], variant: object) -> Array | None:
    found = [entry["bias"] for entry in classes if "bias" in entry]
    if not found:
        return None
    from likely.core.variants import LEARNED

    sound = all(type(each) is float and abs(each) <= LARGEST_BIAS for each in found)
    if len(found) != len(classes) or variant != LEARNED or not sound:
        raise ModelFileError("the bias of a class is not as `likely` writes it")
    return np.array(found)


def _exact(classes: list[Unchecked], name: str) -> Exact:
    whole, fraction = ([entry.get(key, 0) for entry in classes] for key in (name, f"{name}_fraction"))
    if not all(type(number) is int and 0 <= number < 2**64 for number in whole + fraction):
        raise ModelFileError(f"the number of {name} of a class is not a whole number >= 0")
    return np.array(whole, np.uint64), np.array(fraction, np.uint64)


def _columns(stored: object) -> Chosen | None:
    """The columns that the model was trained from."""
    if stored is None:
        return None
    from likely.reading.batch import Chosen

    match stored:
        case {"text": str(text), "label": str() | None as label, **more} if not more:
            return Chosen(text, label)
        case {"text": str(text), "label": str() | None as label, "weight": str(weight), **more} if not more:
            return Chosen(text, label, weight)
    raise ModelFileError("the columns that it was trained from are not as `likely` writes them")


def _chosen(stored: object, number: int) -> tuple[str, ...]:
    """The names of the options that tuning was free to choose, in the order of the table."""
    names = [] if stored is None else stored
    parts = {name: PARTS.get(name, (name,)) if number < _COMPOUNDS else (name,) for name in MODEL}
    if not isinstance(names, list) or names != [part for name in MODEL for part in parts[name] if part in names]:
        raise ModelFileError("the options that were chosen for it are not as `likely` writes them")
    return tuple(name for name in MODEL if all(part in names for part in parts[name]))


def _thresholds(stored: object, labels: list[Label]) -> dict[Label, float] | None:
    """The thresholds that were chosen while training, by class."""
    found = pairs_from("thresholds", stored)
    if found is None:
        return None
    if isinstance(found, str) or not is_thresholds(found) or not all(label in ClassPlaces(labels) for label in found):
        raise ModelFileError("its thresholds are not as `likely` writes them")
    return cast("dict[Label, float]", found)


def shortened(value: object) -> str:
    """At most 200 characters of a value of a file, which may have any length, for a message of one line.

    Examples
    --------
    >>> len(shortened("x" * 10**6)), shortened(4)
    (200, '4')
    """
    text = printable(" ".join(str(value).split())[:201])
    return text if len(text) <= 200 else f"{text[:199]}\u2026"


MOST_TERMS = 2**32
"""The number of terms that no model reaches."""


@dataclass(frozen=True)
class Parts:
    """How the terms of a file are divided.

    Examples
    --------
    >>> parts_from({"terms": 20, "of": 100, "usual_unknown": 0.25})
    Parts(terms=20, of=100, usual_unknown=0.25)
    """

    terms: int
    """The number of terms in the first part."""
    of: int
    """The number of terms in both parts."""
    usual_unknown: float | None
    """The share of the terms of a text that is usually unknown. It follows from the terms of both parts."""


def divide(snapshot: Snapshot) -> tuple[Places, Parts | None]:
    """The place of each term of a file among all terms, sorted, and its parts; None if all are needed to score.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(min_documents=2).fit(["good fun", "a good plot", "a bad plot"], ["+", "+", "-"])
    >>> order, parts = divide(model._snapshot())
    >>> order, parts.terms, parts.of
    (array([0, 3, 4, 1, 2]), 3, 5)
    """
    from likely.core.terms import choose_terms
    from likely.core.weights import usual_unknown

    counts, rules = snapshot.counts, snapshot.rules
    every = np.arange(counts.native.terms), None
    # The words that others misspell are found among all words.
    if rules.count_every_term or rules.spelling:
        return every
    # Weights of classes do not change which terms are kept, and may name classes that are still to come.
    terms = choose_terms(counts, replace(rules, class_weight=None))
    stay = terms.are_kept(counts.sorted_ids())
    if stay.all():
        return every
    order = np.concatenate([np.flatnonzero(stay), np.flatnonzero(~stay)])
    return order, Parts(int(stay.sum()), len(stay), usual_unknown(terms))


def parts_from(stored: object) -> Parts | None:
    """The parts that `Parts.to_dict` wrote."""
    match stored:
        case None:
            return None
        case {"terms": int(kept), "of": int(of), "usual_unknown": float() | None as unknown, **more} if not more:
            is_sound = unknown is None or 0 <= unknown < math.inf
            if is_sound and type(kept) is type(of) is int and 0 <= kept < of < MOST_TERMS:
                return Parts(kept, of, unknown)
    raise ModelFileError("the number of its kept terms is not as `likely` writes it")
