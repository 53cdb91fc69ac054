"""The JSON document of a model file: format, version, options, classes. All of it is checked when it is read."""

from __future__ import annotations

import copy
import functools
import hashlib
import itertools
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np

from likely.class_places import ClassPlaces
from likely.core.analyzer import Analyzer
from likely.core.stop_words import languages
from likely.errors import LikelyError, ModelFileError, TooLargeError
from likely.labels import python_labels
from likely.options.conflicts import check_together
from likely.options.kinds import STEM_LANGUAGES, is_thresholds
from likely.options.table import ANALYZE_OPTIONS, OPTIONS, with_defaults
from likely.storage.parts import Parts, parts_from
from likely.storage.stored_options import (
    name_of,
    stored_analyzer,
    stored_options,
    stored_shares,
    stored_thresholds,
    thresholds_from,
)
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.core.counts import Exact
    from likely.reading.batch import Chosen
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.scoring.tuning_record import Tuning
    from likely.storage.snapshot import Snapshot
    from likely.types import Array, Label, Prior, Tokenizer

FORMAT = 6
"""The format of the files that this version writes."""
OLDEST = 3
"""The oldest format that this version reads. It never rises: every version reads the files of all earlier ones."""
LARGEST = 32 << 20
"""The largest size of a document in bytes, which is enough for more than 300,000 classes."""

LARGEST_BIAS = 1e9
"""The largest bias of a class. Those of real models are below 1000; with larger ones, scores would not be numbers."""

_KEYS = {
    "format",
    "likely",
    "options",
    "counted_with",
    "classes",
    "dropped_terms",
    "calibration",
    "tuning",
    "columns",
    "chosen",
    "calibrated_prior",
    "thresholds",
    "kept_terms",
    "digest",
}
_LATER = {"columns": 4, "chosen": 5, "calibrated_prior": 5, "thresholds": 5, "kept_terms": 6}
"""The keys that the oldest format did not have, and the format that added each. In an older file they are null."""
_CALIBRATE_MAY_BE_NONE = 5
"""The first format in which the option ``calibrate`` can be None, its default."""
_NO_DIGEST = "0" * 64
_DIGEST = '"digest":"{}"'
_TOTALS = ("documents", "tokens")

Unchecked: TypeAlias = dict[str, Any]
"""A JSON object of a file, before its values are checked."""


@dataclass(frozen=True)
class Manifest:
    """The content of a document."""

    options: dict[str, object]
    analyzer: Analyzer
    labels: list[Label]
    documents: Exact
    tokens: Exact
    dropped: int
    bias: Array | None
    """The bias of each class, if weights were learned (nbsvm)."""
    calibration: CalibrationRecord | None
    tuning: Tuning | None
    columns: Chosen | None
    chosen: tuple[str, ...]
    calibrated_prior: Prior | None
    thresholds: dict[Label, float] | None
    parts: Parts | None
    """The parts of the table; None if there is only one."""


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
    thresholds = snapshot.thresholds
    document = {
        "format": FORMAT,
        "likely": __version__,
        "options": stored_options(snapshot.options, counts),
        "counted_with": stored_analyzer(counts.analyzer),
        "classes": classes,
        "dropped_terms": counts.dropped,
        "calibration": None if calibration is None else calibration.to_dict(),
        "tuning": None if tuning is None else tuning.to_dict(),
        "columns": None if columns is None else {"text": columns.text, "label": columns.label},
        "chosen": list(snapshot.chosen) or None,
        "calibrated_prior": None if snapshot.calibrated_prior is None else stored_shares(snapshot.calibrated_prior),
        "thresholds": None if thresholds is None else stored_thresholds(thresholds),
        "kept_terms": None if parts is None else parts.to_dict(),
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
        prior = _calibrated_prior(values.get("calibrated_prior"))
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"its options are not those of this version of `likely`: {shortened(error)}") from None
    documents, tokens = (_exact(classes, name) for name in _TOTALS)
    if not (documents[0] | documents[1]).all():
        raise ModelFileError("one of its classes has no documents")
    dropped = values["dropped_terms"]
    if type(dropped) is not int or not 0 <= dropped < 2**53:
        raise ModelFileError("the number of its dropped terms is not a whole number >= 0")
    bias = _bias(classes, options["variant"])
    calibration, tuning = _records(values)
    columns, chosen = _columns(values.get("columns")), _chosen(values.get("chosen"))
    thresholds = _thresholds(values.get("thresholds"), labels)
    parts = parts_from(values.get("kept_terms"))
    read = (bias, calibration, tuning, columns, chosen, prior, thresholds, parts)
    return Manifest(options, analyzer, labels, documents, tokens, dropped, *read)


