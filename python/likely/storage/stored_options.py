"""The options and the analyzer of a model as JSON values, in one way only: equal models have equal files."""

from __future__ import annotations

import json
import numbers
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.analyzer import tokenizer_name
from likely.core.stop_words import languages, stop_word_list
from likely.errors import ModelFileError
from likely.options.table import OPTIONS

if TYPE_CHECKING:
    from likely.core.analyzer import Analyzer
    from likely.core.counts import Counts
    from likely.options.typed import ModelOptions
    from likely.types import ClassWeight, Label, Prior, Thresholds, Tokenizer


def stored_options(options: Mapping[str, object], counts: Counts) -> dict[str, object]:
    """The options of a model by name, as JSON values."""
    apart = ("prior", "class_weight", "tokenizer", "stop_words", "thresholds")
    # Only for these options is 1 the same as 1.0: for min_documents, 1 is one document and 1.0 is all documents.
    like = {name: OPTIONS[name].default for name in ("alpha", "cost", "interpolation")}
    stored = {name: _plain(value, like.get(name)) for name, value in options.items() if name not in apart}
    typed = cast("ModelOptions", options)
    stop_words = typed["stop_words"]
    if stop_words is not None and stop_words not in ("auto", *languages()):
        # The list is stored, not the name of its file, which may not exist when the model is loaded.
        stop_words = list(counts.analyzer.stop_words or stop_word_list(stop_words))
    # The number of threads is not stored: the same counts must give the same bytes on any machine.
    return stored | {
        "stop_words": stop_words,
        "tokenizer": name_of(typed["tokenizer"]),
        "prior": stored_shares(typed["prior"]),
        "class_weight": stored_shares(typed["class_weight"]),
        "thresholds": stored_thresholds(typed["thresholds"]),
        "threads": None,
    }


def stored_shares(value: Prior | ClassWeight) -> str | list[list[object]] | None:
    """A mapping from classes to numbers as sorted pairs; a name, or None, stays as it is."""
    if value is None or isinstance(value, str):
        return value
    shares = cast("Mapping[Label, float]", value)
    return sorted(([_plain(label), float(share)] for label, share in shares.items()), key=json.dumps)


def stored_thresholds(thresholds: Thresholds | None) -> str | list[list[object]] | None:
    """Thresholds as JSON: lists of a class and its threshold, or of two classes and a cost.

    Examples
    --------
    >>> stored_thresholds({"spam": 0.3}), stored_thresholds({("ham", "spam"): 5})
    ([['spam', 0.3]], [['ham', 'spam', 5.0]])
    """
    if thresholds is None or isinstance(thresholds, str):
        return thresholds
    keys = {key: key if isinstance(key, tuple) else (key,) for key in thresholds}
    values = cast("Mapping[object, float]", thresholds)
    rows = [[*map(_plain, labels), float(values[key])] for key, labels in keys.items()]
    return sorted(rows, key=json.dumps)


def thresholds_from(stored: object) -> Thresholds | None:
    """The thresholds that `stored_thresholds` wrote; their values are checked elsewhere, as options are."""
    if stored is None or isinstance(stored, str):
        return stored
    if not isinstance(stored, list) or not all(isinstance(row, list) and len(row) in (2, 3) for row in stored):
        raise ModelFileError("its thresholds are not as `likely` writes them")
    found = {row[0] if len(row) == 2 else tuple(row[:2]): row[-1] for row in stored}
    if len(found) != len(stored):
        raise ModelFileError("its thresholds have the same class twice")
    return cast("Thresholds", found)


def _plain(value: object, like: object = None) -> object:
    """The value as JSON writes and reads it: numbers of numpy become Python numbers, floats if ``like`` is one."""
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
    whole = isinstance(value, numbers.Integral) and not isinstance(like, float)
    return int(cast("int", value)) if whole else float(cast("float", value))


def stored_analyzer(analyzer: Analyzer) -> dict[str, object]:
    """The fields of an analyzer by name, as JSON values."""
    stored = {name: _plain(value) for name, value in analyzer.fields().items() if name != "tokenizer"}
    return stored | {"tokenizer": name_of(analyzer.tokenizer)}


def name_of(tokenizer: Tokenizer | None) -> str | None:
    """The name of a tokenizer in a model file; None if there is none."""
    return None if tokenizer is None else tokenizer_name(tokenizer)
