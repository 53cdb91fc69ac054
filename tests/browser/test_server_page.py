"""The page of `likely serve`, used as people do: typed into, taught, looked at; by keys, on a phone, in the dark."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from likely import NaiveBayes
from likely.explanation.words import STEM_NOTE
from likely.sample import load_sample

from tests.browser.conftest import MAKE_MARKUP
from tests.browser.serving import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import Tabs

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: `make install` installs it")
expect: Any = api.expect

TEXT = "A wonderful film, never dull 😀, although the plot is predictable and the ending is terrible."
HOSTILE = "<img src=x onerror=alert(1)> </script><script>alert(2)</script> \u202e\u0007 'quotes\" &amp; \u2066"
GOLD = dict(zip(*load_sample(), strict=True))


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(ngrams=(1, 2), calibrate=True).fit(*load_sample())


@pytest.fixture(scope="module")
def shared(model: NaiveBayes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the tests that teach nothing."""
    folder = tmp_path_factory.mktemp("shared")
    model.save(str(folder / "reviews.likely"))
    with serving(folder, model=folder / "reviews.likely") as running:
        yield running


@pytest.fixture
def server(model: NaiveBayes, tmp_path: Path) -> Iterator[Server]:
    model.save(str(tmp_path / "reviews.likely"))
    with serving(tmp_path, "--keep-texts", "--allow-new-classes", model=tmp_path / "reviews.likely") as running:
        yield running


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def opened(tabs: Tabs, server: Server, part: str = "try", **how: Any) -> Page:
    page = tabs.at(server.address, **how)
    page.wait_for_selector("body[data-ready]")
    page.click(f"#tab-{part}")
    return page


def typed(page: Page, text: str) -> None:
    """Type a text, and wait for its answer."""
    page.fill("#text", text)
    expect(page.locator("#marked")).to_have_text(text, use_inner_text=False)


def pool(page: Page, texts: list[str], name: str = "pool.csv") -> None:
    """Give a CSV with these texts, and start."""
    written = io.StringIO()
    csv.writer(written).writerows([["id", "text"], *([at, text] for at, text in enumerate(texts))])
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": written.getvalue().encode()})
    page.click("#start")
    expect(page.locator("#asked")).not_to_be_empty()


def label_by_key(page: Page, label: str, done: int) -> None:
    """Give the text that is asked about a label, by its key or by the name of a new class."""
    names = page.locator("#labels .choice bdi").all_inner_texts()
    if label in names:
        page.locator("#asked").press(str(names.index(label) + 1))
    else:
        page.fill("#labels input", label)
        page.press("#labels input", "Enter")
    expect(page.locator("#labelled")).to_have_text(str(done))


