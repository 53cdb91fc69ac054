"""The modules of the page that calculate, asked directly: files of texts, intervals, the queue, removals."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from likely import terminal
from likely.evaluation.evaluate import evaluate
from likely.explanation.explanation import times_text
from likely.report.render import percent
from likely.sample import load_sample
from likely.server.page import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Route

ADDRESS = "http://page.test"
CELLS = ["plain", "", "a,b", 'say "hi"', "two\nlines", "three\r\nlines", "тест 😀", " space ", '"', "a;b\tc"]


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Callable[..., Any]]:
    """A function that calls ``name`` of a module with arguments, in a browser that gets the files from no server."""
    context = browser.new_context()
    page = context.new_page()

    def serve(route: Route) -> None:
        file = files()[route.request.url.removeprefix(ADDRESS)]
        body = (
            b"<!doctype html><title>empty</title>"
            if file.headers["content-type"].startswith("text/html")
            else bytes(file.body)
        )
        route.fulfill(body=body, content_type=file.headers["content-type"])

    page.route("**/*", serve)
    page.goto(f"{ADDRESS}/")

    def call(module: str, expression: str, argument: object = None) -> Any:
        script = f"async (json) => {{ const m = await import('/page/{module}.js'); const given = JSON.parse(json);"
        return page.evaluate(f"{script} return {expression}; }}", json.dumps(argument))

    yield call
    context.close()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_files_of_spreadsheets_are_read_as_python_reads_them(
    run: Callable[..., Any], delimiter: str, end: str
) -> None:
    rows = [[cell, f"{cell}!", "x"] for cell in CELLS]
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator=end).writerows(rows)
    assert run("csv", "m.rowsOf(given)", "\ufeff" + written.getvalue()) == rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252"])
def test_files_of_other_encodings_are_read(run: Callable[..., Any], encoding: str) -> None:
    text = "text,label\ncafé crème – naïve,x\n"
    found = run("csv", "m.decoded(Uint8Array.from(given).buffer)", [*text.encode(encoding)])
    assert found.removeprefix("\ufeff") == text


def test_a_quote_that_is_not_closed_ends_with_the_file(run: Callable[..., Any]) -> None:
    assert run("csv", "m.rowsOf(given)", 'a,"b\nc,d') == [["a", "b\nc,d"]]
    assert run("csv", "m.rowsOf(given)", "") == []
    assert run("csv", "m.rowsOf(given)", 'it"s,5" wide\n') == [['it"s', '5" wide']]


@pytest.mark.parametrize(
    ("name", "file", "header", "column", "rows"),
    [
        ("a.csv", "id,text\n1,hello\n", True, 1, 2),
        ("a.csv", "1,a long text of a person\n2,another one here\n", False, 1, 2),
        ("a.tsv", "Label\tMessage\nx\ty, z\n", True, 1, 2),
        ("a.txt", "one, two\nthree\n\n", False, 0, 2),
        ("a.csv", "just a line\nand another; or two, or three\n", False, 0, 2),
    ],
)
def test_a_file_is_understood(
    run: Callable[..., Any], name: str, file: str, header: bool, column: int, rows: int
) -> None:
    found = run("csv", "m.understood(given.name, given.file)", {"name": name, "file": file})
    assert (found["hasHeader"], found["column"], len(found["rows"])) == (header, column, rows)


@pytest.mark.parametrize("cell", ["=1+1", "+1+1", "-1+1", "@A1", "\t=1", "\r=1", " =1", "\uff1dA1", "|x"])
def test_a_formula_is_written_as_text(run: Callable[..., Any], cell: str) -> None:
    assert next(csv.reader(io.StringIO(run("csv", "m.csvOf([[given]])", cell), newline="")))[0] == f"'{cell}"


@pytest.mark.parametrize("cell", [*CELLS[2:], "-12.5", "3"])
def test_other_cells_are_written_as_they_are(run: Callable[..., Any], cell: str) -> None:
    assert next(csv.reader(io.StringIO(run("csv", "m.csvOf([[given]])", cell), newline="")))[0] == cell


@pytest.mark.parametrize(("right", "of"), [(0, 5), (3, 5), (5, 5), (81, 263)])
def test_the_interval_is_that_of_wilson(run: Callable[..., Any], right: int, of: int) -> None:
    low, high = run("estimate", "m.wilson(...given)", [right, of])
    for bound in (low, high):  # the bounds are the solutions of |p^ - p| = z sqrt(p (1 - p) / n)
        assert (right / of - bound) ** 2 == pytest.approx(1.959963984540054**2 * bound * (1 - bound) / of, abs=1e-12)
    assert low <= right / of <= high
    assert run("estimate", "m.wilson(0, 0)") == [0, 1]


def test_agreement_is_cohens_kappa(run: Callable[..., Any]) -> None:
    before, after = list("aabbbcabca"), list("ababbcabcc")
    assert run("estimate", "m.kappa(...given)", [before, after]) == pytest.approx(evaluate(before, after).kappa)
    assert run("estimate", "m.kappa(['a'], ['a'])") == 1
    assert run("estimate", "m.kappa([], [])") is None


def test_advice_says_stop_only_when_answers_are_stable(run: Callable[..., Any]) -> None:
    known = {"classes": 2, "smallest": 9, "kappas": [0.99, 1, 1], "checks": 30, "left": 5}
    assert run("estimate", "m.advice(given)", known)["stop"]
    assert run("estimate", "m.advice(given)", {**known, "left": 0})["stop"]
    for changed in ({"classes": 1}, {"smallest": 2}, {"kappas": [1, 1]}, {"kappas": [1, 0.9, 1]}, {"checks": 3}):
        assert not run("estimate", "m.advice(given)", {**known, **changed})["stop"]


def test_the_most_uncertain_texts_come_first_and_differ(run: Callable[..., Any]) -> None:
    items = [
        {"text": "cheap pills for sale now", "uncertainty": 0.9},
        {"text": "cheap pills for sale now!", "uncertainty": 0.9},
        {"text": "lunch on monday", "uncertainty": 0.8},
        {"text": "a report", "uncertainty": 0.1},
    ]
    found = [each["text"] for each in run("queue", "m.picked(given, 3)", items)]
    assert found == ["cheap pills for sale now", "lunch on monday", "a report"]


def test_every_text_is_asked_about_once_and_every_third_by_chance(run: Callable[..., Any]) -> None:
    texts = load_sample()[0][:100]
    script = """(() => {
        const queue = new m.Queue([...given, ...given]);
        const found = [];
        for (;;) {
            if (queue.isDue) queue.plan(queue.candidates());
            const step = queue.next();
            if (!step) return found;
            found.push([step.item.text, step.isCheck]);
        }
    })()"""
    found = run("queue", script, texts)
    assert sorted(text for text, _ in found) == sorted(set(texts))
    assert [check for _, check in found[:90]] == [at % 3 == 2 for at in range(90)]
    assert found == run("queue", script, texts)


SHARES = [
    *(at / 800 for at in range(801)),  # every eighth of a percent: some are in the middle of two texts, as 6.25% is
    *(at / 2_000 for at in range(2_001)),
    *(10.0**-at for at in range(320)),
    *(1 - 2.0**-at for at in range(54)),
    *random.Random(1).choices([at / 2**20 for at in range(2**20)], k=2_000),
]
NUMBERS = [
    *(share * 10.0**power for share in SHARES[1:-2_000:7] for power in range(-6, 9, 2)),
    *(at / 8 for at in range(1_000)),
    *(at + 0.5 for at in range(99_990, 100_010)),
    *(float(at) for at in (0, 1, 9, 999, 1_000, 9_999, 10_000, 99_995, 999_999, 1_000_000, 10**15)),
    999_999.5,
    1_234_567.5,
]
RATIOS = [at / 37 for at in range(-500, 900)]


@pytest.mark.parametrize(
    ("called", "given", "expected"),
    [
        ("percent(each)", SHARES, percent),
        ("percent(each, 0)", SHARES, lambda each: spaced(terminal.percent(each, 0))),
        ("exactPercent(each)", SHARES, lambda each: spaced(terminal.exact_percent(each))),
        ("number(each)", NUMBERS, terminal.number),
        ("thousands(each)", NUMBERS, terminal.thousands),
        ("counted(each, 'row')", NUMBERS, lambda each: terminal.counted(each, "row")),
        ("times(each)", RATIOS, times_text),
    ],
)
def test_numbers_are_written_as_python_writes_them(
    run: Callable[..., Any], called: str, given: list[float], expected: Callable[[float], str]
) -> None:
    shown = run("numbers", f"given.map((each) => m.{called})", given)
    assert [(each, text) for each, text in zip(given, shown, strict=True) if text != expected(each)] == []


def spaced(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def test_no_share_and_no_possible_ratio(run: Callable[..., Any]) -> None:
    assert run("numbers", "m.percent(null)") == percent(None)
    assert run("numbers", "m.times(-Infinity)") == times_text(-math.inf)


def test_nothing_hidden_is_written_as_python_writes_it(run: Callable[..., Any]) -> None:
    texts = [f"a{chr(code)}b" for code in range(0x11000) if not 0xD800 <= code < 0xE000] + [
        "a\U000e0001b",
        "a\U0001f600b",
    ]
    known = [text for text in texts if unicodedata.category(text[1]) != "Cn"]  # browsers may know newer characters
    shown = run("dom", "given.map(m.printable)", known)
    assert [text for text, found in zip(known, shown, strict=True) if found != terminal.printable(text)] == []


def test_a_sentence_begins_with_a_capital_and_has_code_in_it(run: Callable[..., Any]) -> None:
    found = run("parts", "m.sentence(given).map((part) => part.outerHTML ?? part)", "use `likely <b>` \u202e now")
    assert found == ["Use ", "<code>likely &lt;b&gt;</code>", " \\u202e now."]


def test_places_in_characters_become_places_in_code_units(run: Callable[..., Any]) -> None:
    assert run("answer", "[0, 1, 2, 3].map(m.unitsOf(given))", "a😀b") == [0, 1, 3, 4]
    assert run("answer", "[0, 1, 2].map(m.unitsOf(given))", "ab") == [0, 1, 2]
