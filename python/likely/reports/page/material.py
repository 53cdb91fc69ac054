"""`Material`: everything that a report shows, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.ranking import Sweep
    from likely.explanation.independence import Independence
    from likely.reports.page.example import Example
    from likely.types import Label


@dataclass(frozen=True)
class About:
    """What the report is about. Nothing is taken from a clock or from the machine, so that bytes can be repeated.

    Attributes
    ----------
    title : str or None
        The title of the page. Default: the names of the model and of the data.
    date : str or None
        The date of the report, as it was given.
    model, data : str or None
        The names of the model and of the data.
    reading : list of str
        What was read, and what was left out: one sentence each.
    command : str
        The command that trains the same model.
    options : dict
        All options of the model.
    changed : dict
        Those options that do not have their default values.
    facts : list of (str, str)
        Further lines about the model: name and value.
    """

    title: str | None = None
    date: str | None = None
    model: str | None = None
    data: str | None = None
    reading: list[str] = field(default_factory=list)
    command: str = ""
    options: dict[str, object] = field(default_factory=dict)
    changed: dict[str, object] = field(default_factory=dict)
    facts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """The title, or else one from the names.

        Examples
        --------
        >>> About(model="reviews.likely", data="test.csv").heading, About().heading
        ('reviews.likely on test.csv', 'Evaluation of a model')
        """
        names = " on ".join(each for each in (self.model, self.data) if each)
        return self.title or names or "Evaluation of a model"


@dataclass(frozen=True)
class Contradicted:
    """A document whose label is probably wrong, and the probability that it is."""

    example: Example
    probability: float


@dataclass(frozen=True)
class Material:
    """Everything that a report shows.

    Attributes
    ----------
    about : About
        What the report is about.
    evaluation : Evaluation
        The measures.
    overall : Sweep or None
        What a threshold on the probability of the predicted class does; None without probabilities.
    sweeps : dict
        What a threshold on the probability of a class does, by class.
    cells : dict
        Examples by gold label and predicted class, the worst first.
    mistakes : list of Example
        The worst errors.
    suspects : list of Contradicted
        Documents that are probably mislabelled, worst first.
    words : dict
        The most typical terms of each class, with their scores; empty if terms have no names.
    independence : Independence or None
        The pairs of terms that are least independent.
    live : str
        The live classifier: a section with its style, script and model, as `live_part` makes it; may be empty.
    """

    about: About
    evaluation: Evaluation
    overall: Sweep | None
    sweeps: dict[Label, Sweep]
    cells: dict[tuple[Label, Label | None], list[Example]]
    mistakes: list[Example]
    suspects: list[Contradicted] | None
    words: dict[Label, list[tuple[str, float]]]
    independence: Independence | None
    live: str = ""
