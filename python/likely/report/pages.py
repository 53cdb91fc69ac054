"""The pages: the report, an explanation, the textbook, and what notebooks show of models and evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.core.analyzer import Analyzer
from likely.core.calibration import calibration_sentence, record_sentence
from likely.evaluation.intervals import replicates_for
from likely.explanation.explanation import NOTICEABLE, Explanation, shown_classes, threshold_lines, times_text
from likely.explanation.words import changed_options, class_overviews, largest_classes
from likely.options.model import with_defaults
from likely.report.charts import chart_paths, curves_data
from likely.report.examples import ShownDocument, highlighted_start
from likely.report.live.model_data import preparation
from likely.report.live.scripts import bundled, stemmer
from likely.report.render import markup, percent, policy, render, script_json, styles, visible

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.report.material import ReportMaterial
    from likely.types import Label, Model

NOTEBOOK = "page/notebook.css"
MOST_ROWS = 500
"""At most this many classes are in the table of a report."""
MOST_IN_MATRIX = 60
"""At most this many classes are in the confusion matrix of a report: those with the most errors."""
MOST_IN_NOTEBOOK = 20
"""At most this many classes of an evaluation are shown in a notebook."""
MOST_INTERVALS = 20_000
"""With more pairs of classes, intervals would take too long for a notebook."""
MOST_CHARACTERS = 5_000
"""At most this many characters of an explained text are shown."""
MOST_TERMS = 10
"""At most this many terms of an explained text are listed."""
MOST_CLASSES = 10
"""At most this many classes of a model are shown in a notebook, the largest ones."""
MOST_WORDS = 8
"""At most this many words per class are shown in a notebook."""


def report_page(material: ReportMaterial) -> str:
    """The whole report. The same material gives the same page, to the last byte.

    Its content security policy allows its own style and scripts, by their hashes, and nothing else: no text of the
    data could ever be allowed to run.
    """
    evaluation = material.evaluation
    style = styles("shared/base.css", "page/page.css")
    script = markup(f'<script type="module">{bundled("report")}</script>')
    return render(
        "report.html",
        material=material,
        about=material.about,
        evaluation=evaluation,
        policy=markup(policy("".join([style, script, material.live]))),
        style=style,
        script=script,
        live=markup(material.live),
        data=script_json({**cells_data(material), **curves_data(material)}),
        warnings=warnings_of(evaluation),
        classes=class_rows(evaluation, MOST_ROWS),
        matrix=matrix(evaluation, MOST_IN_MATRIX),
        confused=confused_pairs(evaluation, MOST_IN_MATRIX),
        charts=None if material.overall is None else chart_paths(material.overall),
        replicates=replicates_for(len(evaluation.counts)),
        strongest_word=max((score for words in material.words.values() for _, score in words), default=1.0),
    )


def evaluation_html(evaluation: Evaluation) -> str:
    """An evaluation in a notebook: the headline, warnings, the classes, and the confusion matrix."""
    has_interval = len(evaluation.counts) <= MOST_INTERVALS
    return render(
        "evaluation.html",
        style=styles(NOTEBOOK),
        evaluation=evaluation,
        interval=evaluation.intervals["accuracy"] if has_interval else None,
        sentence="" if evaluation.reliability is None else calibration_sentence(evaluation.reliability),
        warnings=warnings_of(evaluation),
        classes=class_rows(evaluation, MOST_IN_NOTEBOOK),
        matrix=matrix(evaluation, MOST_IN_NOTEBOOK, errors_only=True),
    )


def explanation_html(explanation: Explanation) -> str:
    """An explanation in a notebook: the decision, the text with its words marked, and tables."""
    return render("explanation.html", style=styles(NOTEBOOK), **_explanation_context(explanation))


def explanation_page(explanation: Explanation) -> str:
    """A whole page: the marked text and the arithmetic. It has no scripts and loads nothing."""
    return render(
        "explanation_page.html",
        style=styles(NOTEBOOK),
        page_style=styles("shared/base.css"),
        policy=markup(policy(styles(NOTEBOOK) + styles("shared/base.css"))),
        arithmetic=explanation.describe(arithmetic=True),
        **_explanation_context(explanation),
    )


def _explanation_context(explanation: Explanation) -> dict[str, Any]:
    rival = explanation.rival
    contrasts = [] if rival is None else explanation.contrast(explanation.label, rival)
    return {
        "explanation": explanation,
        "thresholds": threshold_lines(explanation),
        "pieces": highlighted_start(explanation, MOST_CHARACTERS),
        "hidden_characters": max(len(explanation.text) - MOST_CHARACTERS, 0),
        "shown": shown_classes(explanation),
        "terms": [each for each in contrasts if abs(each.log_ratio) >= NOTICEABLE][:MOST_TERMS],
        "times": times_text,
    }


def model_html(model: Model) -> str:
    """A model in a notebook: what it is, its options, and its largest classes with their typical words."""
    is_trained = model.__sklearn_is_fitted__()
    record = model.calibration_ if is_trained else None
    return render(
        "model.html",
        style=styles(NOTEBOOK),
        options=changed_options(model._options()),
        is_trained=is_trained,
        terms=model.terms_ if is_trained else 0,
        has_stems=is_trained and model.analysis_.stem != "none",
        number_of_classes=len(model.classes_) if is_trained else 0,
        classes=class_overviews(model, largest_classes(model, MOST_CLASSES), MOST_WORDS) if is_trained else [],
        sentence="" if record is None else record_sentence(record),
    )


MOST_CONFUSED = 12
"""At most this many confused pairs are listed."""
FEW_CLASSES = 12
"""Up to this many classes, the matrix has wide columns with horizontal headings."""


def warnings_of(evaluation: Evaluation) -> list[str]:
    """What to beware of, without a full stop."""
    return [each.rstrip(".") for each in evaluation.warnings]


def class_rows(evaluation: Evaluation, most: int) -> dict[str, Any]:
    """At most this many classes, the largest ones in order: place, label and table; and how many are left out."""
    tables = list(evaluation.per_class.values())
    ranked = sorted(range(len(tables)), key=lambda at: (-tables[at].support, -tables[at].fp, at))
    shown = [(at, evaluation.labels[at], tables[at]) for at in sorted(ranked[:most])]
    return {"rows": shown, "left_out": len(tables) - len(shown)}


@dataclass(frozen=True)
class Matrix:
    """The part of a confusion matrix that people can look at.

    Attributes
    ----------
    places, labels : list
        The classes that are shown, in order.
    columns : list of int
        The places of the columns; -1 is that of the documents without an answer.
    rows : list
        The numbers of documents by row.
    wrong : set of int
        The places of the classes with errors.
    classes : int
        The number of all classes.
    """

    places: list[int]
    labels: list[Label]
    columns: list[int]
    rows: list[list[int]]
    wrong: set[int]
    classes: int

    @property
    def is_wide(self) -> bool:
        """Whether it has so many classes that headings stand upright."""
        return len(self.places) > FEW_CLASSES

    def counts(self) -> list[list[int]]:
        """The numbers of documents of the classes."""
        return [row[: len(self.places)] for row in self.rows]


def matrix(evaluation: Evaluation, most: int, *, errors_only: bool = False) -> Matrix:
    """The confusion matrix of at most this many classes.

    Examples
    --------
    >>> from likely import evaluate
    >>> found = matrix(evaluate(["a", "b", "c", "c"], ["a", "c", "b", "c"]), 2)
    >>> found.labels, found.counts()
    (['b', 'c'], [[0, 1], [1, 1]])
    """
    places = matrix_places(evaluation, most, errors_only=errors_only)
    counts = cell_counts(evaluation)
    columns = [*places, *([-1] if evaluation.abstained else [])]
    errors = evaluation.gold != evaluation.predicted
    return Matrix(
        places=places,
        labels=[evaluation.labels[at] for at in places],
        columns=columns,
        rows=[[counts.get((gold, said), 0) for said in columns] for gold in places],
        wrong={*evaluation.gold[errors].tolist(), *evaluation.predicted[errors].tolist()},
        classes=len(evaluation.labels),
    )


def matrix_places(evaluation: Evaluation, most: int, *, errors_only: bool = False) -> list[int]:
    """The places of the classes that occur, in order; of more than ``most`` classes, those with the most errors.

    With ``errors_only``, these have at least one error, if there is any.
    """
    errors = evaluation.gold != evaluation.predicted
    busy = np.zeros(len(evaluation.labels) + 1, np.int64)  # the last place is for documents without an answer
    for places in (evaluation.gold, evaluation.predicted):
        np.add.at(busy, places, np.where(errors, 1_000_000 * evaluation.counts, evaluation.counts))
    ranked = np.argsort(-busy[:-1], kind="stable")
    is_cut = errors_only and len(evaluation.labels) > most and bool(errors.any())
    least = 1_000_000 if is_cut else 1
    return sorted(int(at) for at in ranked[:most] if busy[at] >= least)


def cell_counts(evaluation: Evaluation) -> dict[tuple[int, int], int]:
    """The number of documents per pair of places that occurs: of the label, and of the prediction."""
    pairs = zip(evaluation.gold.tolist(), evaluation.predicted.tolist(), evaluation.counts.tolist(), strict=True)
    return {(gold, predicted): count for gold, predicted, count in pairs}


def confused_pairs(evaluation: Evaluation, most: int) -> list[dict[str, Any]]:
    """The most confused pairs of the classes in the matrix."""
    places = {label: at for at, label in enumerate(evaluation.labels)}
    shown = set(matrix_places(evaluation, most))
    pairs = [each for each in evaluation.confused if places[each.gold] in shown][:MOST_CONFUSED]
    return [{"pair": each, "cell": f"{places[each.gold]},{places.get(each.predicted, -1)}"} for each in pairs]


def cells_data(material: ReportMaterial) -> dict[str, object]:
    """The examples of the cells for the script: labels, totals, and documents by cell."""
    evaluation = material.evaluation
    places: dict[Label | None, int] = {label: at for at, label in enumerate(evaluation.labels)}
    return {
        "labels": [visible(label) for label in evaluation.labels],
        "totals": {f"{gold},{predicted}": count for (gold, predicted), count in cell_counts(evaluation).items()},
        "cells": {
            f"{places[gold]},{places.get(predicted, -1)}": [_plain_example(example) for example in examples]
            for (gold, predicted), examples in material.cells.items()
        },
    }


def _plain_example(example: ShownDocument) -> list[object]:
    """An example as a list: row from 1, the two probabilities in percent, the rival, then text and shade in turn."""
    pieces = [part for piece in example.pieces for part in piece]
    rival = None if example.rival is None else visible(example.rival)
    return [example.row + 1, percent(example.probability), percent(example.of_gold), rival, pieces]


_LANGUAGE = "english"


def textbook_page() -> str:
    """The page as HTML. Its texts are cut as `NaiveBayes` cuts them; the stop words and stems are English.

    Examples
    --------
    >>> page = textbook_page()
    >>> "Naive Bayes, number by number" in page, "default-src 'none'" in page, len(page.encode()) < 400_000
    (True, True, True)
    """
    plain = preparation(Analyzer.of(with_defaults({})))
    stop_words = preparation(Analyzer.of(with_defaults({"stop_words": "en"})))["stop_words"]
    style = styles("shared/base.css", "textbook/textbook.css")
    settings = script_json(
        {"preparation": plain, "stopWords": stop_words, "hasStems": stemmer(_LANGUAGE) is not None}
    )
    script = bundled("textbook", _LANGUAGE)
    return render(
        "textbook.html",
        policy=markup(policy(f'{style}<script type="module">\n{script}</script>')),
        style=style,
        settings=settings,
        script=markup(script),
    )
