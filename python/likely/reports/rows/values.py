"""Single values as text or JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.terminal import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_unsure(classes: Iterable[object], abstain: object, reject_label: object) -> None:
    """Raise ``OptionError`` if a table could not tell a class from an abstention.

    Examples
    --------
    >>> check_unsure(["sure", "unsure"], 0.9, "nobody knows")
    >>> check_unsure(["sure", "unsure"], 0.9, None)
    Traceback (most recent call last):
    likely.errors.OptionError: a class is named 'unsure', as tables name an abstention: give another reject_label
    """
    if abstain and reject_label is None and UNSURE in map(str, classes):
        raise OptionError(f"a class is named {UNSURE!r}, as tables name an abstention: give another reject_label")


def to_json(value: object) -> str:
    """A value as JSON. NaN and infinite numbers become null, because JSON has none.

    Examples
    --------
    >>> to_json({"score": float("nan"), "raw": b"abc"})
    '{"score": null, "raw": "abc"}'
    """
    try:
        return json.dumps(value, default=plain, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), default=plain)


def plain(value: object) -> str:
    """A value as text; bytes are decoded as UTF-8."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _finite(value: object) -> object:
    """The value with None in place of every number that is not finite."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
