"""`TUNING`: the options that say how the options of a model are chosen."""

from __future__ import annotations

from likely.options.kinds import GOALS, is_budget, is_goal, is_truth
from likely.options.option import Option, one_of, table_of
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
    Option(
        "strongest",
        False,
        "True or False",
        "Also try variant 'nbsvm', which takes longer to train; the model can then neither learn nor forget.",
        is_truth,
        parse_truth,
        flag="--strongest",
    ),
    Option(
        "tune_for",
        None,
        "None, " + one_of((*GOALS, "f1:CLASS")),
        "The measure by which options are chosen. 'auto' chooses the best log-loss among the settings whose accuracy "
        "is not significantly below the best one.",
        is_goal,
        known=GOALS,
        metavar="|".join((*GOALS, "f1:CLASS")),
        default_text="auto",
    ),
    Option(
        "budget",
        None,
        "a time above 0 such as 30, '30s' or '2m', or None",
        "About how long choosing options may take, such as 30s or 2m.",
        is_budget,
        metavar="TIME",
        default_text="10s",
    ),
)
"""The options of tuning, by name."""
