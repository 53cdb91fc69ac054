"""The report in a real browser: nothing is loaded, everything can be pressed, and hostile texts are only texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes

from tests.browser.conftest import MAKE_MARKUP

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "<!-- <script>",
    '" onclick="window.hacked = 1" x="',
    "' onfocus='window.hacked = 1' autofocus='",
    "<img src=x onerror='window.hacked = 1'>",
    "abc \u202e txet desrever \u2066 isolate",
    "bell \x07 null \x00 escape \x1b[31m line\u2028separator",
    "&lt;b&gt; &amp; &#60;",
    "]]> ${window.hacked = 1} `x`",
]
"""Texts that would become markup, script or layout if they were not escaped."""


def write(path: Path) -> None:
    """Write a report on 200 documents of three classes, of which two are easily confused."""
    draw = random.Random(1)
    labels = [draw.choice(["cats", "dogs", "birds"]) for _ in range(400)]
    sources = {"cats": ["cats", "pets", "pets"], "dogs": ["dogs", "pets", "pets"], "birds": ["birds"]}
    texts = [" ".join(f"{draw.choice(sources[label])}{draw.randrange(30)}" for _ in range(4)) for label in labels]
    model = NaiveBayes(calibrate=True).fit(texts[:200], labels[:200])
    model.report(path, texts[200:], labels[200:], title="Reviews & more")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a model on documents that it did not learn, some with wrong labels."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    write(path)
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report whose texts, labels, terms, title and options are hostile."""
    labels = [HOSTILE[at % 3] + str(at % 3) for at in range(len(HOSTILE))]
    model = NaiveBayes(tokenizer=str.split).fit(HOSTILE, labels)
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    model.report(path, HOSTILE, labels[1:] + labels[:1], title=HOSTILE[0])
    return path


def test_sections_and_summary(report: Path, open_page: Open) -> None:
    page = open_page(report)
    assert page.title() == "Reviews & more"
    anchors = page.locator("nav a").evaluate_all("links => links.map(link => link.hash.slice(1))")
    assert len(anchors) >= 9
    for anchor in anchors:
        assert page.locator(f"section#{anchor} h2, section h2#{anchor}").count() == 1, anchor
    assert "95% interval" in page.inner_text("#summary .lead").replace("\u00a0", " ")


def test_a_heading_sorts_the_classes(report: Path, open_page: Open) -> None:
    page = open_page(report)
    recall = page.locator("#classes thead button", has_text="recall")
    recall.click()
    first = values(page, 2)
    assert first == sorted(first, reverse=True)
    recall.press("Enter")
    assert values(page, 2) == sorted(first)
    assert page.locator("#classes th[aria-sort=ascending]").inner_text().strip() == "recall"


def values(page: Page, column: int) -> list[float]:
    """The values of a column of the table of classes, from the top."""
    found = page.locator(f"#classes tbody tr :nth-child({column + 1})[data-value]")
    return [float(each) for each in found.evaluate_all("cells => cells.map(cell => cell.dataset.value)")]


def test_a_cell_lists_its_documents(report: Path, open_page: Open) -> None:
    page = open_page(report)
    cell = page.locator("#matrix button[class^=e]").first
    count = int(cell.inner_text())
    cell.click()
    panel = page.locator("#cell")
    assert panel.locator("li.document").count() == min(count, 25)
    assert panel.locator("mark").count() > 0
    assert cell.get_attribute("aria-pressed") == "true"
    assert panel.evaluate("panel => panel === document.activeElement")


