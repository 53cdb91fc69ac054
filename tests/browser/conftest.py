"""A real browser for the tests of pages: one per session, and a tab per test that forgives nothing.

A tab fails its test if the page writes an error or a warning to the console, throws, or asks for anything but its own
file; the page of a server may also ask that server. Debian's Chromium is driven by playwright; without either of them
the tests are skipped and say why.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

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
Size: TypeAlias = Literal["phone", "desktop"]
Scheme: TypeAlias = Literal["light", "dark"]
SIZES: dict[str, tuple[int, int]] = {"phone": (375, 720), "desktop": (1280, 900)}
"""Widths and heights of the two screens that pages are looked at on."""
MAKE_MARKUP = """() => {
    try {
        document.createElement("p").innerHTML = "<b>text</b>";
    } catch (error) {
        return error.name;
    }
}"""
"""Turns a text into markup, and gives the name of the error if the page does not allow that."""


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
        size: Size = "desktop",
        scheme: Scheme = "light",
        expected: tuple[str, ...] = (),
        before: str = "",
    ) -> Page:
        """The file in a new tab, after it has loaded.

        ``expected`` are parts of the messages that the test provokes, ``before`` is a script that runs first.
        """
        url = path.absolute().as_uri()
        return self._open(url, url.__eq__, size, scheme, expected, before)

    def at(
        self,
        address: str,
        *,
        size: Size = "desktop",
        scheme: Scheme = "light",
        expected: tuple[str, ...] = (),
        before: str = "",
    ) -> Page:
        """The page of a server in a new tab."""
        is_allowed = lambda url: url.startswith((address, "data:", "blob:"))  # noqa: E731
        return self._open(address, is_allowed, size, scheme, expected, before)

    def _open(
        self,
        url: str,
        is_allowed: Callable[[str], bool],
        size: Size,
        scheme: Scheme,
        expected: tuple[str, ...],
        before: str,
    ) -> Page:
        width, height = SIZES[size]
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=size == "phone"
        )
        self._contexts.append(context)

        def note(what: str) -> None:
            if not any(each in what for each in expected):
                self.wrong.append(what)

        # The context hears the tabs that a page opens too, from their first request on.
        context.on("console", lambda message: note(f"{message.type} in the console: {message.text}"))
        context.on("weberror", lambda error: note(f"error in the page: {error.error}"))
        context.on("request", lambda request: None if is_allowed(request.url) else note(f"request: {request.url}"))
        context.add_init_script(before)
        page = context.new_page()
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
