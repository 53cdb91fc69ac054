"""Whether a command does its work on Spark, and which of its flags then have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from likely.cli.flags import given
from likely.options.reading_table import READING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.options.typed import EngineOptions

OF_SPARK = ("text", "label", "weight", "format")
"""The options of reading that have an effect with --engine spark."""

NOT_ON_SPARK = {
    "test": ("--test", "`likely evaluate` evaluates a model file"),
    "holdout": ("--holdout", "`likely evaluate` evaluates a model file"),
    "say": ("--say", "leave out --engine to predict one text"),
    "where": ("--where", "filter the rows that `predict` writes, or leave out --engine"),
    "only_matching": ("--only-matching", "filter the rows that `predict` writes, or leave out --engine"),
    "overwrite": ("--overwrite", "delete the folder before"),
    "output_encoding": ("--output-encoding", "Spark writes UTF-8"),
}
"""Other flags that have no effect with --engine spark, and what to do instead."""


def is_on_spark(values: EngineOptions) -> bool:
    """Whether a command does its work on Spark. It is a usage error if its other flags do not go with that."""
    found = cast("Mapping[str, object]", values)
    if found["engine"] != "spark":
        if found["master"] is not None:
            raise click.UsageError("--master has no effect without --engine spark.")
        return False
    for name in given(READING, found):
        if name not in OF_SPARK:
            flag = READING[name].declaration.partition("/")[0]
            raise click.UsageError(f"{flag} has no effect with --engine spark: Spark reads the files.")
    for name, (flag, instead) in NOT_ON_SPARK.items():
        if found.get(name):
            raise click.UsageError(f"{flag} cannot be combined with --engine spark: {instead}.")
    return True
