"""`SELECTING`: the options that say how documents are selected."""

from __future__ import annotations

from likely.options.kinds import is_truth, is_whole
from likely.options.option import Option, table_of
from likely.options.parsing import parse_truth

MOST_BUCKETS = 1 << 24
LARGEST_SEED = 2**64 - 1


def is_seed(value: object) -> bool:
    """Whether a value is a whole number of 64 bits."""
    return is_whole(value) and 0 <= value <= LARGEST_SEED


def is_number_of_words(value: object) -> bool:
    """Whether a value is a whole number from 0 on."""
    return is_whole(value) and value >= 0


def is_buckets(value: object) -> bool:
    """Whether a value is a number of buckets that the kernel can count."""
    return is_whole(value) and 1 <= value <= MOST_BUCKETS


SELECTING: dict[str, Option] = table_of(
    Option(
        "best",
        False,
        "True or False",
        "Select the documents with the largest weights, instead of a sample.",
        is_truth,
        parse_truth,
        flag="--best",
    ),
    Option(
        "seed",
        0,
        "a whole number from 0 to 2^64 - 1",
        "The seed of the sample. The same seed selects the same rows, whatever the number of threads.",
        is_seed,
        int,
    ),
    Option(
        "min_words",
        100,
        "a whole number >= 0",
        "Leave out documents with fewer words.",
        is_number_of_words,
        int,
    ),
    Option(
        "buckets",
        10_000,
        f"a whole number from 1 to {MOST_BUCKETS}",
        "The number of buckets that n-grams are hashed into.",
        is_buckets,
        int,
    ),
)
"""The options of selecting, by name."""
