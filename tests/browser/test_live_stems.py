"""Stems in a real browser: those of the kernel, in every language that is offered."""

from __future__ import annotations

import json
import random
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely import _native
from likely.core.analyzer import Analyzer, languages, stop_words
from likely.options.model import with_defaults
from likely.report.live.scripts import bundled, stemmer

from tests.unit.analysis.test_stem import ALPHABETS

if TYPE_CHECKING:
    from tests.browser.conftest import Tabs

LANGUAGES = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "fetch_stemmers.py"))["LANGUAGES"]
CODES = {name: code for code, name in _native.stem_languages()}
SAMPLE = (
    "internal international interfering running happily organization dog's dogs’ l'été z'amis geldi\u0307m "
    + "x" * 101
)


def words(code: str, native: _native.Analyzer) -> list[str]:
    """Random words of a language, with endings of its frequent words, and words of no language."""
    draw = random.Random(code)
    letters = ALPHABETS[code]
    endings = list(stop_words(code)) if code in languages() else [""]
    found = set(SAMPLE.split()) | set(endings)
    for _ in range(4000):
        word = "".join(draw.choice(letters) for _ in range(draw.randint(1, 12)))
        found |= {word, word + draw.choice(endings)}
    # Nothing but words is stemmed.
    is_word = {word for word in found if word and [piece[1:3] for piece in native.trace(word)] == [(0, len(word))]}
    return sorted(word for word in is_word if word[0].isalnum())


@pytest.mark.parametrize("language", LANGUAGES)
def test_stems_are_those_of_the_kernel(language: str, tmp_path: Path, open_page: Tabs) -> None:
    if stemmer(language) is None:
        pytest.skip("Snowball's stemmers were not fetched: `make install` fetches them")
    native = Analyzer.of(with_defaults({"stem": CODES[language], "lowercase": False})).native
    place = tmp_path / "stems.html"
    script = f"{bundled('stems', language)}\nwindow.stemmerOf = stemmerOf;"
    place.write_text(f"<meta charset='utf-8'><script type='module'>{script}</script>", encoding="utf-8")
    given = words(CODES[language], native)
    function = "([language, given]) => JSON.stringify(JSON.parse(given).map(stemmerOf(language)))"
    found = json.loads(open_page(place).evaluate(function, [language, json.dumps(given)]))
    assert len(given) > 2000
    assert [(word, stem) for word, stem in zip(given, found, strict=True) if stem != native.normalized(word)] == []
