"""The textbook page: its numbers are those of Python, whatever is typed; odd input gets a sentence that helps."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.evaluation.evaluation import from_confusion
from likely.report.pages import textbook_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Tabs

WORDS = ["good", "bad", "fun", "plot", "the", "loved", "loving", "not", "l'été", "中", "don't", "Fun"]
EDIT = """async json => {
    const { rows, text, ...controls } = JSON.parse(json);
    const type = (field, value) => {
        if (field.type === "checkbox") field.checked = value;
        else field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    while (document.querySelector("#rows .remove")) document.querySelector("#rows .remove").click();
    for (const [text, label] of rows) {
        document.getElementById("add-row").click();
        const fields = document.querySelectorAll("#rows tr:last-child input");
        type(fields[0], text);
        type(fields[1], label);
    }
    const { shares, ...others } = controls;
    for (const [id, value] of Object.entries(others)) type(document.getElementById(id), value);
    const shown = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await shown(); // the fields of the shares
    document.querySelectorAll("#shares input").forEach((field, at) => type(field, String(shares[at])));
    type(document.getElementById("text"), text);
    await shown();
}"""
READ = """id => Array.from(document.querySelectorAll(`#${id} table:last-of-type tr`), (row) => ({
    term: row.querySelector("[data-term]")?.dataset.term,
    values: Array.from(row.querySelectorAll("data"), (each) => each.value),
}))"""


@pytest.fixture
def page(open_page: Tabs, tmp_path: Path) -> Page:
    place = tmp_path / "textbook.html"
    place.write_text(textbook_page(), encoding="utf-8")
    return open_page(place)


def rows_of(page: Page, place: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(READ, place)
    return [{"term": row["term"], "values": [float(each) for each in row["values"]]} for row in found]


def edited(seed: int) -> dict[str, Any]:
    """A table and choices at random."""
    draw = random.Random(seed)
    labels = ["a", "b", "c"][: draw.choice([2, 2, 3])]
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 6))) for _ in range(draw.randint(len(labels), 7))]
    variant = draw.choice(["multinomial", "binary", "bernoulli"])
    terms = draw.choice(["1", "2", "char"])
    return {
        "rows": [[text, labels[at] if at < len(labels) else draw.choice(labels)] for at, text in enumerate(texts)],
        "variant": variant,
        "alpha-number": str(draw.choice([0.1, 0.5, 1, 1.7, 2] + ([0] if variant != "bernoulli" else []))),
        "prior": draw.choice(["counted", "uniform", "given"]),
        "shares": [draw.choice([0.1, 0.35, 1, 2]) for _ in labels],
        "terms": terms,
        "stop": terms != "char" and draw.random() < 0.3,
        "stem": terms != "char" and draw.random() < 0.3,
        "text": " ".join(draw.choices([*WORDS, "unheard"], k=draw.randint(1, 8))),
    }


def model_of(given: dict[str, Any]) -> NaiveBayes:
    texts, labels = zip(*given["rows"], strict=True)
    classes = sorted(set(labels))
    shares = dict(zip(classes, given["shares"], strict=True))
    prior: Any = {
        "counted": "fitted",
        "given": {label: share / sum(shares.values()) for label, share in shares.items()},
    }
    return NaiveBayes(
        variant=given["variant"],
        alpha=float(given["alpha-number"]),
        prior=prior.get(given["prior"], "uniform"),
        analyzer="char" if given["terms"] == "char" else "word",
        ngrams=(1, 1) if given["terms"] == "char" else (1, int(given["terms"])),
        stop_words="en" if given["stop"] else None,
        stem="english" if given["stem"] else "none",
    ).fit(texts, labels)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_numbers_are_those_of_python(page: Page, start: int) -> None:
    compared = 0
    for seed in range(start, start + 50):
        given = edited(seed)
        page.evaluate(EDIT, json.dumps(given))
        if page.locator("#problem").inner_text():
            continue  # a table of stop words only
        model = model_of(given)
        classes = len(model.classes_)
        joint = model.predict_joint_log_proba([given["text"]])[0]
        *_, sums, posterior = rows_of(page, "answer")
        np.testing.assert_allclose(sums["values"][1::2], joint, rtol=1e-9, err_msg=str(given))
        if np.isfinite(joint).any():
            np.testing.assert_allclose(posterior["values"], model.predict_proba([given["text"]])[0], atol=1e-9)
            label = model.predict([given["text"]])[0]
            assert (
                f"is {label}," in page.locator("#verdict").inner_text()
                or "tie" in page.locator("#verdict").inner_text()
            )
        vocabulary = set(model.vocabulary_)
        shown = [row for row in rows_of(page, "chances") if row["term"]]
        assert len(shown) == min(len(vocabulary), 60)
        for row in shown:
            assert row["term"] in vocabulary
            compared += classes
        if given["variant"] != "bernoulli":
            likelihoods = {term.term: list(term.likelihood.values()) for term in model.explain(given["text"]).terms}
            for row in shown:
                if row["term"] in likelihoods:
                    np.testing.assert_allclose(row["values"][:classes], likelihoods[row["term"]], rtol=1e-9)
    assert compared > 500


def test_measures_are_those_of_python(page: Page) -> None:
    draw = random.Random(1)
    for _ in range(20):
        matrix = [[draw.choice([0, 1, 5, 40]) for _ in range(3)] for _ in range(3)]
        page.evaluate(
            """matrix => document.querySelectorAll("#confusion input").forEach((field, at) => {
                field.value = String(matrix.flat()[at]);
                field.dispatchEvent(new Event("input"));
            })""",
            matrix,
        )
        labels = ["18th", "19th", "20th"]
        if not sum(map(sum, matrix)):
            continue
        found = from_confusion(labels, matrix)
        *_, macro, micro = rows_of(page, "measures")
        expected = [
            found.macro.precision,
            found.macro.recall,
            found.macro.f,
            found.micro.precision,
            found.micro.recall,
        ]
        shown = [*macro["values"], *micro["values"][4:6]]
        np.testing.assert_allclose(shown, np.array(expected, dtype=float), rtol=1e-9)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "The table has no words"),
        ([["", ""], ["...", "a"]], "The table has no words"),
        ([["good fun", "a"], ["bad", "a"]], "All texts have the class a"),
    ],
)
def test_odd_tables_get_a_sentence(page: Page, rows: list[list[str]], says: str) -> None:
    page.evaluate(EDIT, json.dumps({"rows": rows, "text": "fun"}))
    assert says in page.locator("#problem").inner_text()
    assert not page.locator("#answer").is_visible()
    page.evaluate(EDIT, json.dumps({"rows": [["fun", "a"], ["dull", "b"]], "text": "fun"}))
    assert not page.locator("#problem").is_visible()
    assert page.locator("#answer").is_visible()


def test_impossible_everywhere_is_zero_over_zero(page: Page) -> None:
    page.evaluate(EDIT, json.dumps({"rows": [["fun", "a"], ["dull", "b"]], "alpha-number": "0", "text": "fun dull"}))
    assert "0/0" in page.locator("#verdict").inner_text()
    assert page.locator("#chances .zero").count() == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_csv_in_any_encoding_is_read(page: Page, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "own.csv"
    file.write_text('text,label\n"Café, très bien",oui\nnon merci,non\n', encoding=encoding)
    page.locator("#csv").set_input_files(file)
    page.wait_for_function("() => document.querySelector('#rows input').value === 'Café, très bien'")
    assert page.locator("#rows tr").count() == 2
    page.locator("#text").fill("café")
    page.wait_for_function("() => document.getElementById('verdict').textContent.includes('oui')")


def test_a_large_csv_is_counted(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    file.write_text("text,label\n" + "good fun plot,a\nbad slow plot,b\n" * 5000, encoding="utf-8")
    page.locator("#csv").set_input_files(file)
    page.wait_for_function("() => document.getElementById('about').textContent.includes('10,000 rows')")
    assert page.locator("#more-rows").inner_text() == "9,970 more texts counted, but not shown."


def test_a_file_without_a_table_is_told(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "empty.csv"
    file.write_bytes(b"")
    page.locator("#csv").set_input_files(file)
    page.wait_for_function("() => document.getElementById('problem').textContent.includes('no table')")


def test_numbers_lead_to_their_words_by_keyboard(page: Page) -> None:
    page.locator("#chances tbody th").first.focus()
    assert page.locator("#rows .token.linked").all_inner_texts() == ["just"]
    page.keyboard.press("ArrowDown")
    assert page.locator("#rows .token.linked").all_inner_texts() == ["plain"]
    page.keyboard.press("ArrowRight")
    assert page.locator("#rows .token.linked").count() == 0  # the class + has no such word
    assert page.locator("#chances table [tabindex='0']").count() == 1


def test_guesses_and_exercises_are_checked(page: Page) -> None:
    page.locator("#guess-counts input").fill("3/5")
    page.locator("#guess-counts button").click()
    assert page.locator("#guess-counts output").inner_text().startswith("Right")
    page.locator("#guess-counts input").fill("0.5")
    page.keyboard.press("Enter")
    assert page.locator("#guess-counts output").inner_text().startswith("Not yet. It is 0.6")
    first = page.locator("#exercise-list").inner_text()
    page.locator("#seed").fill("2")
    assert page.locator("#exercise-list").inner_text() != first
    page.locator("#seed").fill("1")
    assert page.locator("#exercise-list").inner_text() == first


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_it_fits_the_screen(open_page: Tabs, tmp_path: Path, size: Any) -> None:
    place = tmp_path / "textbook.html"
    place.write_text(textbook_page(), encoding="utf-8")
    page = open_page(place, size=size)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("corpus", "joint"),
    [
        ("reviews", [3.280167288531715e-05, 6.106248727864848e-05]),
        ("letters", [0.07407407407407407, 0.0]),
        ("china", [1 / 4 * (2 / 9) ** 5, 3 / 4 * (3 / 7) ** 3 * (1 / 14) ** 2]),
    ],
)
def test_examples_are_those_of_the_notes(page: Page, corpus: str, joint: list[float]) -> None:
    page.locator("#corpus").select_option(corpus)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    *_, sums, _ = rows_of(page, "answer")
    assert sums["values"][0::2] == pytest.approx(joint, rel=1e-9)
