"""The JSON document of a model file: format, version, options, classes; written one way only, read with suspicion."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.analysis.analyzer import Analyzer
from likely.analysis.custom_tokenizer import tokenizer_name
from likely.analysis.stop_words import languages, stop_word_list
from likely.errors import LikelyError, ModelFileError, TooLargeError
from likely.evaluation.trials import Tuning, tuning_from
from likely.labels import python_labels
from likely.options.conflicts import check_together
from likely.options.kinds import STEM_LANGUAGES
from likely.options.table import ANALYZE_OPTIONS, OPTIONS, with_defaults
from likely.scoring.calibration_record import Calibrated, calibrated_from
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from likely.counting.arrow import Exact
    from likely.counting.counts import Counts
    from likely.types import Array, Label
    from likely.weighing.learned import Linear

FORMAT = 3
LARGEST = 32 << 20
"""So many bytes a document may have, which is room for 300,000 classes and more."""

_REMEMBERED: dict[str, Callable[[Any], Any]] = {"calibration": calibrated_from, "tuning": tuning_from}
"""What a model remembers of how it was made, if it was made so."""
_KEYS = {"format", "likely", "options", "counted_with", "classes", "dropped_terms", *_REMEMBERED, "digest"}
_NO_DIGEST = "0" * 64
_DIGEST = '"digest":"{}"'
_TOTALS = ("documents", "tokens")


@dataclass(frozen=True)
class Manifest:
    """What a document says."""

    options: dict[str, Any]
    analyzer: Analyzer
    labels: list[Label]
    documents: Exact
    tokens: Exact
    dropped: int
    bias: Array | None
    """What was learned of the classes, if something was learned."""
    calibration: Calibrated | None
    tuning: Tuning | None


def write_manifest(
    options: Mapping[str, Any],
    counts: Counts,
    linear: Linear | None,
    version: str,
    remembered: Mapping[str, Calibrated | Tuning | None],
) -> bytes:
    """The document of some counts and what was learned beside them, with a blank for the digest."""
    live = counts.live()
    totals = dict(zip(_TOTALS, counts.native.exact_totals(), strict=True))
    classes = [{"label": counts.index.labels[c], **_amounts(totals, c)} for c in live]
    if linear is not None:
        classes = [entry | {"bias": bias} for entry, bias in zip(classes, linear.bias.tolist(), strict=True)]
    document = {
        "format": FORMAT,
        "likely": version,
        "options": _stored_options(options, counts),
        "counted_with": _stored_analyzer(counts.analyzer),
        "classes": classes,
        "dropped_terms": counts.dropped,
        **{name: found and found.to_dict() for name, found in remembered.items()},
        "digest": _NO_DIGEST,
    }
    text = json.dumps(document, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > LARGEST:
        raise TooLargeError(f"the labels need {len(text)} bytes; a model file has room for {LARGEST}: shorten them")
    return text


def _stored_analyzer(analyzer: Analyzer) -> dict[str, Any]:
    stored = {name: _plain(value) for name, value in analyzer.fields().items() if name != "tokenizer"}
    return stored | {"tokenizer": _name_of(analyzer.tokenizer)}


def _name_of(tokenizer: Any) -> str | None:
    return None if tokenizer is None else tokenizer_name(tokenizer)


def _amounts(totals: Mapping[str, Exact], c: int) -> dict[str, int]:
    amounts = {}
    for name, (whole, fraction) in totals.items():
        amounts[name] = int(whole[c])
        if fraction[c]:
            amounts[f"{name}_fraction"] = int(fraction[c])
    return amounts


def _stored_options(options: Mapping[str, Any], counts: Counts) -> dict[str, Any]:
    apart = ("prior", "tokenizer", "stop_words")
    # Only these: elsewhere 1 document and the share 1.0 are not the same.
    like = {name: OPTIONS[name].default for name in ("alpha", "cost", "interpolation")}
    stored = {name: _plain(value, like.get(name)) for name, value in options.items() if name not in apart}
    stop_words, prior = options["stop_words"], options["prior"]
    if stop_words is not None and stop_words not in ("auto", *languages()):
        # The list itself: a file may be gone when the model is read, or even now.
        stop_words = list(counts.analyzer.stop_words or stop_word_list(stop_words))
    if not isinstance(prior, str):
        prior = sorted(([_plain(label), float(share)] for label, share in prior.items()), key=json.dumps)
    # How many threads work is a matter of the machine; the same counts are to be the same bytes with any number.
    others = {"stop_words": stop_words, "tokenizer": _name_of(options["tokenizer"])}
    return stored | others | {"prior": prior, "threads": None}


def _plain(value: Any, like: Any = None) -> Any:
    """A value that JSON writes and reads unchanged: numpy's numbers become Python's, and 1 becomes 1.0 like 0.5."""
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return int(value) if isinstance(value, numbers.Integral) and not isinstance(like, float) else float(value)


def sign(data: bytes) -> bytes:
    """A file with the digest of itself in the blank of its document: SHA-256 of the file before."""
    blank = _DIGEST.format(_NO_DIGEST).encode()
    digest = _DIGEST.format(hashlib.sha256(data).hexdigest()).encode()
    at = data.rindex(blank)
    return data[:at] + digest + data[at + len(blank) :]


def parse_manifest(data: bytes, document: bytes, tokenizer: Any = None) -> Manifest:
    """What the document of a file says; ``ModelFileError`` if the file is not what was written.

    ``tokenizer`` is the one that the model was made with, if it was: a file holds only its name.
    """
    if len(document) > LARGEST:
        raise ModelFileError(f"its document has {len(document)} bytes; a model has at most {LARGEST}")
    values = json.loads(document, object_pairs_hook=_unique, parse_constant=_no_number)
    _check_format(values)
    _check_digest(data, document, values["digest"])
    cut, classes = values["counted_with"], values["classes"]
    labels = python_labels([entry["label"] for entry in classes])
    if any(a >= b for a, b in itertools.pairwise(labels)):  # type: ignore[operator]
        raise ModelFileError("its classes are not sorted")
    try:
        _check_tokenizer(values["options"]["tokenizer"], tokenizer)
        options = {**_options(values["options"]), "tokenizer": tokenizer}
        analyzer = _analyzer(cut, tokenizer)
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"its options are not those of this version of likely: {error}") from None
    documents, tokens = (_exact(classes, name) for name in _TOTALS)
    if not (documents[0] | documents[1]).all():
        raise ModelFileError("one of its classes has no documents")
    dropped = values["dropped_terms"]
    if type(dropped) is not int or not 0 <= dropped < 2**53:
        raise ModelFileError("the number of its dropped terms is no count")
    remembered = {name: None if values[name] is None else read(values[name]) for name, read in _REMEMBERED.items()}
    return Manifest(options, analyzer, labels, documents, tokens, dropped, _bias(classes, options), **remembered)


def _check_tokenizer(name: Any, tokenizer: Any) -> None:
    if name == _name_of(tokenizer):
        return
    if name is None:
        raise ModelFileError("it was made without a tokenizer: load it without one")
    raise ModelFileError(
        f"it was made with the tokenizer {str(name)[:200]}: give that to load it, "
        "with likely.load(path, tokenizer=...)"
    )


def _analyzer(cut: Mapping[str, Any], tokenizer: Any) -> Analyzer:
    """The analyzer that counted, its values checked as the options of the same names are."""
    names = {each.name for each in fields(Analyzer)}
    if set(cut) != names:
        raise ModelFileError("what it was counted with has other keys than likely writes")
    values = {**cut, "tokenizer": tokenizer}
    for name in ("ngrams", "char_ngrams", "stop_words", "negation"):
        values[name] = tuple(values[name])
    value, lengths = values["value"], values["lengths"]
    lists = (cut["stop_words"], cut["negation"])
    if cut["tokenizer"] != _name_of(tokenizer) or not all(isinstance(words, list) for words in lists):
        raise ModelFileError("what it was counted with is not what likely writes")
    scaled = lengths is not None or values["equal"] is True
    if (
        (value == "presence") > scaled
        or type(values["equal"]) is not bool
        or values["stem"] not in ("none", *STEM_LANGUAGES.values())
    ):
        raise ModelFileError("what it was counted with is not what likely writes")
    if value not in ("count", "damped", "presence") or lengths not in (None, *OPTIONS["idf"].choices):
        raise ModelFileError("its terms count in a way that likely does not know")
    empty = [name for name in ("stop_words", "negation") if not values[name]]
    check_together(with_defaults({name: values[name] for name in ANALYZE_OPTIONS if name not in empty}))
    return Analyzer(**values)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ModelFileError("a key of its document stands twice")
    return found


def _no_number(text: str) -> Any:
    raise ModelFileError(f"{text} is no number that a model has")


def _check_format(values: Any) -> None:
    number = values.get("format") if isinstance(values, dict) else None
    if type(number) is not int or number < 1:
        raise ModelFileError("it is a Parquet file, but no model of likely's")
    if number != FORMAT:
        version = str(values.get("likely", "another version"))[:40]
        cure = "update likely" if number > FORMAT else "train it anew"
        raise ModelFileError(
            f"it has format {number}, written by likely {version}; this version reads format {FORMAT}: {cure}"
        )
    if set(values) != _KEYS:
        raise ModelFileError("its document has other keys than likely writes")


def _check_digest(data: bytes, document: bytes, digest: Any) -> None:
    written = _DIGEST.format(digest).encode()
    at = data.rindex(document) + document.find(written)
    blank = _DIGEST.format(_NO_DIGEST).encode()
    content = hashlib.sha256(memoryview(data)[:at])
    content.update(blank)
    content.update(memoryview(data)[at + len(blank) :])
    if document.count(written) != 1 or content.hexdigest() != digest:
        raise ModelFileError("it is damaged: its content is not that of its digest; get a fresh copy")


def _options(stored: Mapping[str, Any]) -> dict[str, Any]:
    prior = stored["prior"]
    if not isinstance(prior, str):
        pairs, prior = prior, dict(prior)
        if len(prior) != len(pairs):
            raise ModelFileError("its prior has a class twice")
    grams = {name: tuple(stored[name]) for name in ("ngrams", "char_ngrams")}
    if isinstance(stored["stop_words"], str) and stored["stop_words"] not in ("auto", *languages()):
        raise ModelFileError("its stop words are of a language that this version of likely does not have")
    values = with_defaults({**stored, **grams, "prior": prior, "tokenizer": None})
    check_together(values)
    return values


def _bias(classes: list[dict[str, Any]], options: Mapping[str, Any]) -> Array | None:
    found = [entry["bias"] for entry in classes if "bias" in entry]
    if not found:
        return None
    sound = all(type(each) is float and math.isfinite(each) for each in found)
    if len(found) != len(classes) or options["variant"] != LEARNED or not sound:
        raise ModelFileError("the bias of its classes is not what likely writes")
    return np.array(found)


def _exact(classes: list[dict[str, Any]], name: str) -> Exact:
    whole, fraction = ([entry.get(key, 0) for entry in classes] for key in (name, f"{name}_fraction"))
    if not all(type(number) is int and 0 <= number < 2**64 for number in whole + fraction):
        raise ModelFileError(f"the {name} of a class are no count")
    return np.array(whole, np.uint64), np.array(fraction, np.uint64)