def _records(values: Unchecked) -> tuple[CalibrationRecord | None, Tuning | None]:
    """The calibration and the tuning of a model. A file that has none is read before their modules are imported."""
    calibration, tuning = None, None
    if values["calibration"] is not None:
        from likely.scoring.calibration_record import record_from

        calibration = record_from(values["calibration"])
    if values["tuning"] is not None:
        from likely.scoring.tuning_record import tuning_from

        tuning = tuning_from(values["tuning"])
    return calibration, tuning


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
    options = _checked_options(stored, number)
    return {name: copy.copy(value) if isinstance(value, list | dict) else value for name, value in options.items()}


@functools.lru_cache(16)
def _checked_options(stored: str, number: int) -> dict[str, object]:
    return _options(json.loads(stored), number)


@functools.lru_cache(16)
def _known_analyzer(cut: str) -> Analyzer:
    return _analyzer(json.loads(cut), None)


def _analyzer(cut: Unchecked, tokenizer: Tokenizer | None) -> Analyzer:
    """The analyzer that the documents were counted with; its values are checked as options are."""
    names = {each.name for each in fields(Analyzer)}
    if set(cut) != names:
        raise ModelFileError("its analyzer has other keys than `likely` writes")
    values = {**cut, "tokenizer": tokenizer}
    for name in ("ngrams", "char_ngrams", "stop_words", "negation"):
        values[name] = tuple(values[name])
    value, lengths = values["value"], values["lengths"]
    lists = (cut["stop_words"], cut["negation"])
    if cut["tokenizer"] != name_of(tokenizer) or not all(isinstance(words, list) for words in lists):
        raise ModelFileError("its analyzer has values that `likely` does not write")
    scaled = lengths is not None or values["equal"] is True
    if (
        (value == "presence") > scaled
        or type(values["equal"]) is not bool
        or values["stem"] not in ("none", *STEM_LANGUAGES.values())
    ):
        raise ModelFileError("its analyzer has values that `likely` does not write")
    if value not in ("count", "damped", "presence") or lengths not in (None, *OPTIONS["idf"].choices):
        raise ModelFileError("its terms have values of a kind that `likely` does not know")
    empty = [name for name in ("stop_words", "negation") if not values[name]]
    check_together(with_defaults({name: values[name] for name in ANALYZE_OPTIONS if name not in empty}))
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
    if set(values) != {key for key in _KEYS if _LATER.get(key, OLDEST) <= number}:
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


def _options(stored: Unchecked, number: int) -> dict[str, object]:
    if number < _CALIBRATE_MAY_BE_NONE and stored["calibrate"] is False:
        stored = {**stored, "calibrate": None}  # the default was False
    grams = {name: tuple(stored[name]) for name in ("ngrams", "char_ngrams")}
    if isinstance(stored["stop_words"], str) and stored["stop_words"] not in ("auto", *languages()):
        raise ModelFileError("its stop words are of a language that this version of `likely` does not have")
    shares: Unchecked = {name: _shares(name, stored[name]) for name in ("prior", "class_weight") if name in stored}
    shares["thresholds"] = thresholds_from(stored.get("thresholds"))
    values = with_defaults({**stored, **grams, **shares, "tokenizer": None})
    check_together(values)
    return values


def _shares(name: str, pairs: Any) -> object:
    """The mapping from classes to numbers of an option that has one; a name, or None, stays as it is."""
    if pairs is None or isinstance(pairs, str):
        return pairs
    shares = dict(pairs)
    if len(shares) != len(pairs):
        raise ModelFileError(f"its {name} has the same class twice")
    return shares


def _calibrated_prior(stored: object) -> Prior | None:
    """The prior of the model when it was calibrated, if it was changed since."""
    if stored is None:
        return None
    prior = _shares("prior", stored)
    OPTIONS["prior"].check(prior)
    return cast("Prior", prior)


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
    raise ModelFileError("the columns that it was trained from are not as `likely` writes them")


def _chosen(stored: object) -> tuple[str, ...]:
    """The names of the options that tuning was free to choose, in the order of the table."""
    names = [] if stored is None else stored
    if not isinstance(names, list) or names != [name for name in OPTIONS if name in names]:
        raise ModelFileError("the options that were chosen for it are not as `likely` writes them")
    return tuple(names)


def _thresholds(stored: object, labels: list[Label]) -> dict[Label, float] | None:
    """The thresholds that were chosen while training, by class."""
    found = thresholds_from(stored)
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
