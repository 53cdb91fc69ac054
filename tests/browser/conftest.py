"""A real browser for the tests of pages: one per session, and a tab per test that forgives nothing.

A tab fails its test if the page writes an error or a warning to the console, throws, or asks for anything but its own
file. Debian's Chromium is driven by playwright; without either of them the tests are skipped and say why.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("LIKELY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES: dict[str, tuple[int, int]] = {"phone": (375, 720), "desktop": (1280, 900)}
"""Widths and heights of the two screens that pages are looked at on."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser, which is started once per session."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: `make install` installs it")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: `apt-get install chromium`, or set LIKELY_CHROMIUM to its path")
    with api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


class Tabs:
    """Opens files in tabs, each with a profile of its own, and notes in ``wrong`` what no page may do."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.wrong: list[str] = []
        self._contexts: list[BrowserContext] = []

    def __call__(
        self,
        path: Path,
        *,
        size: Literal["phone", "desktop"] = "desktop",
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        """The file in a new tab, after it has loaded."""
        width, height = SIZES[size]
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=size == "phone"
        )
        self._contexts.append(context)
        page, url, wrong = context.new_page(), path.absolute().as_uri(), self.wrong
        page.on("console", lambda message: wrong.append(f"{message.type} in the console: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error in the page: {error}"))
        page.on("request", lambda request: None if request.url == url else wrong.append(f"request: {request.url}"))
        page.goto(url)
        return page

    def close(self) -> None:
        """Close all tabs."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Tabs]:
    """A function that opens a file in a tab; after the test, nothing may have gone wrong in any tab."""
    tabs = Tabs(browser)
    yield tabs
    tabs.close()
    assert not tabs.wrong, tabs.wrong
