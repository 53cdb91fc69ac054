"""The pages: the report, an explanation, and what notebooks show of models, evaluations and explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.core.calibration import calibration_sentence, record_sentence
from likely.evaluation.intervals import replicates_for
from likely.explanation.explanation import NOTICEABLE, arithmetic_text, shown_classes, threshold_lines, times_text
from likely.explanation.words import changed_options
from likely.report.charts import chart_paths, curves_data
from likely.report.examples import highlighted_start
from likely.report.render import asset, markup, policy, render, script_json
from likely.report.sections import (
    cells_data,
    class_rows,
    confused_pairs,
    matrix,
    measures,
    shown_pairs,
    summary,
    warnings_of,
)

if TYPE_CHECKING:
    from typing import Any

    from markupsafe import Markup

    from likely.evaluation.evaluation import Evaluation
    from likely.explanation.explanation import Explanation
    from likely.report.material import ReportMaterial

SCRIPTS = ("table.js", "documents.js", "matrix.js", "threshold.js", "print.js")
"""The scripts of a report, which are one module in the page, in this order."""
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
    """The whole report. The same material gives the same page, to the last byte."""
    return render("report.html", **_report_context(material))


def _report_context(material: ReportMaterial) -> dict[str, Any]:
    """What the template of the report shows."""
    evaluation = material.evaluation
    return {
        "material": material,
        "about": material.about,
        "evaluation": evaluation,
        "policy": markup(report_policy(material.live)),
        "style": _style("page.css"),
        "script": _script(),
        "live": markup(material.live),
        "data": script_json({**cells_data(material), **curves_data(material)}),
        "summary": summary(evaluation),
        "warnings": warnings_of(evaluation),
        "measures": measures(evaluation),
        "classes": class_rows(evaluation, MOST_ROWS),
        "matrix": matrix(evaluation, MOST_IN_MATRIX),
        "confused": confused_pairs(evaluation, MOST_IN_MATRIX),
        "charts": None if material.overall is None else chart_paths(material.overall),
        "pairs": shown_pairs(material.independence),
        "replicates": replicates_for(len(evaluation.counts)),
        "strongest_word": max((score for words in material.words.values() for _, score in words), default=1.0),
    }


def report_policy(live: str = "") -> str:
    """The content security policy of a report: its own style and script, by their hashes, and nothing else.

    The hashes are those of styles and scripts only: no text of the data could ever be allowed to run. ``live`` is the
    live classifier, if the report has one.

    Examples
    --------
    >>> report_policy().split("; ")[0], report_policy().split("; ")[-1]
    ("default-src 'none'", "form-action 'none'")
    """
    inline = "".join([_style("page.css"), _script(), live])
    return f"{policy(inline)}; base-uri 'none'; form-action 'none'"


def _style(name: str) -> Markup:
    return markup(f"<style>{asset('page', name)}</style>")


def _script() -> Markup:
    return markup(f'<script type="module">{"".join(asset("page", name) for name in SCRIPTS)}</script>')


def evaluation_html(evaluation: Evaluation) -> str:
    """An evaluation in a notebook: the headline, warnings, the classes, and the confusion matrix."""
    found = matrix(evaluation, MOST_IN_NOTEBOOK, errors_only=True)
    return render(
        "evaluation.html",
        style=_style("notebook.css"),
        evaluation=evaluation,
        summary=summary(evaluation, with_interval=len(evaluation.counts) <= MOST_INTERVALS),
        sentence="" if evaluation.reliability is None else calibration_sentence(evaluation.reliability),
        warnings=warnings_of(evaluation),
        classes=class_rows(evaluation, MOST_IN_NOTEBOOK),
        matrix=found,
    )


def explanation_html(explanation: Explanation) -> str:
    """An explanation in a notebook: the decision, the text with its words marked, and tables."""
    return render("explanation.html", style=_style("notebook.css"), **_explanation_context(explanation))


def explanation_page(explanation: Explanation) -> str:
    """A whole page: the marked text and the arithmetic. It has no scripts and loads nothing."""
    return render(
        "explanation_page.html",
        style=_style("notebook.css"),
        page_style=_style("explanation.css"),
        policy=markup(policy(_style("notebook.css") + _style("explanation.css"))),
        arithmetic=arithmetic_text(explanation),
        **_explanation_context(explanation),
    )


def _explanation_context(explanation: Explanation) -> dict[str, Any]:
    a, b = explanation.label, explanation.rival
    contrasts = [] if b is None else explanation.contrast(a, b)
    return {
        "explanation": explanation,
        "thresholds": threshold_lines(explanation),
        "pieces": highlighted_start(explanation, MOST_CHARACTERS),
        "hidden_characters": max(len(explanation.text) - MOST_CHARACTERS, 0),
        "shown": shown_classes(explanation),
        "terms": [
            {
                "word": each.word,
                "for": a if each.log_ratio > 0 else b,
                "mark": "p2" if each.log_ratio > 0 else "c2",
                "count": each.count,
                "times": times_text(each.log_ratio) or "infinite",
            }
            for each in contrasts
            if abs(each.log_ratio) >= NOTICEABLE
        ][:MOST_TERMS],
    }


def model_html(model: Any) -> str:
    """A model in a notebook: what it is, its options, and its largest classes with their typical words."""
    from likely.report.overview import class_overviews, largest_classes

    is_trained = model.__sklearn_is_fitted__()
    record = model.calibration_ if is_trained else None
    return render(
        "model.html",
        style=_style("notebook.css"),
        options=changed_options(model._options()),
        is_trained=is_trained,
        terms=model.terms_ if is_trained else 0,
        number_of_classes=len(model.classes_) if is_trained else 0,
        classes=class_overviews(model, largest_classes(model, MOST_CLASSES), MOST_WORDS) if is_trained else [],
        sentence="" if record is None else record_sentence(record),
    )
