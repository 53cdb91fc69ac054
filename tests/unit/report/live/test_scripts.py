"""The modules of JavaScript fit together: as files, and as one script."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources

import pytest
from likely.report.live.scripts import FOLDERS, bundled, needed, source

MODULES = sorted(
    each.name[:-3]
    for folder in FOLDERS
    for each in (resources.files("likely") / "data" / folder).iterdir()
    if each.name.endswith(".js")
)
SCRIPTS = ["page", "report", "textbook"]
"""The modules that pages hold as one script, with all that they need."""


def test_every_module_is_used() -> None:
    assert {name for entry in ("index", *SCRIPTS) for name in needed(entry)} == set(MODULES)


def test_the_exported_module_needs_no_page() -> None:
    assert set(needed("index")).isdisjoint({"dom", "view", "numbers"})


def test_a_script_has_what_it_needs_before_it_is_used() -> None:
    for name in MODULES:
        order = needed(name)
        assert order[-1] == name
        assert len(set(order)) == len(order)


@pytest.mark.parametrize("entry", SCRIPTS)
def test_names_of_one_script_differ(entry: str) -> None:
    script = bundled(entry)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    names = Counter(re.findall(r"^(?:async )?(?:const|let|class|function) (\w+)", script, re.MULTILINE))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("entry", SCRIPTS)
def test_a_script_cannot_end_its_element(entry: str) -> None:
    assert not re.search(r"</script|<!--", bundled(entry), re.IGNORECASE)


def test_a_helper_exists_once() -> None:
    """No page has a copy of what is in ``data/shared``."""
    data = resources.files("likely") / "data"
    defined = re.compile(r"^ *(?:export )?(?:const|function) (\w+)(?: = \([^()]*\) =>|\()", re.MULTILINE)
    shared = {name for each in ("dom", "numbers", "view", "highlight") for name in defined.findall(source(each))}
    assert {"element", "percent", "showBars", "stretches"} <= shared
    for folder in ("live", "page", "server", "textbook"):
        for file in (data / folder).iterdir():
            if file.name.endswith(".js"):
                assert shared.isdisjoint(defined.findall(file.read_text(encoding="utf-8"))), file.name


def test_modules_are_small_enough_to_read() -> None:
    for name in MODULES:
        lines = source(name).splitlines()
        assert len(lines) <= 400, name
        assert max(map(len, lines)) <= 130, name
