"""`LabelRules`: what is done to labels as they are read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.labels import CodedLabels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.reading.batch import Batch
    from likely.reading.options import Reading
    from likely.types import Label

WHOLE = "none"
"""The value of ``label_separator`` that keeps labels whole."""

_MISSING = frozenset(("", "na", "n/a", "#n/a", "<na>", "null", "(null)", "none", "nan", "\\n", "-", "--", "?"))


def looks_missing(label: Label) -> bool:
    """Whether a label looks like a missing value.

    Examples
    --------
    >>> looks_missing("N/A"), looks_missing(" "), looks_missing("ham"), looks_missing(0)
    (True, True, False, False)
    """
    return isinstance(label, str) and label.strip().casefold() in _MISSING


@dataclass(frozen=True)
class LabelRules:
    """What is done to labels as they are read.

    Attributes
    ----------
    strip, fold : bool
        Whether white space around labels is removed, and whether case is ignored.
    separator : str or None
        What separates several labels, of which the first is read.
    skips_missing : bool
        Whether labels that look like missing values are left out.
    classes : mapping
        The classes of the model that the labels are read for, by the labels that stand for them.

    Examples
    --------
    >>> rules = LabelRules(strip=True, fold=True).with_classes(["Ham"])
    >>> rules.settled("HAM "), rules.settled("Spam"), rules.settled("  ")
    ('Ham', 'spam', None)
    """

    strip: bool = False
    fold: bool = False
    separator: str | None = None
    skips_missing: bool = False
    classes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: Reading) -> LabelRules:
        """The rules that the options of reading stand for."""
        separator = None if reading.label_separator == WHOLE else reading.label_separator
        return cls(bool(reading.strip_labels), bool(reading.fold_labels), separator, reading.missing_labels == "skip")

    def with_classes(self, classes: Iterable[Label]) -> LabelRules:
        """The same rules for labels of a model that has these classes. A label that is a class stays as it is."""
        known = [label for label in classes if isinstance(label, str)]
        return replace(self, classes={self._key(label): label for label in known} | {label: label for label in known})

    @property
    def are_idle(self) -> bool:
        """Whether every label stays as it is."""
        return not (self.strip or self.fold or self.separator or self.skips_missing)

    def settled(self, label: Label) -> Label | None:
        """The label that is read for a label of the source; None if the row is left out."""
        if not isinstance(label, str):
            return label
        first = self._first(label)
        if not first or (self.skips_missing and looks_missing(first)):
            return None
        key = self._key(first)
        return self.classes.get(first, self.classes.get(key, key)) or None

    def settled_batch(self, batch: Batch) -> Batch:
        """The batch with the labels that are read, and without the rows that are left out."""
        labels = batch.labels
        if labels is None or self.are_idle:
            return batch
        settled = [self.settled(value) for value in labels.values]
        if settled == labels.values:
            return batch
        places = {
            label: place for place, label in enumerate(dict.fromkeys(each for each in settled if each is not None))
        }
        codes = np.array([0 if each is None else places[each] for each in settled], np.uint32)[labels.codes]
        wanted = np.array([each is not None for each in settled], np.bool_)[labels.codes]
        read = replace(batch, labels=CodedLabels(list(places), codes))
        return read if wanted.all() else read.chosen(wanted)

    def _key(self, label: str) -> str:
        bare = label.strip() if self.strip else label
        return bare.casefold() if self.fold else bare

    def _first(self, label: str) -> str:
        """The first of several labels, or the label itself."""
        if not self.separator or self.separator not in label:
            return label
        return next((part.strip() for part in label.split(self.separator) if part.strip()), "")