def test_what_is_typed_gets_its_class(model: NaiveBayes, shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    assert "Type or paste" in page.inner_text("#verdict")
    page.locator("#text").press_sequentially(TEXT)
    expect(page.locator("#marked")).to_have_text(TEXT)
    label, probability = model.predict([TEXT])[0], model.predict_proba([TEXT]).max()
    assert page.inner_text("#verdict") == f"{label}, {100 * probability:.1f}%"
    assert page.inner_text(".best .class-name") == label
    assert page.locator("#marked .word[class^=p]").count() > 0 < page.locator("#marked .word[class^=c]").count()
    page.fill("#text", "")
    expect(page.locator("#answer")).to_be_hidden()


def test_a_word_shows_the_counts_behind_its_weight(model: NaiveBayes, shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    typed(page, "It was \U0001f600 wonderful")  # a character of two code units before the word
    page.locator("#marked mark", has_text="wonderful").hover()
    shown = page.locator("#word .counts").filter(has=page.get_by_text("wonderful", exact=True)).inner_text()
    found = model.explain("It was \U0001f600 wonderful")
    fractions = next(term for term in found.terms if term.term == "wonderful").fractions
    for label, (count, of) in fractions.items():
        assert f"{label}: {count:,.0f} of {of:,.0f} = " in shown
    page.locator("#marked mark").first.focus()  # from the keyboard, too
    expect(page.locator("#marked mark").first).to_have_class(re.compile("pointed"))


def test_the_fewest_words_that_change_the_answer(model: NaiveBayes, shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    typed(page, TEXT)
    expect(page.locator("#flip")).to_contain_text("the answer would be")
    words = page.locator("#flip mark").all_inner_texts()
    label = model.predict([TEXT])[0]

    def without(removed: list[str]) -> str:
        text = TEXT
        for word in removed:
            text = re.sub(rf"\b{word}\b", "", text)
        return str(model.predict([text])[0])

    assert without(words) == page.inner_text("#flip strong") != label
    assert all(without([word]) == label for word in set(re.findall(r"\w+", TEXT)) if len(words) > 1)


def test_a_text_of_one_word_changes_only_without_it(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    typed(page, "wonderful")
    expect(page.locator("#flip")).to_contain_text("Without wonderful the answer would be")


def test_a_correction_is_learned_and_undone(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server)
    typed(page, TEXT)
    before, wrong = page.text_content("#bars"), page.locator("#choices .choice:not(.chosen)")
    other = wrong.locator("bdi").inner_text()
    wrong.click()
    expect(page.locator("#changed")).to_contain_text(f"Learned as {other}")
    expect(page.locator("#subtitle")).to_contain_text("481 documents")
    assert page.text_content("#bars") != before
    assert page.locator(".with-mark").count() == 2
    answer: Any = server.ask("/predict", {"text": TEXT})
    assert answer["predictions"][0]["label"] == page.inner_text(".best .class-name")
    page.click("#changed button")
    expect(page.locator("#subtitle")).to_contain_text("480 documents")
    expect(page.locator("#bars")).to_have_text(str(before))


def test_alt_and_a_digit_correct_while_typing(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server)
    typed(page, TEXT)
    page.locator("#text").press("Alt+1")
    expect(page.locator("#changed")).to_contain_text("Learned as negative")
    assert page.input_value("#text") == TEXT


def test_a_correction_is_seen_whichever_process_answers(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    model.save(str(tmp_path / "reviews.likely"))
    with serving(tmp_path, "--workers", "2", model=tmp_path / "reviews.likely") as running:
        page = opened(open_page, running)
        for number in range(1, 6):
            typed(page, f"{TEXT} {number}")
            page.locator("#choices .choice").first.click()
            expect(page.locator("#changed")).to_contain_text("Learned as negative")
            assert page.inner_text("#subtitle").startswith(f"{480 + number} documents")
        page.close()  # before the server ends, so that no request is left without an answer


def test_a_new_class_is_typed_into_an_empty_model(empty: Server, open_page: Tabs) -> None:
    page = opened(open_page, empty)
    assert "empty" in page.inner_text("#subtitle")
    for text, label in {"cheap pills now": "spam", "see you at lunch": "ham"}.items():
        page.fill("#text", text)
        expect(page.locator("#choices input")).to_be_visible()
        page.fill("#choices input", label)
        page.press("#choices input", "Enter")
        expect(page.locator("#changed")).to_contain_text(f"Learned as {label}")
    typed(page, "cheap lunch pills")
    expect(page.locator("#verdict")).to_contain_text("spam")


def test_a_name_that_is_being_typed_survives_the_next_answer(empty: Server, open_page: Tabs) -> None:
    empty.ask("/learn", {"corrections": [{"text": "cheap pills", "label": "spam"}]})
    page = opened(open_page, empty)
    typed(page, "cheap pills")
    expect(page.locator("#verdict")).to_contain_text("spam")
    page.fill("#choices input", "a new na")
    with page.expect_response(lambda answer: "/explain" in answer.url or "/predict" in answer.url):
        page.evaluate("""() => {
            const text = document.querySelector("#text");
            text.value = "pills";
            text.dispatchEvent(new Event("input"));
        }""")
    expect(page.locator("#marked")).to_have_text("pills")
    expect(page.locator("#choices input")).to_have_value("a new na")


def test_a_list_is_labelled_by_keys_from_an_empty_model(empty: Server, open_page: Tabs) -> None:
    page = opened(open_page, empty, "teach")
    pool(page, list(GOLD)[:80])
    for done in range(1, 31):
        label_by_key(page, GOLD[page.inner_text("#asked")], done)
    assert page.inner_text("#accuracy") == "too few yet"
    assert "drawn at random" in page.inner_text("#estimate-says")
    assert page.inner_text("#advice").startswith("Keep going")
    assert "50 texts left" in page.inner_text("#progress")
    learned: Any = empty.ask("/classes")
    assert sum(each["documents"] for each in learned["classes"]) == 30
    documents = {each["label"]: each["documents"] for each in learned["classes"]}

    asked = page.inner_text("#asked")
    page.locator("#asked").press("s")
    expect(page.locator("#asked")).not_to_have_text(asked)
    page.locator("#asked").press("u")
    expect(page.locator("#asked")).to_have_text(asked)
    page.locator("#asked").press("u")
    expect(page.locator("#labelled")).to_have_text("29")
    again = GOLD[page.inner_text("#asked")]
    undone: Any = empty.ask("/classes")
    assert {each["label"]: each["documents"] for each in undone["classes"]}[again] == documents[again] - 1


def entries(server: Server) -> list[tuple[str, str, object]]:
    found: Any = server.ask("/history")
    return [(each["kind"], each["text"], each["label"]) for each in reversed(found["entries"])]


def test_a_key_labels_what_is_shown_even_after_a_failed_request(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server, "teach", expected=("ERR_FAILED",))
    pool(page, [f"text number {at} with words {at * 7}" for at in range(12)])
    page.locator("#asked").press("1")
    expect(page.locator("#labelled")).to_have_text("1")
    page.route("**/model", lambda route: route.abort())
    page.locator("#asked").press("u")
    expect(page.locator("#problem")).to_be_visible()
    page.unroute("**/model")
    shown = page.inner_text("#asked")
    page.locator("#asked").press("2")
    expect(page.locator("#labelled")).to_have_text("1")
    assert entries(server)[-1] == ("learn", shown, "positive")


def test_a_text_whose_answer_is_lost_is_labelled_once(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server, "teach", expected=("ERR_FAILED",))
    pool(page, [f"text number {at} with words {at * 7}" for at in range(12)])
    shown = page.inner_text("#asked")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/learn", lose)
    page.locator("#asked").press("1")
    expect(page.locator("#problem")).to_be_visible()
    page.unroute("**/learn")
    assert (page.inner_text("#asked"), page.inner_text("#labelled")) == (shown, "0")
    page.locator("#asked").press("1")
    expect(page.locator("#labelled")).to_have_text("1")
    page.route("**/undo", lose)
    page.locator("#asked").press("u")
    expect(page.locator("#problem")).to_be_visible()
    page.unroute("**/undo")
    page.locator("#asked").press("u")
    expect(page.locator("#labelled")).to_have_text("0")
    expect(page.locator("#asked")).to_have_text(shown)
    assert entries(server) == [("learn", shown, "negative"), ("forget", None, "negative")]


def test_what_is_learned_counts_once_even_if_the_model_is_not_told(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server, "teach", expected=("ERR_FAILED",))
    pool(page, [f"text number {at} with words {at * 7}" for at in range(12)])
    page.route("**/model", lambda route: route.abort())
    page.locator("#asked").press("1")
    expect(page.locator("#labelled")).to_have_text("1")
    expect(page.locator("#queue-title")).to_have_text("The next text could not be asked about")
    page.keyboard.press("1")  # labels nothing, because nothing is shown
    page.unroute("**/model")
    page.click("#skip")
    expect(page.locator("#queue-title")).to_have_text("Which class?")
    assert (len(entries(server)), page.inner_text("#labelled")) == (1, "1")


def test_a_key_that_comes_too_early_is_told(server: Server, open_page: Tabs) -> None:
    page = opened(open_page, server, "teach")
    pool(page, [f"text number {at} with words {at * 7}" for at in range(12)])
    held: list[Route] = []
    page.route("**/learn", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks its handlers
    with page.expect_request("**/learn"):
        page.locator("#asked").press("1")
    page.keyboard.press("2")
    expect(page.locator("#missed")).to_contain_text("Too early, so it did nothing: positive.")
    held[0].continue_()
    expect(page.locator("#labelled")).to_have_text("1")
    page.unroute("**/learn")
    page.keyboard.press("2")
    expect(page.locator("#labelled")).to_have_text("2")
    expect(page.locator("#missed")).to_be_empty()
    assert [label for _, _, label in entries(server)] == ["negative", "positive"]


def test_a_new_class_is_offered_only_if_the_server_makes_it(beside: Server, open_page: Tabs) -> None:
    page = opened(open_page, beside)
    typed(page, TEXT)
    expect(page.locator("#choices .choice")).to_have_count(2)
    assert page.locator("#choices input").count() == 0


def test_a_whole_list_is_done_and_exported(empty: Server, open_page: Tabs) -> None:
    page = opened(open_page, empty, "teach")
    texts = ["=HYPERLINK(1)", 'says "hello", twice', "+49 123", "fine", "-1+2", "@sum", "two\nlines", "last one"]
    pool(page, texts)
    for done in range(1, len(texts) + 1):
        label_by_key(page, "odd" if done % 2 else "=even", done)
        assert page.locator("#labels .choice bdi").all_inner_texts() == ["odd", "=even"][:done] or done == len(texts)
    expect(page.locator("#queue-title")).to_have_text("The list is done")
    assert "All texts of the list are done" in page.inner_text("#advice")
    with page.expect_download() as waiting:
        page.click("#export")
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text("utf-8-sig"), newline="")))
    assert {row["text"].removeprefix("'") for row in rows} == set(texts)
    assert not any(value.startswith(tuple("=+-@")) for row in rows for value in row.values())


def test_a_file_with_one_text_per_line_is_a_list_too(empty: Server, open_page: Tabs) -> None:
    page = opened(open_page, empty, "teach")
    lines = "first, with a comma\r\nsecond\r\n\r\nsecond\r\nthird"
    page.set_input_files("#file", {"name": "lines.txt", "mimeType": "text/plain", "buffer": lines.encode()})
    expect(page.locator("#file-says")).to_have_text("lines.txt: 3 distinct texts.")
    assert page.locator("#preview p").first.inner_text() == "first, with a comma"


def test_a_file_is_dropped(empty: Server, open_page: Tabs) -> None:
    page = opened(open_page, empty, "teach")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["id;message\\n1;hello there\\n2;good bye\\n"], "mail.csv"));
            const how = { dataTransfer: data, bubbles: true, cancelable: true };
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", how));
        }"""
    )
    expect(page.locator("#file-says")).to_have_text("mail.csv: 2 distinct texts.")
    assert page.locator("#column option:checked").inner_text() == "message"


def test_stems_are_shown_as_words_or_marked(tmp_path: Path, open_page: Tabs) -> None:
    place = tmp_path / "reviews.likely"
    stemmed = NaiveBayes(stem="english").fit(*load_sample())
    stemmed.save(str(place))
    with serving(tmp_path, model=place) as running:
        page = opened(open_page, running)
        typed(page, "Beautiful disappointments")
        page.locator("#marked mark", has_text="disappointments").hover()
        expect(page.locator("#word strong").first).to_have_text("disappointments")
        page.click("#tab-look")
        chip = page.locator(".chip").first
        (term, _), *_ = stemmed.top_words("negative", 1)
        expect(chip).to_have_text(f"{term}-")
        expect(page.locator("#classes .remark")).to_have_text(STEM_NOTE)
        chip.click()
        expect(page.locator("#term")).to_have_value(term)
        expect(page.locator(".term-table tbody tr")).to_have_count(2)


def test_what_the_model_knows_is_looked_at(model: NaiveBayes, shared: Server, open_page: Tabs) -> None:
    shared.ask("/predict", {"texts": ["good", "awful", "xyzzy"] * 10})
    page = opened(open_page, shared, "look")
    row = page.locator(".class-table tbody tr").first
    assert row.locator("th").inner_text() == "negative"
    assert "240" in row.locator("td").first.inner_text()
    word = row.locator(".chip").first.inner_text()
    assert word == model.top_words("negative", 1)[0][0]
    row.locator(".chip").first.click()
    expect(page.locator(".term-table tbody tr")).to_have_count(2)
    assert str(model.counts(word)["negative"].count) in page.locator(".term-table tbody tr").first.inner_text()
    page.fill("#term", "xyzzy/?#")
    page.press("#term", "Enter")
    expect(page.locator("#term-answer")).to_contain_text("does not know xyzzy/?#")
    expect(page.locator("#drift")).to_contain_text("The last 30 texts")
    expect(page.locator("#history")).to_contain_text("No corrections yet")


def test_corrections_are_listed_and_undone(server: Server, open_page: Tabs) -> None:
    server.ask(
        "/learn", {"corrections": [{"text": "splendid", "label": "positive"}, {"text": "grim", "label": "negative"}]}
    )
    page = opened(open_page, server, "look")
    rows = page.locator(".history-table tbody tr")
    expect(rows).to_have_count(2)
    rows.filter(has_text="splendid").get_by_role("button").click()
    expect(page.locator("#subtitle")).to_contain_text("481 documents")
    expect(rows.filter(has_text="undid")).to_have_count(1)
    expect(rows.filter(has_text="undone")).to_have_count(1)
    assert rows.filter(has_text="grim").get_by_role("button").is_visible()


def test_a_correction_that_the_model_contradicts_is_shown_and_moved(server: Server, open_page: Tabs) -> None:
    text = (
        "a wonderful, excellent, lovely and brilliant film, the best; perfect, amazing, beautiful, great, I loved it"
    )
    server.ask(
        "/learn", {"corrections": [{"text": text, "label": "negative"}, {"text": "awful", "label": "negative"}]}
    )
    page = opened(open_page, server, "look")
    rows = page.locator(".suspect-table tbody tr")
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Move to positive").click()
    expect(page.locator("#suspects")).to_contain_text("None: the model agrees")
    answer: Any = server.ask("/classes")
    assert [each["documents"] for each in answer["classes"]] == [241, 241]


def test_a_server_that_does_not_learn_says_why(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    model.save(str(tmp_path / "reviews.likely"))
    with serving(tmp_path, model=tmp_path / "reviews.likely", learns=False) as running:
        why: Any = running.ask("/model")["learning"]
        page = opened(open_page, running)
        typed(page, TEXT)
        assert why["why_not"] in page.inner_text("#subtitle")
        assert page.locator("#correct").is_hidden()
        page.click("#tab-teach")
        assert why["why_not"] in page.inner_text("#cannot-teach")
        assert page.locator("#drop").is_hidden()
        page.click("#tab-look")
        expect(page.locator(".class-table tbody tr")).to_have_count(2)
        page.close()


def test_the_token_is_asked_for_and_stays_in_the_tab(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    model.save(str(tmp_path / "reviews.likely"))
    (tmp_path / "tokens").write_text("predict look-but-do-not-touch\nlearn correct-horse-battery\n")
    with serving(tmp_path, "--token-file", str(tmp_path / "tokens"), model=tmp_path / "reviews.likely") as running:
        page = open_page.at(running.address, expected=("status of 401", "status of 403"))

        def give(token: str) -> None:
            page.fill("#token", token)
            page.press("#token", "Enter")

        expect(page.locator("#ask")).to_be_visible()
        give("wrong-wrong-wrong-wrong")
        expect(page.locator("#ask-why")).to_have_text("That token was not accepted.")
        give("look-but-do-not-touch")
        expect(page.locator("#subtitle")).to_contain_text("480 documents")
        typed(page, TEXT)
        page.locator("#choices .choice").first.click()
        expect(page.locator("#ask-why")).to_contain_text("learn token")
        give("correct-horse-battery")
        expect(page.locator("#changed")).to_contain_text("Learned as")
        assert "horse" not in page.url
        page.reload()
        expect(page.locator("#subtitle")).to_contain_text("481 documents")
        assert page.locator("#ask").is_hidden()
        page.close()


def test_a_server_that_is_gone_is_told(model: NaiveBayes, tmp_path: Path, open_page: Tabs) -> None:
    model.save(str(tmp_path / "reviews.likely"))
    with serving(tmp_path, model=tmp_path / "reviews.likely") as running:
        page = opened(open_page, running, expected=("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET"))
        typed(page, TEXT)
    page.fill("#text", "another text")
    expect(page.locator("#problem")).to_have_text("The server does not answer. Is it still running?")
    with serving(tmp_path, model=tmp_path / "reviews.likely", port=int(running.address.rpartition(":")[2])):
        typed(page, "a third text")
        expect(page.locator("#problem")).to_be_hidden()
        page.close()


def test_hostile_texts_and_labels_are_only_texts(empty: Server, open_page: Tabs) -> None:
    label = HOSTILE[:60]
    corrections = [{"text": HOSTILE, "label": label}, {"text": "plain words", "label": "\u202eevil"}]
    empty.ask("/learn", {"corrections": corrections})
    page = opened(open_page, empty)
    page.evaluate("text => { document.getElementById('text').value = text; }", HOSTILE + "\ud800")
    page.locator("#text").dispatch_event("input")
    expect(page.locator("#verdict strong")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.evaluate("document.getElementById('marked').textContent").startswith(HOSTILE[:40])
    assert "\\u202eevil" in page.inner_text("#bars")
    page.click("#tab-teach")
    pool(page, [HOSTILE, "another"], name='"><script>alert(3)</script>.csv')
    assert page.locator("#labels .choice").count() == 2
    page.click("#tab-look")
    expect(page.locator(".class-table tbody tr")).to_have_count(2)
    expect(page.locator(".history-table tbody tr")).to_have_count(2)
    assert "\u202e" not in page.inner_text("#look")
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("document.scripts.length") == 1


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Server]:
    """A server with test data and a list of texts to label."""
    texts, labels = load_sample()
    NaiveBayes().fit(texts[:320], labels[:320]).save(str(tmp_path / "reviews.likely"))
    for name, columns in {
        "test.csv": {"text": texts[320:], "label": labels[320:]},
        "wait.csv": {"text": texts[320:]},
    }.items():
        with open(tmp_path / name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
    with serving(tmp_path, "--pool", str(tmp_path / "wait.csv"), model=tmp_path / "reviews.likely") as running:
        yield running


def test_drift_compares_texts_of_today_with_those_of_training(beside: Server, open_page: Tabs) -> None:
    page = opened(open_page, beside, "look")
    expect(page.locator("#drift")).to_contain_text("0 texts predicted")
    texts = ["a dull and boring film", "never again, awful", "blorp zwee kladderadatsch"]
    beside.ask("/predict", {"texts": texts})
    page.click("#tab-try")
    page.click("#tab-look")
    expect(page.locator("#drift")).to_contain_text("3 texts predicted since the server was started: too few yet")
    beside.ask("/predict", {"texts": texts * 9})
    page.click("#tab-try")
    page.click("#tab-look")
    expect(page.locator(".drift-table tbody tr")).to_have_count(2)
    found: Any = beside.ask("/drift")
    shown = page.inner_text("#drift").replace("\N{NO-BREAK SPACE}", " ")
    assert f"{100 * found['unknown']:.1f}% of the terms are unknown" in shown
    assert f"{100 * found['usual']:.1f}% is usual" in shown
    assert "The last 30 texts" in shown
    row = page.locator(".drift-table tbody tr").first.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert "negative" in row
    assert "50.0%" in row
    assert found["classes"][0]["predicted"] == 1
    assert "100%" in row


def test_without_a_pool_the_page_has_none(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared, "teach")
    assert page.locator("#served").is_hidden()


def test_the_list_of_the_server_is_labelled_and_goes_on_where_it_was_left(beside: Server, open_page: Tabs) -> None:
    page = opened(open_page, beside, "teach")
    expect(page.locator("#served-says")).to_contain_text("wait.csv: 160 distinct texts")
    page.focus("#served-start")
    page.keyboard.press("Enter")
    expect(page.locator("#asked")).to_be_focused()
    asked = []
    for done, label in enumerate(["negative", "positive"], 1):  # whatever the texts say: the guard wants balance
        asked.append(page.inner_text("#asked"))
        label_by_key(page, label, done)
    assert "158 texts left" in page.inner_text("#progress")
    page.click("#leave")
    expect(page.locator("#served-says")).to_be_visible()
    page.click("#served-start")
    expect(page.locator("#progress")).to_contain_text("158 texts left")
    waiting: Any = beside.ask("/pool?limit=1000")
    assert set(asked).isdisjoint(waiting["texts"])


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen(server: Server, open_page: Tabs, size: str, scheme: str) -> None:
    page = opened(open_page, server, size=size, scheme=scheme)
    typed(page, TEXT + " " + "supercalifragilistic" * 20)
    server.ask("/learn", {"corrections": [{"text": "long " * 50, "label": "a class with a very long name " * 5}]})
    page.click("#tab-teach")
    pool(page, ["supercalifragilistic" * 30, *list(GOLD)[:30]])
    for part in ("teach", "look", "try"):
        page.click(f"#tab-{part}")
        if part == "look":
            expect(page.locator(".class-table tbody tr")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), part
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    assert dark is (scheme == "dark")


def test_tabs_are_moved_by_arrows_and_fields_have_names(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    page.focus("#tab-try")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Teach")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Teach")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Look")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Home")
    typed(page, TEXT)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, textarea, select, button")]
            .filter((each) => !(each.labels?.length || each.getAttribute("aria-label") || each.textContent.trim()))
            .map((each) => each.outerHTML)"""
    )
    assert unnamed == []
    assert page.get_by_role("status").count() > 0


