"""`TUNING`: the options that only training has, because a model does not keep them."""

from __future__ import annotations

from likely.options.kinds import is_truth
from likely.options.option import Option, table_of
from likely.options.parsing import parse_truth

TUNING: dict[str, Option] = table_of(
    Option(
        "plain",
        False,
        "True or False",
        "Do not choose options: train the textbook classifier (multinomial, alpha 1, single words).",
        is_truth,
        parse_truth,
        flag="--plain",
    ),
)
"""The options of tuning, by name."""
