"""The page of `likely export`, used as people do: typed into, on a phone, in the dark, with hostile texts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from likely import NaiveBayes
from likely.explanation.explanation import times_text
from likely.report.live.export import export
from likely.report.live.scripts import stemmer
from likely.report.render import percent
from likely.sample import load_sample

from tests.browser.conftest import MAKE_MARKUP

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Tabs

TEXT = "A wonderful film, never dull, although the plot is predictable."
HOSTILE = "<img src=x onerror=alert(1)> </script><script>alert(2)</script> \u202e\u0000 \ud800 'quotes\" &amp; \u2066"


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(ngrams=(1, 2), calibrate=True).fit(*load_sample())


def opened(tabs: Tabs, model: NaiveBayes, folder: Path, **how: Any) -> Page:
    place = folder / "demo.html"
    export(model._snapshot(), str(place), title="Reviews")
    page = tabs(place, **how)
    page.wait_for_selector("#live-text:enabled")
    return page


def typed(page: Page, text: str) -> None:
    """Fill the field with any text, and wait for the answer. Texts travel as ASCII."""
    page.evaluate(
        """json => new Promise(done => {
            const field = document.getElementById("live-text");
            field.value = JSON.parse(json);
            field.dispatchEvent(new Event("input"));
            requestAnimationFrame(() => requestAnimationFrame(done));
        })""",
        json.dumps(text),
    )


def shown(page: Page, place: str) -> str:
    return page.locator(place).inner_text()


def test_what_is_typed_gets_its_class(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    page = opened(open_page, model, tmp_path)
    assert "Type or paste" in shown(page, "#live-verdict")
    page.keyboard.press("Tab")
    page.keyboard.type(TEXT)
    label, probability = model.predict([TEXT])[0], model.predict_proba([TEXT]).max()
    page.wait_for_function("text => document.getElementById('live-marked').textContent === text", arg=TEXT)
    assert shown(page, "#live-verdict") == f"{label}, {percent(probability)}"
    assert shown(page, ".best .class-name") == label
    assert page.locator("#live-marked [class^=p]").count() > 0 < page.locator("#live-marked [class^=c]").count()
    page.locator("#live-text").fill("")
    page.wait_for_function("() => document.getElementById('live-answer').hidden")


def test_stems_are_shown_as_the_words_of_the_text(tmp_path: Path, open_page: Tabs) -> None:
    if stemmer("english") is None:
        pytest.skip("Snowball's stemmers were not fetched: `make install` fetches them")
    page = opened(open_page, NaiveBayes(stem="english").fit(*load_sample()), tmp_path)
    typed(page, "Beautiful disappointments")
    words = page.locator("#live-words bdi").all_inner_texts()
    assert {"Beautiful", "disappointments"} <= set(words)
    page.locator("#live-marked mark", has_text="disappointments").hover()
    assert shown(page, "#live-word strong") == "disappointments"


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen(model: NaiveBayes, tmp_path: Path, open_page: Tabs, size: str, scheme: str) -> None:
    page = opened(open_page, model, tmp_path, size=size, scheme=scheme)
    typed(page, TEXT + " " + "supercalifragilistic" * 20)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    assert dark is (scheme == "dark")


def test_hostile_texts_are_only_texts(tmp_path: Path, open_page: Tabs) -> None:
    texts, labels = [HOSTILE.replace("\ud800", ""), "harmless"], ["<b>bold</b>\u202e", "&amp;\"'</script>"]
    page = opened(open_page, NaiveBayes(punctuation="keep").fit(texts, labels), tmp_path)
    typed(page, HOSTILE)
    assert page.locator("#live-verdict b, #live-marked img, #live-marked script").count() == 0
    assert "<b>bold</b>\\u202e" in shown(page, "#live-verdict")
    assert page.evaluate(
        "json => document.getElementById('live-marked').textContent === JSON.parse(json)", json.dumps(HOSTILE)
    )


def test_what_says_nothing_is_named(tmp_path: Path, open_page: Tabs) -> None:
    mail = NaiveBayes(alpha=0).fit(["good fun", "dull plot"], ["+", "-"])
    mail._state.remember_mail()
    page = opened(open_page, mail, tmp_path)
    typed(page, "good")
    assert page.locator("#live-doubt").is_hidden()
    typed(page, "From: a@b.c\nSubject: lunch?\n\ngood fun")
    assert "looks like a raw message" in shown(page, "#live-doubt")
    typed(page, "Subject: of an essay\n\nFrom: here on it is good fun")
    assert page.locator("#live-doubt").is_hidden()
    typed(page, "good but dull")
    assert "0/0 is not defined" in shown(page, "#live-doubt")


def test_many_classes_are_folded(tmp_path: Path, open_page: Tabs) -> None:
    many = NaiveBayes().fit([f"word{at}" for at in range(40)], [f"class {at}" for at in range(40)])
    page = opened(open_page, many, tmp_path)
    typed(page, "word7")
    assert page.locator("#live-classes > ol > li").count() == 6
    page.locator("summary").click()
    assert shown(page, "summary") == "34 more classes"
    typed(page, "word7 word8")
    assert page.locator("#live-classes details[open] li").count() == 34


@pytest.mark.parametrize("times", [1, 12, 100])
def test_a_probability_is_written_as_explain_writes_it(tmp_path: Path, open_page: Tabs, times: int) -> None:
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    page = opened(open_page, model, tmp_path)
    typed(page, "good " * times)
    found = model.explain("good " * times)
    shares = [each.inner_text() for each in page.locator(".class-share").all()]
    assert shares == [percent(found.probabilities[label]) for label in ("+", "-")]
    assert shown(page, "#live-verdict") == f"+, {shares[0]}"
    assert shares[0].replace("\N{NO-BREAK SPACE}", " ") in found.summary


def test_paper_shows_the_marks_and_not_the_field(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    page = opened(open_page, model, tmp_path)
    typed(page, TEXT)
    page.emulate_media(media="print")
    assert not page.locator("#live-text").is_visible()
    assert (
        page.locator("#live-marked [class^=c]").first.evaluate("e => getComputedStyle(e).textDecorationStyle")
        == "dotted"
    )


def test_a_model_that_abstains_says_so(tmp_path: Path, open_page: Tabs) -> None:
    page = opened(open_page, NaiveBayes(abstain=0.99).fit(["good", "bad"], ["+", "-"]), tmp_path)
    typed(page, "good")
    assert shown(page, "#live-verdict").startswith("No answer: the model is not sure enough of +")
    typed(page, "unheard of")
    assert "knows none of these words" in shown(page, "#live-known")


def test_marked_words_are_one_stop_of_the_tab_key(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    page = opened(open_page, model, tmp_path)
    typed(page, TEXT)
    marks = page.locator("#live-marked").get_by_role("button")
    assert marks.count() > 3
    assert page.locator("#live-marked [tabindex='0']").count() == 1
    page.focus("#live-text")
    page.keyboard.press("Tab")
    assert marks.first.evaluate("mark => mark === document.activeElement")
    page.keyboard.press("ArrowRight")
    assert marks.nth(1).evaluate("mark => mark === document.activeElement && mark.matches('.pointed')")
    page.keyboard.press("End")
    assert marks.last.evaluate("mark => mark === document.activeElement")
    assert page.locator("#live-marked [tabindex='0']").count() == 1
    found = model.explain(TEXT)
    assert found.rival is not None
    times = {each.term: times_text(each.log_ratio) for each in found.contrast(found.label, found.rival)}
    name = shown(page, "#live-word strong >> nth=0")
    assert f"{name} {times[name]} for " in shown(page, "#live-word")
    word = marks.last.inner_text()
    assert str(marks.last.get_attribute("aria-label")) in {f"{word}, for {label}" for label in found.classes}


def test_the_page_can_be_used_before_it_is_warm(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    waits = "window.later = []; window.requestIdleCallback = (does) => window.later.push(does);"
    page = opened(open_page, model, tmp_path, before=waits)
    typed(page, TEXT)
    assert shown(page, "#live-verdict")
    assert page.evaluate("later.length") == 1
    assert (
        page.evaluate("(() => { for (let at = 0; at < later.length; at += 1) later[at](); return later.length; })()")
        == 20
    )


def test_no_text_can_become_markup(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    page = opened(open_page, model, tmp_path, expected=("Trusted",))
    assert page.evaluate(MAKE_MARKUP) == "TypeError"


def test_a_broken_model_is_told(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    place = tmp_path / "demo.html"
    export(model._snapshot(), str(place))
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace('id="live-model">H4sI', 'id="live-model">AAAA'), encoding="utf-8")
    page = open_page(place)
    page.wait_for_function("document.getElementById('live-verdict').textContent.includes('cannot be used')")


def test_the_module_works_as_its_readme_says(model: NaiveBayes, tmp_path: Path) -> None:
    node = Path(pytest.importorskip("playwright").__file__).parent / "driver" / "node"
    if not node.exists():
        pytest.skip("playwright has no JavaScript of its own here")
    export(model._snapshot(), str(tmp_path / "reviews"))
    example = (tmp_path / "reviews/README.md").read_text(encoding="utf-8").split("```js\n")[1].split("```")[0]
    script = (
        example.replace('"your text"', json.dumps(TEXT)) + "console.log(JSON.stringify([label, probabilities]));\n"
    )
    (tmp_path / "reviews/example.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [node, tmp_path / "reviews/example.mjs"], capture_output=True, text=True, check=True, timeout=60
    )
    label, probabilities = json.loads(done.stdout)
    assert label == model.predict([TEXT])[0]
    assert probabilities == pytest.approx(model.predict_proba([TEXT])[0].tolist(), abs=1e-9)
