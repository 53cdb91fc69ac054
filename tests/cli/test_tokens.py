"""`likely tokens`: what becomes of a text."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_tokens(run: Run, model: Path) -> None:
    shown = run("tokens", "So GOOD!").out
    assert re.search(r"GOOD +good +lower-cased", shown)
    assert re.search(r"! +- +punctuation", shown)
    document = run("tokens", model, "good zzz", "--json").json
    assert document["unknown"] == ["zzz"]
    assert run("tokens", "a b", "--ngrams", "1,2", "--json").json["terms"] == ["a", "b", "a b"]
