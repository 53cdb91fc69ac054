"""The languages of the stemmers."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from likely import NaiveBayes, _native
from likely.errors import OutputError
from likely.report.live.export import module_files
from likely.report.live.model_data import live_model
from likely.report.live.scripts import stemmer

LANGUAGES = runpy.run_path(str(Path(__file__).parents[4] / "tools" / "fetch_stemmers.py"))["LANGUAGES"]


def test_languages_are_those_of_the_kernel() -> None:
    assert set(LANGUAGES) < {name for _, name in _native.stem_languages()}
    assert list(LANGUAGES) == sorted(LANGUAGES)


def test_no_other_languages_were_fetched() -> None:
    assert {name for _, name in _native.stem_languages() if stemmer(name) is not None} in (set(LANGUAGES), set())


def test_other_languages_are_refused() -> None:
    with pytest.raises(OutputError, match="stems \\(stem='german'\\)"):
        live_model(NaiveBayes(stem="de").fit(["Haus", "Boot"], [1, 2])._snapshot())


def test_a_module_has_the_stemmer_and_its_licence() -> None:
    if stemmer("english") is None:
        pytest.skip("Snowball's stemmers were not fetched: `make install` fetches them")
    files = module_files(live_model(NaiveBayes(stem="english").fit(["runs", "walks"], [1, 2])._snapshot()), "m")
    assert "EnglishStemmer" in files["snowball.js"]
    assert "Olly Betts" in files["snowball.js"]
    assert "null" in module_files(live_model(NaiveBayes().fit(["a"], [1])._snapshot()), "m")["snowball.js"]