def test_marked_words_are_one_stop_of_the_tab_key(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    typed(page, " ".join([TEXT] * 20))
    marks = page.locator("#marked").get_by_role("button")
    assert marks.count() > 100
    assert page.locator("#marked [tabindex='0']").count() == 1
    marks.first.focus()
    expect(page.locator("#word .counts").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(marks.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(marks.last).to_be_focused()
    expect(page.locator("#marked .pointed")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(marks.first).to_be_focused()
    assert re.fullmatch(r".+, for (positive|negative)", str(marks.first.get_attribute("aria-label")))
    page.keyboard.press("End")
    page.keyboard.press("Tab")  # one step leads out
    assert page.locator("#marked :focus").count() == 0
    page.keyboard.press("Shift+Tab")  # and back to the word that was looked at last
    expect(marks.last).to_be_focused()


def test_what_is_behind_a_word_is_collected_when_it_is_pointed_at(shared: Server, open_page: Tabs) -> None:
    count = """window.made = 0;
        window.Set = class extends Set { constructor(...values) { super(...values); window.made += 1; } };"""
    page = opened(open_page, shared, before=count)
    text = " ".join([TEXT] * 20)
    typed(page, text)
    assert page.evaluate("made") < 100 < len(text)


def test_the_navigation_is_a_landmark_and_panels_are_reached(
    model: NaiveBayes, tmp_path: Path, open_page: Tabs
) -> None:
    model.save(str(tmp_path / "reviews.likely"))
    with serving(tmp_path, model=tmp_path / "reviews.likely", learns=False) as running:
        page = opened(open_page, running, "teach")
        expect(page.get_by_role("navigation")).to_have_count(1)
        expect(page.get_by_role("navigation").get_by_role("tablist").get_by_role("tab")).to_have_count(3)
        page.focus("#tab-teach")
        page.keyboard.press("Tab")
        expect(page.get_by_role("tabpanel", name="Teach")).to_be_focused()  # nothing in it can be
        page.click("#tab-try")
        page.keyboard.press("Tab")
        expect(page.locator("#text")).to_be_focused()
        page.close()


def test_no_section_waits_for_another_one(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    page.route("**/classes?words=12", lambda route: None)
    page.click("#tab-look")
    expect(page.locator("#history")).to_contain_text("No corrections yet")
    expect(page.locator("#classes")).to_be_empty()


def test_a_late_answer_does_not_replace_a_newer_one(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared)
    held: list[Route] = []
    page.route("**/classes?words=12", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/classes?words=12"):
        page.click("#tab-look")
    page.click("#tab-try")
    page.click("#tab-look")
    expect(page.locator(".class-table tbody tr")).to_have_count(2)
    with contextlib.suppress(api.Error):  # the page has dropped this request
        held[0].fulfill(json={"classes": []})
    page.wait_for_timeout(200)
    expect(page.locator(".class-table tbody tr")).to_have_count(2)


def test_no_text_can_become_markup(shared: Server, open_page: Tabs) -> None:
    page = opened(open_page, shared, expected=("Trusted",))
    assert page.evaluate(MAKE_MARKUP) == "TypeError"
    page.goto(f"{shared.address}/docs")
    assert page.evaluate(MAKE_MARKUP) == "TypeError"
