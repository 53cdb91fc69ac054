"""`Reading`: how a source is read, as one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from likely.options.reading_table import READING
from likely.options.table import check_options

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from likely.options.typed import ReadingOptions


@dataclass(frozen=True)
class Reading:
    """How a source is read. The fields are the options of `likely.options.table.READING`."""

    text: str | None = None
    label: str | None = None
    weight: str | None = None
    group: str | None = None
    labels_file: str | os.PathLike[str] | None = None
    sql: str | None = None
    format: str | None = None
    header: bool | None = None
    sheet: str | None = None
    strict: bool = False
    allow_partial: bool = False
    encoding: str | None = None
    strip_labels: bool | None = None
    fold_labels: bool | None = None
    missing_labels: str | None = None
    label_separator: str | None = None
    repeated_headers: str | None = None

    def __post_init__(self) -> None:
        for name, option in READING.items():
            option.check(getattr(self, name))


def reading_of(values: Mapping[str, object]) -> Reading:
    """The `Reading` of options by name.

    Examples
    --------
    >>> reading_of({"texts": "body"})
    Traceback (most recent call last):
    likely.errors.OptionError: there is no option 'texts': did you mean 'text'?
    """
    check_options(values, table=READING)
    return Reading(**cast("ReadingOptions", values))
