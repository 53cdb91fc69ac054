"""A text of 230 words in the browser: how long the live classifier takes after it has loaded, and how long it loads.

It needs Debian's Chromium and playwright; without them, nothing is claimed.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import likely
from likely.report.live.model_data import live_model
from likely.report.live.scripts import bundled

from benchmarks import corpus
from benchmarks.measure import Claim, show

TIMES = 200
MEASURE = f"""async ([packed, text]) => {{
    const begun = performance.now();
    const ascii = atob(packed);
    const bytes = new Uint8Array(ascii.length);
    for (let at = 0; at < ascii.length; at += 1) bytes[at] = ascii.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const model = new Classifier(JSON.parse(await new Response(stream).text()));
    const loaded = performance.now() - begun;
    const first = performance.now();
    model.classify(text);
    const found = [performance.now() - first];
    for (let at = 1; at < {TIMES}; at += 1) {{
        const start = performance.now();
        model.classify(text);
        found.push(performance.now() - start);
    }}
    return [loaded, found[0], found.toSorted((a, b) => a - b)[{TIMES} / 2]];
}}"""


def claims() -> list[Claim]:
    chromium = shutil.which("chromium")
    if chromium is None:
        return []
    from playwright.sync_api import sync_playwright

    texts, labels, name = corpus.load()
    text = corpus.one_review(texts)
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder, "scripts.html")
        script = f"{bundled('classifier')}\nwindow.Classifier = Classifier;"
        page.write_text(f"<meta charset='utf-8'><script type='module'>{script}</script>", encoding="utf-8")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for terms, options in {"words": {}, "pairs": {"ngrams": (1, 2)}, "both": {"analyzer": "both"}}.items():
            live = live_model(likely.NaiveBayes(**options).fit(texts[:5000], labels[:5000])._snapshot(), 1_200_000)
            tab = browser.new_page()
            tab.goto(page.as_uri())
            loaded, first, median = tab.evaluate(MEASURE, [live.packed, text])
            detail = f"{live.terms:,} terms, first {first:.1f} ms, loaded in {loaded:.0f} ms; {name}"
            found.append(Claim(f"230 words in the browser ({terms}), milliseconds", median, 5, detail, at_most=True))
        browser.close()
    return found


if __name__ == "__main__":
    show(claims())
