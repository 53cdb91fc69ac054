"""The sample corpus: 480 short reviews that were written for this project."""

from __future__ import annotations

import csv
import io
from importlib import resources


def load_sample() -> tuple[list[str], list[str]]:
    """The texts and the labels of the sample corpus; positive and negative reviews alternate.

    Examples
    --------
    >>> texts, labels = load_sample()
    >>> len(texts), sorted(set(labels))
    (480, ['negative', 'positive'])
    """
    source = resources.files("likely").joinpath("data/sample.csv")
    rows = list(csv.DictReader(io.StringIO(source.read_text(encoding="utf-8"), newline="")))
    return [row["text"] for row in rows], [row["label"] for row in rows]
