"""The notebook of the textbook prints what it shows."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_notebook_prints_what_it_shows() -> None:
    notebook = json.loads((ROOT / "examples" / "textbook.ipynb").read_text(encoding="utf-8"))
    run = runpy.run_path(str(ROOT / "tools" / "notebook.py"))["run"]
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = ["".join(line for output in cell["outputs"] for line in output["text"]) for cell in cells]
    assert len(shown) >= 10
    assert run(notebook) == shown
