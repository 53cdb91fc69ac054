"""The modules of JavaScript fit together: as files, and as one script."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources

from likely.report.live.scripts import bundled, needed, source

MODULES = sorted(
    each.name[:-3] for each in (resources.files("likely") / "data/live").iterdir() if each.name.endswith(".js")
)


def test_every_module_is_used() -> None:
    assert set(needed("page")) | set(needed("index")) | {"index"} == set(MODULES)


def test_a_script_has_what_it_needs_before_it_is_used() -> None:
    for name in MODULES:
        order = needed(name)
        assert order[-1] == name
        assert len(set(order)) == len(order)


def test_names_of_one_script_differ() -> None:
    script = bundled("page")
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    names = Counter(re.findall(r"^(?:async )?(?:const|let|class|function) (\w+)", script, re.MULTILINE))
    assert [name for name, times in names.items() if times > 1] == []


def test_a_script_cannot_end_its_element() -> None:
    assert not re.search(r"</script|<!--", bundled("page"), re.IGNORECASE)


def test_modules_are_small_enough_to_read() -> None:
    for name in MODULES:
        lines = source(name).splitlines()
        assert len(lines) <= 220, name
        assert max(map(len, lines)) <= 130, name
