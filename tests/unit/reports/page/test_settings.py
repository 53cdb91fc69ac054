"""The facts of a report: what was read, the settings, and the command that trains the model again."""

from __future__ import annotations

from dataclasses import replace

from likely.reports.page import About, Material
from likely.reports.page.settings import settings


def test_what_is_known_is_shown(material: Material) -> None:
    about = replace(material.about, model="<m>.likely", data="test.csv", date="2026-11-16", reading=["read as <CSV>"])
    html = settings(replace(material, about=about))
    for part in ("&lt;m&gt;.likely", "test.csv", "2026-11-16", "read as &lt;CSV&gt;", "8 documents of 3 classes"):
        assert part in html
    assert "likely train DATA -o MODEL --plain" in html


def test_what_is_not_known_is_left_out(material: Material) -> None:
    html = settings(replace(material, about=About()))
    assert "date" not in html
    assert "None" not in html
    assert "default values" in html
