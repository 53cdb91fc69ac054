"""`READING`: the options that say how a source of labelled texts is read."""

from __future__ import annotations

from likely.errors import SourceError
from likely.options.kinds import (
    is_encoding,
    is_path_or_none,
    is_separator,
    is_text_or_none,
    is_truth,
    is_truth_or_none,
)
from likely.options.option import Option, one_of, table_of
from likely.options.parsing import parse_truth

WRITTEN_FORMATS = ("csv", "tsv", "jsonl", "parquet")
"""The formats in which predictions are written."""

FORMATS = ("csv", "tsv", "jsonl", "json", "parquet", "arrow", "excel", "fasttext", "lines", "mbox", "eml")
"""The names of the file formats."""

KEPT_OR_SKIPPED = ("keep", "skip")
"""What can be done with rows that are doubtful."""

READING: dict[str, Option] = table_of(
    Option(
        "text",
        None,
        "the name of a column, or None",
        "The column with the texts.",
        is_text_or_none,
        metavar="COLUMN",
        flag="--text-column",
        default_text="that of the model, else guessed, and reported",
        error=SourceError,
    ),
    Option(
        "label",
        None,
        "the name of a column, or None",
        "The column with the labels.",
        is_text_or_none,
        metavar="COLUMN",
        flag="--label-column",
        default_text="that of the model, else guessed, and reported",
        error=SourceError,
    ),
    Option(
        "weight",
        None,
        "the name of a column, or None",
        "The column with the weight of each row, a number >= 0: a row of weight 2 counts twice.",
        is_text_or_none,
        metavar="COLUMN",
        default_text="each row has the weight 1",
        error=SourceError,
    ),
    Option(
        "group",
        None,
        "the name of a column, or None",
        "The column with the group of each row, such as its author or thread: a group is judged by a "
        "model without it, and held out as a whole.",
        is_text_or_none,
        metavar="COLUMN",
        default_text="only the copies of a text belong together",
        error=SourceError,
    ),
    Option(
        "labels_file",
        None,
        "the path of a file, or None",
        "A file with one label per line, for the texts in the same order. The data then needs no labels.",
        is_path_or_none,
        metavar="FILE",
        flag="--labels",
        error=SourceError,
    ),
    Option(
        "sql",
        None,
        "a query, or None",
        "Read the rows that this SQL query returns. The source, if there is one, is a database file.",
        is_text_or_none,
        metavar="QUERY",
        error=SourceError,
    ),
    Option(
        "format",
        None,
        "None, " + one_of(FORMATS),
        "The format of the files.",
        lambda value: value is None or (isinstance(value, str) and value in FORMATS),
        choices=FORMATS,
        flag="--input-format",
        default_text="by the name of each file, then by its content",
        error=SourceError,
    ),
    Option(
        "header",
        None,
        "True, False or None",
        "Whether CSV files, TSV files and workbooks start with a header. Without one, columns are named 1, 2, ...",
        is_truth_or_none,
        parse_truth,
        flag="--header/--no-header",
        default_text="true, but an error if the first row looks like data",
        error=SourceError,
    ),
    Option(
        "sheet",
        None,
        "the name of a sheet, or None",
        "The sheet of an Excel workbook.",
        is_text_or_none,
        metavar="NAME",
        default_text="the first visible one that has rows",
        error=SourceError,
    ),
    Option(
        "strict",
        False,
        "True or False",
        "Stop with an error at the first row that cannot be read, instead of skipping it.",
        is_truth,
        parse_truth,
        flag="--strict",
        error=SourceError,
    ),
    Option(
        "allow_partial",
        False,
        "True or False",
        "Train even if over 5% of rows are unreadable, or if skipping them removes a class.",
        is_truth,
        parse_truth,
        flag="--allow-partial",
        error=SourceError,
    ),
    Option(
        "encoding",
        None,
        "an encoding of text such as 'utf-8', 'latin-1', 'cp1252' or 'utf-16', or None",
        "The encoding of text: CSV, TSV, JSON, plain text, and the documents of a folder.",
        is_encoding,
        metavar="NAME",
        default_text="recognised, and reported",
        error=SourceError,
    ),
    Option(
        "strip_labels",
        None,
        "True, False or None",
        "Remove white space around labels.",
        is_truth_or_none,
        parse_truth,
        flag="--strip-labels/--no-strip-labels",
        default_text="false, but a warning if there is any",
        error=SourceError,
    ),
    Option(
        "fold_labels",
        None,
        "True, False or None",
        "Ignore case in labels: each becomes the class of the model that differs only in case, or else lower case.",
        is_truth_or_none,
        parse_truth,
        flag="--fold-labels/--no-fold-labels",
        default_text="false, but a warning if labels differ only in case",
        error=SourceError,
    ),
    Option(
        "missing_labels",
        None,
        "None, " + one_of(KEPT_OR_SKIPPED),
        "Rows with labels that look like missing values (NA, null, ?): 'keep' them or 'skip' them.",
        lambda value: value is None or (isinstance(value, str) and value in KEPT_OR_SKIPPED),
        choices=KEPT_OR_SKIPPED,
        default_text="keep, with a warning",
        error=SourceError,
    ),
    Option(
        "label_separator",
        None,
        "'none', a separator such as ';', or None",
        "The separator of several labels in one field, of which only the first is read; 'none' keeps labels whole.",
        is_separator,
        metavar="none|TEXT",
        default_text="none, but a warning if nearly every row has several labels",
        error=SourceError,
    ),
    Option(
        "repeated_headers",
        None,
        "None, " + one_of(KEPT_OR_SKIPPED),
        "Rows that repeat the names of the columns: 'keep' them or 'skip' them.",
        lambda value: value is None or (isinstance(value, str) and value in KEPT_OR_SKIPPED),
        choices=KEPT_OR_SKIPPED,
        default_text="skip, with a warning",
        error=SourceError,
    ),
)
"""The options of reading, by name."""

OF_LABELS = (
    "label",
    "weight",
    "group",
    "labels_file",
    "allow_partial",
    "strip_labels",
    "fold_labels",
    "missing_labels",
    "label_separator",
    "repeated_headers",
)
"""The options of reading that have no effect if no labels are read."""

OF_LEARNING = ("weight", "group", "allow_partial")
"""The options of reading that have no effect if nothing is learned from the labels."""

OF_TRAINING = ("group",)
"""The options of reading that have no effect on a model that learns more, or forgets."""
