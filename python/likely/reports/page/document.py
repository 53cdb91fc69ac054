"""The page itself: sections, navigation, styles and scripts in one file that loads nothing from anywhere."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

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
"""The scripts of a report, in the order in which they run."""
NAMES = {
    "summary": "Summary",
    "live": "Try it",
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
    live = material.live
    styles = [_file("page.css"), *(live.styles if live else [])]
    scripts = [*(_file(name) for name in SCRIPTS), *(live.scripts if live else [])]
    data = {
        "report-data": script_json({**cells_data(material), **curves_data(material)}),
        **(live.data if live else {}),
    }
    title = escaped(material.about.heading)
    return "".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(styles, scripts)}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">\n',
            f"<title>{title}</title>\n",
            *(f"<style>{style}</style>\n" for style in styles),
            f'</head><body><a class="skip" href="#main">To the report</a><header><h1>{title}</h1>',
            _subtitle(material),
            f"</header>{_navigation(material)}",
            f'<main id="main">{_sections(material)}</main>\n',
            *(f'<script type="application/json" id="{name}">{text}</script>\n' for name, text in data.items()),
            *(f"<script>{script}</script>\n" for script in scripts),
            "</body></html>\n",
        ]
    )


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
    return material.live.markup if material.live else ""


def _navigation(material: Material) -> str:
    links = "".join(
        f'<a href="#{anchor}">{name}</a>' for anchor, name in NAMES.items() if anchor != "live" or material.live
    )
    return f'<nav aria-label="Sections">{links}</nav>'


def _subtitle(material: Material) -> str:
    evaluation = material.evaluation
    parts = [f"{evaluation.documents:,} documents", f"{len(evaluation.labels):,} classes", evaluation.source]
    parts += [material.about.date] if material.about.date else []
    return f'<p class="subtitle">{" · ".join(map(escaped, parts))}</p>'


def _policy(styles: list[str], scripts: list[str]) -> str:
    """The content security policy: nothing but these styles and scripts, each named by its hash."""
    return (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src {' '.join(map(_hash, styles))}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _file(name: str) -> str:
    return resources.files("likely").joinpath("data", "page", name).read_text(encoding="utf-8")
