"""The page itself: sections, navigation, styles and scripts in one file that loads nothing from anywhere."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from likely.reports.live import policy
from likely.reports.page.classes import classes_table
from likely.reports.page.confusion import cells_data, confusion_matrix
from likely.reports.page.curves import curves, curves_data
from likely.reports.page.documents import mislabelled, worst_errors
from likely.reports.page.escaping import escaped, script_json
from likely.reports.page.headline import headline
from likely.reports.page.settings import settings
from likely.reports.page.words import dependent_pairs, typical_words

if TYPE_CHECKING:
    from likely.reports.page.material import Material

SCRIPTS = ("table.js", "documents.js", "matrix.js", "threshold.js", "print.js")
"""The scripts of a report, which are one module in the page, in this order."""
NAMES = {
    "summary": "Summary",
    "live-title": "Try it",
    "classes": "Classes",
    "confusion": "Confusion",
    "thresholds": "Thresholds",
    "errors": "Worst errors",
    "labels": "Labels",
    "words": "Words",
    "independence": "Independence",
    "about": "About",
}
"""The sections by anchor, as the navigation names them."""


def report_page(material: Material) -> str:
    """The whole page. The same material gives the same page, to the last byte."""
    style, script = _style(), _script()
    data = script_json({**cells_data(material), **curves_data(material)})
    title = escaped(material.about.heading)
    allowed = report_policy(material.live)
    return "".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">\n',
            f"<title>{title}</title>\n{style}\n",
            f'</head><body><a class="skip" href="#main">To the report</a><header><h1>{title}</h1>',
            _subtitle(material),
            f"</header>{_navigation(material)}",
            f'<main id="main">{_sections(material)}</main>\n',
            f'<script type="application/json" id="report-data">{data}</script>\n{script}\n</body></html>\n',
        ]
    )


def report_policy(live: str = "") -> str:
    """The content security policy of a report: its own style and script, by their hashes, and nothing else.

    The hashes are those of styles and scripts only: no text of the data could ever be allowed to run. ``live`` is the
    live classifier, if the report has one.

    Examples
    --------
    >>> report_policy().split("; ")[0], report_policy().split("; ")[-1]
    ("default-src 'none'", "form-action 'none'")
    """
    return f"{policy(_style() + _script() + live)}; base-uri 'none'; form-action 'none'"


def _style() -> str:
    return f"<style>{_file('page.css')}</style>"


def _script() -> str:
    return f'<script type="module">{"".join(map(_file, SCRIPTS))}</script>'


def _sections(material: Material) -> str:
    makers = (
        headline,
        _live,
        classes_table,
        confusion_matrix,
        curves,
        worst_errors,
        mislabelled,
        typical_words,
        dependent_pairs,
        settings,
    )
    return "\n".join(filter(None, (make(material) for make in makers)))


def _live(material: Material) -> str:
    return material.live


def _navigation(material: Material) -> str:
    links = "".join(
        f'<a href="#{anchor}">{name}</a>' for anchor, name in NAMES.items() if anchor != "live-title" or material.live
    )
    return f'<nav aria-label="Sections">{links}</nav>'


def _subtitle(material: Material) -> str:
    evaluation = material.evaluation
    parts = [f"{evaluation.documents:,} documents", f"{len(evaluation.labels):,} classes", evaluation.source]
    parts += [material.about.date] if material.about.date else []
    return f'<p class="subtitle">{" · ".join(map(escaped, parts))}</p>'


def _file(name: str) -> str:
    return resources.files("likely").joinpath("data", "page", name).read_text(encoding="utf-8")
