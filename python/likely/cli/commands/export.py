"""`likely export`: a model for the browser."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.files import check_other_file, load_model
from likely.cli.flags import FILE, Command, NamedFile, value
from likely.cli.output import emit


@click.command("export", cls=Command)
@click.argument("model", type=FILE)
@click.argument("output", type=NamedFile(dir_okay=True), metavar="PAGE|FOLDER")
@value(
    "--max-size",
    "SIZE",
    "Drop terms to compress the model to this size.  [default: 1.2MB]",
)
@value("--title", "TEXT", "Title the page, or name the module.  [default: the file name]")
def command(**values: Any) -> None:
    """Write a model for the browser: a page or a module.

    A name that ends with .html gives one page in which anybody can try the model. It works from the disk, without
    Python, server or network. Any other name is that of a folder, which becomes a JavaScript module for npm.

    \b
    Examples:
      likely export reviews.likely demo.html
      likely export reviews.likely reviews-model/ --max-size 300kB
    """
    from likely.terminal import printable

    check_other_file(values["output"], [values["model"]])
    model = load_model(values["model"])
    exported = model.export(values["output"], max_size=values["max_size"], title=values["title"])
    emit(exported.to_dict(), lambda: f"Wrote {printable(exported)}")
