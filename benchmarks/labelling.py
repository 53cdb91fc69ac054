"""What the labelling queue of the page is worth: accuracy after some labels, against texts that are drawn at random.

Not a claim of `make bench`: `python -m benchmarks.labelling` prints the table of `docs/production/page.md`. It needs
Chromium, in which the queue of the page (`data/server/queue.js`) chooses the texts, and the corpora of
``LIKELY_DATA``.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from likely import NaiveBayes
from likely.server.page import files
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Route

POOL, JUDGED = 500, 1500
LABELS = (20, 40, 60, 100, 150)
SEEDS = range(5)
ADDRESS = "http://page.test"
CORPORA = {
    "20 newsgroups, 4 of the groups": ("20newsgroups", 5),
    "IMDB, 2 classes": ("imdb", 1),
    "TREC questions, 6 classes": ("trec_questions", 1),
    "R8, 8 classes": ("reuters_r8", 1),
}
"""Name, folder, and of which of its sorted labels every n-th is used."""
SCRIPT = """async ([texts, many]) => {
    const { Queue, uncertainty } = await import("/page/queue.js");
    const queue = new Queue(texts);
    for (let asked = 0; asked < many; asked += 1) {
        if (queue.isDue) {
            const items = queue.candidates();
            const found = await predicted(items.map((item) => item.text));
            found.forEach((row, at) => { items[at].uncertainty = uncertainty(row); });
            queue.plan(items);
        }
        await labelled(queue.next().item.text);
    }
}"""

Rows = list[tuple[str, str]]


def main() -> None:
    print("| corpus |", *(f"{labels} labels |" for labels in LABELS))
    print("| --- |" + " --- |" * len(LABELS))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (folder, every) in CORPORA.items():
            queue, chance = (np.mean(found, axis=0) for found in zip(*(runs(browser, folder, every)), strict=True))
            cells = (f"{100 * a:.1f} % (random {100 * b:.1f} %)" for a, b in zip(queue, chance, strict=True))
            print(f"| {name} |", " | ".join(cells), "|", flush=True)


def runs(browser: Browser, folder: str, every: int) -> list[tuple[list[float], list[float]]]:
    """The accuracies of the queue and of random texts, one pair of lists per seed."""
    train, test = (load(folder, part, every) for part in ("train", "test"))
    found = []
    for seed in SEEDS:
        rng = random.Random(seed)
        pool, judged = rng.sample(train, POOL), rng.sample(test, min(JUDGED, len(test)))
        drawn = list(dict(pool).items())
        rng.shuffle(drawn)
        found.append((accuracies(chosen(browser, dict(pool)), judged), accuracies(drawn, judged)))
    return found


def load(folder: str, part: str, every: int) -> Rows:
    place = next(each for each in sorted((Path(os.environ["LIKELY_DATA"]) / folder).iterdir()) if part in each.name)
    with gzip.open(place, "rt", encoding="utf-8") as file:
        rows = [(row["text"], str(row["label"])) for row in map(json.loads, file)]
    kept = sorted({label for _, label in rows})[::every]
    return [(text, label) for text, label in rows if label in kept]


def chosen(browser: Browser, gold: dict[str, str]) -> Rows:
    """The texts that the queue asks about, in their order, each learned before the next round."""
    model, asked = NaiveBayes(), []
    by_text = {text.encode("utf-8", "replace").decode(): label for text, label in gold.items()}

    def predicted(texts: list[str]) -> list[list[float]]:
        is_ready = model.is_fitted and len(model.classes_) > 1
        return model.predict_proba(texts).tolist() if is_ready else [[0.5, 0.5]] * len(texts)

    def labelled(text: str) -> None:
        model.learn([text], [by_text[text]])
        asked.append((text, by_text[text]))

    in_page(browser, {"predicted": predicted, "labelled": labelled}, [list(by_text), max(LABELS)])
    return asked


def in_page(browser: Browser, functions: dict[str, Callable[..., object]], argument: object) -> None:
    context = browser.new_context()
    page = context.new_page()

    def serve(route: Route) -> None:
        file = files()[route.request.url.removeprefix(ADDRESS)]
        kind = file.headers["content-type"]
        body = b"<!doctype html><title>queue</title>" if kind.startswith("text/html") else bytes(file.body)
        route.fulfill(body=body, content_type=kind)

    page.route("**/*", serve)
    for name, function in functions.items():
        page.expose_function(name, function)
    page.goto(f"{ADDRESS}/")
    page.evaluate(SCRIPT, argument)
    context.close()


def accuracies(rows: Rows, judged: Rows) -> list[float]:
    """The accuracy of a model that has learned the first rows, for each number of labels."""
    texts, gold = map(list, zip(*judged, strict=True))
    models = (NaiveBayes().fit(*map(list, zip(*rows[:labels], strict=True))) for labels in LABELS)
    return [float(np.mean(model.predict(texts) == gold)) for model in models]


if __name__ == "__main__":
    main()