def test_the_arrow_keys_move_in_the_matrix(report: Path, open_page: Open) -> None:
    page = open_page(report)
    first = page.locator("#matrix tr:has(button[class^=e]) button").first
    first.focus()
    page.keyboard.press("ArrowRight")
    cell = page.evaluate("document.activeElement.dataset.cell")
    assert cell != first.get_attribute("data-cell")
    assert page.locator("#matrix button[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.locator(f"#matrix button[data-cell='{cell}']").get_attribute("aria-pressed") == "true"
    assert page.locator("#cell li.document").count() > 0
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.cell") == cell


def test_the_slider_updates_the_figures(report: Path, open_page: Open) -> None:
    page = open_page(report)
    slider = page.locator("#threshold")
    before = page.inner_text(".figures"), page.locator("#precision-recall .dot").get_attribute("cx")
    slider.focus()
    slider.press("End")
    assert page.inner_text("#threshold-shown") == "100%"
    assert (page.inner_text(".figures"), page.locator("#precision-recall .dot").get_attribute("cx")) != before
    for curve in ("#roc", "#precision-recall"):
        assert page.locator(f"{curve} .dot").get_attribute("visibility") == "hidden", "a mean has no thresholds"
        assert "mean of the classes" in (page.locator(f"{curve} .name").first.text_content() or "")
    slider.press("Home")
    assert page.inner_text("#coverage") == "100%"
    assert page.inner_text("#precision") == page.inner_text("#recall")  # all documents are answered


def test_a_class_has_curves_of_its_own(report: Path, open_page: Open) -> None:
    page = open_page(report)
    before = page.locator("#roc .curve").get_attribute("d")
    page.select_option("#sweep", "1")
    assert page.locator("#roc .curve").get_attribute("d") != before
    assert page.locator("#roc .dot").get_attribute("visibility") == "visible"
    page.locator("#threshold").press("Home")
    assert page.inner_text("#recall") == "100%"


def test_everything_that_can_be_pressed_can_be_focused(report: Path, open_page: Open) -> None:
    page = open_page(report)
    pressable = "a[href], button, summary, select, input, [onclick]"
    unreachable = page.locator(pressable).evaluate_all(
        "all => all.filter(each => each.tabIndex < 0 && !each.closest('#matrix')).map(each => each.outerHTML)"
    )
    assert unreachable == []
    assert page.locator(":not(a):not(button):not(summary):not(select):not(input)[role=button]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(report: Path, open_page: Open, scheme: str) -> None:
    page = open_page(report, size="phone", scheme=scheme)
    page.locator("#matrix button").first.click()
    assert overflow(page) <= 0


def test_long_names_do_not_widen_the_page(tmp_path: Path, open_page: Open) -> None:
    labels = ["x" * 300, "漢字" * 150, "شرح " * 60, "z"]
    texts = [label[:2] + "w" * 200 for label in labels]
    NaiveBayes().fit(texts, labels).report(tmp_path / "report.html", texts, labels[1:] + labels[:1], title="y" * 200)
    page = open_page(tmp_path / "report.html", size="phone")
    page.locator(".pairs button").first.click()
    assert overflow(page) <= 0


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def test_on_paper_everything_is_open(report: Path, open_page: Open) -> None:
    page = open_page(report)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()


def test_the_model_can_be_tried_in_the_report(report: Path, open_page: Open) -> None:
    page = open_page(report)
    page.fill("#live-text", "birds1 birds2 birds3 & <b>cats1</b>")
    page.wait_for_function("document.getElementById('live-verdict').textContent.includes('birds')")
    assert page.locator(".live mark").count() >= 3


def test_no_text_can_become_markup(report: Path, open_page: Open) -> None:
    assert open_page(report, expected=("Trusted",)).evaluate(MAKE_MARKUP) == "TypeError"


def test_hostile_texts_are_only_texts(hostile: Path, open_page: Open) -> None:
    page = open_page(hostile)
    for button in page.locator("#matrix button").all():
        button.click()
        assert page.locator("#cell li.document").count() > 0
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, object, embed, link, form[action]").count() == 0
    assert page.title() == HOSTILE[0]
    seen = page.inner_text("body")
    assert "<script>window.hacked = 1</script>" in seen
    controls = page.evaluate(
        "/[\\u0000-\\u0008\\u000b-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText)"
    )
    assert not controls
    assert "\\u202e" in page.content()


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    paths = [tmp_path / "a.html", tmp_path / "b.html"]
    for path in paths:
        write(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
