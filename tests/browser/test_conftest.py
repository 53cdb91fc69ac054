"""The tabs notice what no page may do: messages in the console, errors and requests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Tabs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FORBIDDEN = {
    "console": "<script>console.log('hello')</script>",
    "error in the page": "<script>throw new Error('broken')</script>",
    "request": "<img src='other.png' alt=''>",
}


def write(folder: Path, body: str, name: str = "page.html") -> Path:
    file = folder / name
    file.write_text(f"<!doctype html><meta charset=utf-8><title>page</title>{body}", encoding="utf-8")
    return file


def test_a_quiet_page_passes(tmp_path: Path, open_page: Tabs) -> None:
    page = open_page(write(tmp_path, "<p id='it'>2</p>"), size="phone", scheme="dark")
    assert page.evaluate("document.getElementById('it').textContent") == "2"
    assert page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [375, True]


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_what_a_page_must_not_do_is_noticed(kind: str, tmp_path: Path, browser: Browser) -> None:
    tabs = Tabs(browser)
    tabs(write(tmp_path, FORBIDDEN[kind]))
    tabs.close()
    assert any(kind in each for each in tabs.wrong)


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a_tab_that_a_page_opens_is_watched_too(kind: str, tmp_path: Path, browser: Browser) -> None:
    write(tmp_path, f"<h1>opened</h1>{FORBIDDEN[kind]}", "opened.html")
    tabs = Tabs(browser)
    page = tabs(write(tmp_path, "<a href='opened.html' target='_blank' rel='noopener'>open</a>"))
    with page.context.expect_page() as waiting:
        page.click("a")
    waiting.value.wait_for_load_state()
    waiting.value.wait_for_selector("h1")
    tabs.close()
    assert any(kind in each for each in tabs.wrong if "opened.html" not in each)
