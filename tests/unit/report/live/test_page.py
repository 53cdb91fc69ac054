"""The page: its title is escaped, and its policy allows what it has and nothing else."""

from __future__ import annotations

import re

from likely import NaiveBayes
from likely.report.live.export import live_page
from likely.report.live.model_data import live_model
from likely.report.render import policy


def test_titles_are_escaped() -> None:
    page = live_page(live_model(NaiveBayes().fit(["a", "b"], [1, 2])._snapshot()), "<script>alert(1)</script>\u202e")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e</title>" in page


def test_the_policy_names_every_inline_script_and_style() -> None:
    page = live_page(live_model(NaiveBayes().fit(["a", "b"], [1, 2])._snapshot()), "title")
    allowed = re.search(r'content="(default-src[^"]*)"', page)
    assert allowed is not None
    assert allowed[1] == policy(page)
    assert len(re.findall("sha256-", allowed[1])) == page.count("<style>") + page.count('<script type="module">') == 3
    assert "-src 'sha256" not in policy("<p>text</p>")
