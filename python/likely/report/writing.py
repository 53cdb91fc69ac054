"""Write a report: its place, its date, and the name of its data."""

from __future__ import annotations

import os
from datetime import date as calendar_date
from typing import TYPE_CHECKING

from likely.errors import ModelFileError, OptionError, OutputError
from likely.reading.atomic import write_whole

if TYPE_CHECKING:
    from typing import Any

    from likely.evaluation.evaluation import Evaluation
    from likely.report.material import About
    from likely.types import Path


def write_report(model: Any, evaluation: Evaluation, path: Path, about: About) -> int:
    """Write the report of an evaluation whose answers were kept; the number of bytes is returned."""
    data = report_bytes(model, evaluation, about)
    try:
        write_whole(path, data)
    except ModelFileError as error:
        raise unwritable(path, str(error)) from error
    return len(data)


def report_bytes(model: Any, evaluation: Evaluation, about: About, *, live: bool = True) -> bytes:
    """The page of an evaluation whose answers were kept; with ``live``, it has a form to try the model."""
    from likely.report.material import gathered, with_live
    from likely.report.pages import report_page

    material = gathered(model, evaluation, about)
    return report_page(with_live(material, model) if live else material).encode()


def check_place(path: Path) -> None:
    """Raise ``OutputError`` if a file cannot be written there, before anything is computed."""
    place = os.path.abspath(os.fspath(path))
    folder = os.path.dirname(place)
    if os.path.isdir(place):
        raise unwritable(path, "it is a folder: name a file in it")
    if not os.path.isdir(folder):
        raise unwritable(path, "there is no such folder: create it first")
    if not os.access(place if os.path.exists(place) else folder, os.W_OK):
        raise unwritable(path, "choose a place where you may write, or change its permissions")


def unwritable(path: Path, why: str) -> OutputError:
    """The error for a report that cannot be written."""
    return OutputError(f"cannot write the report to {os.fspath(path)!r}: {why}")


def checked_date(date: str | calendar_date | None) -> str | None:
    """The date as YYYY-MM-DD; ``OptionError`` if it is not a date.

    Examples
    --------
    >>> checked_date("2026-11-16"), checked_date(None)
    ('2026-11-16', None)
    >>> checked_date("yesterday")
    Traceback (most recent call last):
    likely.errors.OptionError: date='yesterday' is not allowed: write it as YYYY-MM-DD
    """
    if date is None:
        return None
    try:
        return str(date)[:10] if isinstance(date, calendar_date) else calendar_date.fromisoformat(date).isoformat()
    except (TypeError, ValueError):
        raise OptionError(f"date={date!r} is not allowed: write it as YYYY-MM-DD") from None


def name_of_source(source: object) -> str | None:
    """The name of a source as people know it: those of its files without their folders; None of a frame.

    Examples
    --------
    >>> name_of_source("data/test.csv"), name_of_source(["a.csv", "b.csv"]), name_of_source({"text": []})
    ('test.csv', 'a.csv, b.csv', None)
    """
    from likely.reading.corpus import are_places
    from likely.terminal import named

    if not are_places(source):
        return None
    places = [source] if isinstance(source, str | os.PathLike) else list(source)
    names = [os.path.basename(os.path.normpath(os.fspath(place))) for place in places]
    return named(names, 3)
