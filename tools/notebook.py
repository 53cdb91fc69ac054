"""Run the notebook of the textbook, and write its outputs anew: ``python tools/notebook.py``."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "textbook.ipynb"


def run(notebook: dict[str, Any]) -> list[str]:
    """What each cell of code prints, in order; the value of a last expression is printed as a notebook does."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run("".join(cell["source"]), names) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _run(source: str, names: dict[str, Any]) -> str:
    *statements, last = ast.parse(source).body
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102 - it is our own notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
            if value is not None:
                print(repr(value))
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)  # noqa: S102
    return printed.getvalue()


def main() -> None:
    """Write the outputs into the notebook."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    printed = iter(run(notebook))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            text = next(printed).splitlines(keepends=True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
