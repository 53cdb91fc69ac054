"""The part of a page: self-contained, or a sentence that says why not."""

from __future__ import annotations

import re

from likely import NaiveBayes
from likely.report.live.export import live_part
from likely.sample import load_sample


def test_nothing_is_loaded() -> None:
    part = live_part(NaiveBayes().fit(*load_sample())._snapshot())
    assert not re.search(r"""\b(src|href)=|url\(|@import""", part)
    assert part.count("<script") == part.count("</script>") == 2


def test_the_part_says_what_was_left_out() -> None:
    part = live_part(NaiveBayes().fit(*load_sample())._snapshot(), 8_000)
    assert re.search(r"has the [\d,]+ most informative of [\d,]+ terms \(\d kB\)", part)


def test_a_model_that_cannot_live_says_so() -> None:
    part = live_part(NaiveBayes(tokenizer=str.split).fit(["a", "b"], [1, 2])._snapshot())
    assert "cannot be tried in the page, because its texts are cut by a tokenizer of your own" in part
    assert "<script" not in part
