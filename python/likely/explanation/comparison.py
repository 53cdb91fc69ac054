"""How two models differ: options, classes, and the words whose counts are not the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Label


@dataclass(frozen=True)
class Change:
    """A term whose count in a class is not the same: before and after."""

    term: str
    label: Label
    before: float
    after: float


@dataclass(frozen=True)
class Difference:
    """How a model differs from another.

    Attributes
    ----------
    options : dict
        Options that differ: the value before and after.
    documents : dict
        Classes whose number of documents differs: before and after; 0 where the class is not known.
    terms : (int, int)
        How many terms each knows.
    new_terms, lost_terms : int
        How many terms only the second, and only the first, knows.
    changed_counts : int
        How many pairs of a term and a class have another count.
    changes : list of Change
        Those that changed most.
    """

    options: dict[str, tuple[Any, Any]]
    documents: dict[Label, tuple[float, float]]
    terms: tuple[int, int]
    new_terms: int
    lost_terms: int
    changed_counts: int
    changes: list[Change]

    @property
    def is_none(self) -> bool:
        """Whether the models are the same."""
        return not (self.options or self.documents or self.changed_counts)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        document = asdict(self)
        document["documents"] = [[label, *pair] for label, pair in self.documents.items()]
        return document | {"same": self.is_none}


def difference(before: NaiveBayes, after: NaiveBayes, n: int = 10) -> Difference:
    """Compare two models, and list the ``n`` largest changes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> found = difference(model, model + NaiveBayes().fit(["good good"], ["+"]))
    >>> found.documents, found.changes
    ({'+': (1.0, 2.0)}, [Change(term='good', label='+', before=1.0, after=3.0)])
    """
    old, new = before.get_params(), after.get_params()
    options = {name: (old[name], new[name]) for name in old if old[name] != new[name] and name != "threads"}
    pairs = _changed(before.counts_table(), after.counts_table())
    pairs.sort(key=lambda pair: -abs(pair.after - pair.before))
    known = set(before.vocabulary_), set(after.vocabulary_)
    return Difference(
        options=options,
        documents=_documents(before, after),
        terms=(len(known[0]), len(known[1])),
        new_terms=len(known[1] - known[0]),
        lost_terms=len(known[0] - known[1]),
        changed_counts=len(pairs),
        changes=pairs[:n],
    )


def _documents(before: NaiveBayes, after: NaiveBayes) -> dict[Label, tuple[float, float]]:
    old, new = (
        dict(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True)) for model in (before, after)
    )
    labels = [*old, *(label for label in new if label not in old)]
    pairs = {label: (old.get(label, 0.0), new.get(label, 0.0)) for label in labels}
    return {label: pair for label, pair in pairs.items() if pair[0] != pair[1]}


def _changed(before: pa.Table, after: pa.Table) -> list[Change]:
    """The pairs of a term and a class with another count, sorted."""
    old, new = (
        dict(
            zip(
                zip(*(table[name].to_pylist() for name in ("term", "class")), strict=True),
                table["count"].to_pylist(),
                strict=True,
            )
        )
        for table in (before, after)
    )
    changed = sorted((key for key in old.keys() | new.keys() if old.get(key, 0) != new.get(key, 0)), key=str)
    return [
        Change(term, label, float(old.get((term, label), 0)), float(new.get((term, label), 0)))
        for term, label in changed
    ]
