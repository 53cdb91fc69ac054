"""`likely textbook`: the page on which every number of naive Bayes can be followed."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import Command, NamedFile, value
from likely.cli.output import emit


@click.command("textbook", cls=Command)
@value("--output -o", "PAGE", "Write the page here instead of opening it.", NamedFile())
def command(**values: Any) -> None:
    """Open a page on which every number of naive Bayes is live.

    Edit the texts of the lecture notes, or open your own CSV file, and follow each number: counts, probabilities,
    logarithms, the decision, its evaluation, and exercises. The page works offline.

    \b
    Examples:
      likely textbook
      likely textbook -o textbook.html
    """
    import os
    import tempfile
    import webbrowser

    from likely.reading.atomic import write_whole
    from likely.report.pages import textbook_page
    from likely.terminal import printable

    path = values["output"] or os.path.join(tempfile.mkdtemp(prefix="likely-"), "textbook.html")
    write_whole(path, textbook_page().encode())
    is_open = values["output"] is None and webbrowser.open(f"file://{path}")
    emit({"path": path, "opened": is_open}, lambda: f"{'Opened' if is_open else 'Wrote'} {printable(path)}")
