"""What was measured, and how to build the model again: the data, the settings and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.page.escaping import escaped, isolated
from likely.reports.page.markup import paragraph, rows_of, scrolling, section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reports.page.material import About, Material


def settings(material: Material) -> str:
    """The section about the data, the model and the command that trains it again."""
    about = material.about
    return section(
        "about",
        "About this report",
        scrolling(f"<table>{rows_of(_facts(about, material.evaluation.source))}</table>", "Facts"),
        "".join(paragraph(escaped(each), "remark") for each in about.reading),
        "<h3>Train the same model again</h3>",
        f'<pre class="command" tabindex="0"><code>{escaped(about.command)}</code></pre>',
        "<h3>Settings</h3>",
        _options(about.changed) if about.changed else paragraph("All options have their default values."),
        f"<details><summary>All options</summary>{_options(about.options)}</details>",
    )


def _facts(about: About, source: str) -> list[list[str]]:
    known = [("model", about.model), ("data", about.data), ("measured on", source), ("date", about.date)]
    return [[name, isolated(value)] for name, value in (*known, *about.facts) if value]


def _options(options: Mapping[str, object]) -> str:
    rows = [[f"<code>{escaped(name)}</code>", isolated(value)] for name, value in options.items()]
    return scrolling(f"<table>{rows_of(rows)}</table>", "Options")
