"""One text, four doors: `explain`, its page, the page of the server and an exported page show the same numbers."""

from __future__ import annotations

import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.explanation.explanation import NOTICEABLE, times_text
from likely.report.live.model_data import live_model
from likely.report.pages import explanation_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Route

ADDRESS = "http://page.test"
TEXTS = ["good film good fun", "not bad plot", "dull dull plot", "a dull end", "so so film", "goal film match"] * 3
LABELS = ["x", "x", "y", "y", "z", "z"] * 3
TEXT = "a good plot, good but dull; never heard of"
ANSWER = """(async () => {
    const [{ Classifier }, { read }, { times }, { restOf }] = await Promise.all(
        ["classifier", "answer", "numbers", "view"].map((name) => import(`/page/${name}.js`)));
    const found = new Classifier(given.file).classify(given.text);
    const exported = { ...found, text: given.text, terms: found.evidence };
    const served = read(given.explained, given.text);
    return [exported, served].map((answer) => ({
        words: answer.terms.map(({ term, weight }) => [term, weight, times(weight)]),
        beside: restOf(answer),
        probabilities: answer.probabilities,
    }));
})()"""


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Callable[[object], Any]]:
    """A function that gives JavaScript a document: all modules of all pages are served as files."""
    context = browser.new_context()
    page = context.new_page()
    modules = {
        file.name: file.read_text(encoding="utf-8")
        for folder in ("server", "live", "shared")
        for file in resources.files("likely").joinpath("data", folder).iterdir()
        if file.name.endswith(".js")
    }

    def serve(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        kind = "text/javascript" if name else "text/html"
        route.fulfill(body=modules.get(name, "<!doctype html><title>empty</title>"), content_type=kind)

    page.route("**/*", serve)
    page.goto(f"{ADDRESS}/")
    yield lambda document: page.evaluate(
        f"(json) => {{ const given = JSON.parse(json); return {ANSWER}; }}", json.dumps(document)
    )
    context.close()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"prior": {"x": 0.7, "y": 0.2, "z": 0.1}},
        {"variant": "binary"},
        {"variant": "bernoulli"},
        {"variant": "complement"},
        {"variant": "complement_normalized"},
        {"variant": "nbsvm"},
        {"weighting": "tfidf", "ngrams": (1, 2)},
        {"class_weight": "balanced"},
    ],
    ids=str,
)
@pytest.mark.parametrize("calibrate", [False, True])
def test_four_doors_show_the_same_factors(
    run: Callable[[object], Any], options: dict[str, Any], calibrate: bool
) -> None:
    model = NaiveBayes(**options, calibrate=calibrate).fit(TEXTS, LABELS)
    explained = model.explain(TEXT)
    label, rival = explained.label, explained.rival
    assert rival is not None
    assert (explained.factor == 1) is not calibrate
    expected = {each.term: each for each in explained.contrast(label, rival)}
    beside = sum(explained.beside(label, rival).values())

    document = {"file": live_model(model._snapshot()).file, "text": TEXT, "explained": explained.to_dict()}
    for found in run(document):
        assert {term for term, *_ in found["words"]} == set(expected)
        for term, weight, times in found["words"]:
            assert weight == pytest.approx(expected[term].log_ratio, abs=1e-9)
            assert times == times_text(expected[term].log_ratio)
        assert found["beside"] == pytest.approx(beside, abs=1e-8)
        np.testing.assert_allclose(found["probabilities"], list(explained.probabilities.values()), atol=1e-9)

    rows = (line.split() for line in explained.describe(arithmetic=True).split("\n\n")[1].splitlines())
    printed = {row[0]: row[-2] for row in rows}
    page = explanation_page(explained)
    for term, each in expected.items():
        if " " not in term:
            assert printed[term] == f"{each.ratio:.4g}"
        if abs(each.log_ratio) >= NOTICEABLE:
            assert f"<td>{times_text(each.log_ratio)}</td>" in page

    odds = math.prod(each.ratio for each in expected.values()) * math.exp(beside)
    assert odds == pytest.approx(explained.probabilities[label] / explained.probabilities[rival], rel=1e-6)
