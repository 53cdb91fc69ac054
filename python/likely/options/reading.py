"""`ReadingOptions`, `TrainingOptions` and `ScaleOptions`: what reading, training and selecting decide by."""

# ruff: noqa: RUF009 - `option` makes a field

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from likely.errors import SourceError
from likely.options.kinds import Kind, is_encoding, text_or_none, whole
from likely.options.model import check_options
from likely.options.option import option, table_of

WRITTEN_FORMATS = ("csv", "tsv", "jsonl", "parquet")
"""The formats in which predictions are written."""

Format = Literal["csv", "tsv", "jsonl", "json", "parquet", "arrow", "excel", "fasttext", "lines", "mbox", "eml"]
"""The names of the file formats."""

COLUMN = text_or_none("the name of a column", "COLUMN")


_reading = partial(option, group="Data", error=SourceError)
_selecting = partial(option, group="Selection", everyday=True)


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How a source of labelled texts is read."""

    text: str | None = _reading(
        None,
        "Read texts from this column.",
        COLUMN,
        everyday=True,
        flag="--text-column",
        default_text="guessed",
    )
    label: str | None = _reading(
        None,
        "Read labels from this column.",
        COLUMN,
        everyday=True,
        flag="--label-column",
        default_text="guessed",
    )
    as_label: str | None = _reading(
        None,
        "Give every text this label.",
        text_or_none("a label", "LABEL"),
        details="For example mail from a pipe, which has no file name to use as a label.",
        default_text="the labels in the data",
    )
    weight: str | None = _reading(
        None,
        "Read row weights from this column; weight 2 counts twice.",
        COLUMN,
        default_text="1 for each row",
    )
    group: str | None = _reading(
        None,
        "Keep rows with the same value in this column together.",
        COLUMN,
        details="For example the author or the thread: each group is evaluated by a model without it, and held "
        "out as a whole.",
        default_text="only copies of a text",
    )
    sql: str | None = _reading(
        None,
        "Read the rows that this SQL query returns.",
        text_or_none("a query", "QUERY"),
        details="The source, if there is one, is a database file.",
    )
    format: Format | None = _reading(
        None,
        "Read files in this format.",
        everyday=True,
        flag="--input-format",
        default_text="by file name",
    )
    header: bool | None = _reading(
        None,
        "Say whether tables start with a header row.",
        details="Without one, the columns of CSV files, TSV files and workbooks are named 1, 2, ...",
        default_text="true, unless row 1 looks like data",
    )
    sheet: str | None = _reading(
        None,
        "Read this sheet of an Excel workbook.",
        text_or_none("the name of a sheet", "NAME"),
        default_text="the first with rows",
    )
    strict: bool = _reading(False, "Stop at the first unreadable row instead of skipping it.")
    allow_partial: bool = _reading(
        False,
        "Train even if over 5% of rows are unreadable.",
        details="Or if skipping them removes a class.",
    )
    encoding: str | None = _reading(
        None,
        "Decode text files with this encoding.",
        Kind(
            "an encoding of text such as 'utf-8', 'latin-1', 'cp1252' or 'utf-16', or None",
            is_encoding,
            metavar="NAME",
        ),
        details="It applies to CSV, TSV, JSON, plain text, and the documents of a folder.",
        everyday=True,
        default_text="detected",
    )
    strip_labels: bool | None = _reading(
        None,
        "Remove white space around labels.",
        default_text="false, with a warning",
    )
    fold_labels: bool | None = _reading(
        None,
        "Ignore case in labels.",
        details="Each becomes the class of the model that differs only in case, or else lower case.",
        default_text="false, with a warning",
    )
    missing_labels: Literal["keep", "skip"] | None = _reading(
        None,
        "Keep or skip rows labelled NA, null, ? and the like.",
        default_text="keep, with a warning",
    )
    label_separator: str | None = _reading(
        None,
        "Read only the first of several labels split by this text.",
        Kind(
            "'none', a separator such as ';', or None",
            lambda value: value is None or (isinstance(value, str) and bool(value)),
            metavar="none|TEXT",
        ),
        details="'none' keeps labels whole. Without it, there is a warning if nearly every row has several labels.",
        default_text="none",
    )

    def __post_init__(self) -> None:
        for name, each in READING.items():
            each.check(getattr(self, name))
        if self.as_label is not None and self.label is not None:
            raise SourceError(
                "as_label (--as-label) gives every text the same label: leave out label (--label-column)"
            )


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """What only training decides by, because a model does not keep it."""

    plain: bool = option(
        False,
        "Train the textbook classifier, untuned.",
        details="It is multinomial, with alpha 1 and single words, and not calibrated.",
        group="Tuning",
        everyday=True,
    )


@dataclass(frozen=True, kw_only=True)
class ScaleOptions:
    """How documents are selected from many."""

    best: bool = _selecting(False, "Select the documents with the largest weights, not a sample.")
    seed: int = _selecting(
        0,
        "Draw the sample with this seed.",
        whole(0, 2**64 - 1),
        details="The same seed selects the same rows, whatever the number of threads.",
    )
    min_words: int = _selecting(100, "Leave out documents with fewer words.", whole(0))
    buckets: int = _selecting(10_000, "Hash n-grams into this many buckets.", whole(1, 1 << 24))


READING = table_of(ReadingOptions)
TUNING = table_of(TrainingOptions)
SELECTING = table_of(ScaleOptions)

OF_TEXTS = ("text", "sql", "format", "header", "sheet", "strict", "encoding")
"""The options of reading that have an effect even if no labels are read."""
OF_LABELS = tuple(name for name in READING if name not in OF_TEXTS)
"""All others."""
OF_LEARNING = ("weight", "group", "allow_partial")
"""The options of reading that have no effect if nothing is learned from the labels."""


def reading_of(values: Mapping[str, Any]) -> ReadingOptions:
    """How a source is read, from options by name.

    Examples
    --------
    >>> reading_of({"texts": "body"})
    Traceback (most recent call last):
    likely.errors.OptionError: there is no option 'texts': did you mean 'text'?
    """
    check_options(values, table=READING)
    return ReadingOptions(**values)
