"""`ENGINE`: the options that say where a command does its work."""

from __future__ import annotations

from likely.options.kinds import is_text_or_none
from likely.options.option import Option, choice, table_of

ENGINES = ("native", "spark")

ENGINE: dict[str, Option] = table_of(
    choice(
        "engine",
        ENGINES,
        "Where the work is done: 'native' is this process, 'spark' a cluster of Spark, for files in Parquet, CSV or "
        "JSON.",
    ),
    Option(
        "master",
        None,
        "the URL of a master of Spark, such as 'local[2]', 'yarn' or 'spark://host:7077'",
        "With engine 'spark': the master of the cluster.",
        is_text_or_none,
        metavar="URL",
        default_text="local[*]",
    ),
)
"""The options of the engine, by name."""
