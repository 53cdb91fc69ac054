"""Make the pictures of the documentation: ``python tools/pictures.py``.

Browsers draw the PNG files, which are not committed. The picture of the README is; `explained` writes it.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import likely

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely import NaiveBayes
    from likely.explanation.explanation import Contrast
    from playwright.sync_api import Page

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
CHROMIUM = os.environ.get("LIKELY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LIKELY = [sys.executable, "-m", "likely.cli"]
REVIEW = "The food was cold and the staff rude, but I loved the view."
STYLE = """
.card { fill: #ffffff; stroke: #d9dee3 } .ink { fill: #1c2126 } .soft { fill: #59636e }
.for { fill: #0067a3 } .against { fill: #a35200 } .for-mark { fill: #56b4e9 } .against-mark { fill: #e69f00 }
text { font: 15px system-ui, -apple-system, "Segoe UI", sans-serif; white-space: pre }
.word { font: 20px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.factor, .answer { font-weight: 700 } .answer { font-size: 20px } .factor { text-anchor: middle }
@media (prefers-color-scheme: dark) {
  .card { fill: #14181d; stroke: #343c45 } .ink { fill: #e8ebee } .soft { fill: #9aa5b1 }
  .for { fill: #6cbdf0 } .against { fill: #f0b040 } .for-mark { fill: #1f6f9f } .against-mark { fill: #946300 }
}
"""


def main() -> None:
    """Make all of them."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        os.chdir(folder)
        run("demo", "--keep", ".")
        (PICTURES / "explained.svg").write_text(explained(likely.load("reviews.likely")), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
        for draw in (server, report, exported, textbook):
            draw(page)
            page.screenshot(path=PICTURES / f"{draw.__name__}.png")
        browser.close()


def run(*arguments: str) -> None:
    """Run `likely`, and print nothing unless it fails."""
    subprocess.run([*LIKELY, *arguments], check=True, capture_output=True)


def server(page: Page) -> None:
    """The page of `likely serve`, after a review was typed."""
    with serving("reviews.likely") as address:
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.fill("#text", REVIEW)
        page.wait_for_function(f"() => document.getElementById('marked').textContent === {json.dumps(REVIEW)}")
        page.wait_for_load_state("networkidle")


@contextmanager
def serving(model: str) -> Iterator[str]:
    """A server that learns, and its address."""
    command = [*LIKELY, "serve", model, "--store", "reviews.store", "--port", "0", "--drain", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield json.loads(process.stdout.readline() if process.stdout else "")["address"]
        process.terminate()


def report(page: Page) -> None:
    """The report of an evaluation."""
    run("evaluate", "reviews.likely", "test.csv", "--html", "report.html")
    page.goto(Path("report.html").absolute().as_uri())
    page.wait_for_load_state()


def exported(page: Page) -> None:
    """The page with a model, after a review was typed."""
    run("export", "reviews.likely", "exported.html", "--title", "Reviews")
    page.goto(Path("exported.html").absolute().as_uri())
    page.wait_for_selector("#live-text:enabled")
    page.fill("#live-text", REVIEW)
    page.wait_for_function(f"() => document.getElementById('live-marked').textContent === {json.dumps(REVIEW)}")


def textbook(page: Page) -> None:
    """The textbook page, where counts become probabilities."""
    run("textbook", "-o", "textbook.html")
    page.goto(Path("textbook.html").absolute().as_uri())
    page.get_by_role("heading", name="From counts to probabilities").evaluate("heading => heading.scrollIntoView()")


TIMES, OVER = "\N{MULTIPLICATION SIGN}", "\N{DIVISION SIGN}"
LETTER, LEFT, RIGHT, LINE, NOTEWORTHY = 12, 40, 760, 74, 0.5
"""A letter's width, the edges and the line of the review, and the least logarithm of a factor that is written."""


def explained(model: NaiveBayes) -> str:
    """An explanation as SVG: the review with its words marked, their factors, and the answer."""
    found = model.explain(REVIEW)
    label, (rival,) = found.label, set(found.classes) - {found.label}
    words = sorted(found.contrast(label, rival), key=lambda each: each.spans)
    factors = [each for each in words if abs(each.log_ratio) >= NOTEWORTHY]
    share = found.probabilities[label]
    split = LEFT + share * (RIGHT - LEFT)
    written = " ".join(times(each.log_ratio, 2) for each in factors).removeprefix(f"{TIMES} ")
    others = math.log(share / (1 - share)) - sum(each.log_ratio for each in factors)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 250" width="800" height="250" role="img">',
        f"<title>{escape(REVIEW)} The answer is {label}, {share:.1%}.</title>",
        f"<style>{STYLE}</style>",
        '<rect class="card" x="1" y="1" width="798" height="248" rx="12"/>',
        f'<text class="soft" x="{LEFT}" y="36">Which words make this review {label}, and which {rival}?</text>',
        *marks(words),
        *(factor(each.log_ratio, *each.spans[0]) for each in factors),
        f'<text class="answer for" x="{LEFT}" y="158">{label} {share:.1%}</text>',
        f'<text class="answer against" x="{RIGHT}" y="158" text-anchor="end">{rival} {1 - share:.1%}</text>',
        f'<rect class="for-mark" x="{LEFT}" y="170" width="{split - LEFT:.1f}" height="14"/>',
        f'<rect class="against-mark" x="{split:.1f}" y="170" width="{RIGHT - split:.1f}" height="14"/>',
        f'<text class="soft" x="{LEFT}" y="218">Odds: {written} {times(others, 2)} (all other words) '
        f"= {share / (1 - share):.1f} to 1</text>",
        "</svg>\n",
    ]
    return "\n".join(parts)


def marks(words: list[Contrast]) -> Iterator[str]:
    """The review, each word on a ground that is the stronger, the more the word counts."""
    heights = {span: each.log_ratio / len(each.spans) for each in words for span in each.spans}
    most = max(map(abs, heights.values()))
    for (start, end), height in sorted(heights.items()):
        side = "for" if height > 0 else "against"
        yield (
            f'<rect class="{side}-mark" x="{LEFT + start * LETTER - 3}" y="{LINE - 20}" '
            f'width="{(end - start) * LETTER + 6}" height="28" rx="5" opacity="{abs(height) / most:.2f}"/>'
        )
    width = len(REVIEW) * LETTER
    yield f'<text class="word ink" x="{LEFT}" y="{LINE}" textLength="{width}">{escape(REVIEW)}</text>'


def factor(log_ratio: float, start: int, end: int) -> str:
    """The factor of a word, below it."""
    side, middle = "for" if log_ratio > 0 else "against", LEFT + (start + end) * LETTER / 2
    return f'<text class="factor {side}" x="{middle:g}" y="{LINE + 30}">{times(log_ratio)}</text>'


def times(log_ratio: float, digits: int = 1) -> str:
    """A factor of the odds, such as "times 9.3" or "divided by 5.2" in signs."""
    return f"{TIMES if log_ratio > 0 else OVER} {math.exp(abs(log_ratio)):.{digits}f}"


if __name__ == "__main__":
    main()
