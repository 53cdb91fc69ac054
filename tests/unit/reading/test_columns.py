"""Which columns hold the texts and the labels: guessed where it is clear, asked for where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading.batch import Chosen
from likely.reading.columns import check_header, choose
from likely.reading.corpus import Corpus

from .conftest import rows_of


def summary(path: Path) -> str:
    corpus = Corpus(path)
    list(corpus)
    return corpus.summary()


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("id,Review,Sentiment", "text=Review, label=Sentiment"),
        ("id,body,class", "text=body, label=class"),
        ("nr,what,kind", "text=what, label=kind"),  # by content: the long one, and the one with few values
    ],
)
def test_columns_are_guessed(tmp_path: Path, header: str, chosen: str) -> None:
    rows = "".join(f"{at},a rather long text about number {at},{'ab'[at % 2]}\n" for at in range(20))
    (tmp_path / "a.csv").write_text(f"{header}\n{rows}")
    assert summary(tmp_path / "a.csv") == f"read as CSV, {chosen}, 20 rows"


@pytest.mark.parametrize("header", ["a,b", "text_1,text_2", "body,message"])
def test_no_guess_where_it_is_not_clear(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nx y,z w\n")
    with pytest.raises(SourceError, match=f"{header.replace(',', ', ')}: name one with text"):
        rows_of(tmp_path / "a.csv")


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,b\n")
    with pytest.raises(SourceError, match=r"no column 'body'\. The columns are text, label"):
        rows_of(tmp_path / "a.csv", text="body")
    with pytest.raises(SourceError, match="both"):
        rows_of(tmp_path / "a.csv", text="text", label="text")
    assert rows_of(tmp_path / "a.csv", header=False, text="1", label="2") == [("text", "label"), ("a", "b")]


LONG = ["a rather long text about this and that"] * 9
CLASSES = ["x", "y", "x"] * 3
EACH = [str(at) for at in range(9)]


@pytest.mark.parametrize(
    ("sample", "found"),
    [
        ({"text": EACH, "label": CLASSES}, ("text", "label")),
        ({" Review ": EACH, "TARGET": CLASSES, "id": LONG}, (" Review ", "TARGET")),
        ({"text": EACH, "body": EACH, "label": CLASSES}, ("text", "label")),  # the plainest name, where two would do
        ({"text": ["a"] * 9, "body": LONG, "label": CLASSES}, ("body", "label")),  # but content counts for more
        ({"text": EACH, "label": CLASSES, "class": CLASSES}, ("text", "label")),
        ({"n": EACH, "words": LONG, "kind": CLASSES}, ("words", "kind")),
        ({"only": LONG, "other": CLASSES}, ("only", "other")),
    ],
    ids=str,
)
def test_names_decide_before_contents(sample: dict[str, list[str]], found: tuple[str, str]) -> None:
    chosen = choose(sample, None, None, "a.csv", labelled=True)
    assert (chosen.text, chosen.label) == found


@pytest.mark.parametrize(
    ("sample", "unclear"),
    [
        ({"a": LONG, "b": LONG, "label": CLASSES}, "text"),
        ({"text": LONG, "a": CLASSES, "b": CLASSES}, "label"),
        ({"text": LONG, "class": CLASSES, "target": CLASSES}, "label"),
        ({"text": LONG, "n": EACH, "m": EACH}, "label"),
        ({"text": LONG, "same": ["x"] * 9, "n": EACH}, "label"),  # one value is not a choice
        ({"text": LONG}, "label"),
        ({}, "text"),
    ],
    ids=str,
)
def test_no_coin_is_thrown(sample: dict[str, list[str]], unclear: str) -> None:
    with pytest.raises(SourceError, match=f"not clear which column is the {unclear}.*{unclear}=.*--{unclear}"):
        choose(sample, None, None, "a.csv", labelled=True)


def test_what_is_told_is_not_guessed() -> None:
    sample = {"text": LONG, "label": CLASSES, "id": EACH}
    assert choose(sample, "id", "text", "a.csv", labelled=True) == Chosen("id", "text")
    assert choose(sample, "label", None, "a.csv", labelled=False) == Chosen("label", None)
    with pytest.raises(SourceError, match="cannot be both"):
        choose(sample, "id", "id", "a.csv", labelled=True)


def test_weights_and_groups_are_never_taken_for_text_or_label() -> None:
    sample = {"text": LONG, "label": CLASSES, "body": EACH, "class": CLASSES}
    found = choose(sample, None, None, "a.csv", labelled=True, weight="text", group="label")
    assert found == Chosen("body", "class", "text", "label")
    assert str(found) == "text=body, label=class, weight=text, group=label"
    assert found.remembered() == Chosen("body", "class", "text")
    with pytest.raises(SourceError, match=r"a\.csv: 'class' cannot be both the label and the group"):
        choose(sample, None, "class", "a.csv", labelled=True, group="class")
    with pytest.raises(SourceError, match="there is no column 'w'"):
        choose(sample, None, None, "a.csv", labelled=True, weight="w")


def test_errors_list_the_columns_in_short_and_never_steer_the_terminal() -> None:
    sample = {f"\x1b{at}" + "x" * 50: EACH for at in range(40)}
    with pytest.raises(SourceError) as caught:
        choose(sample, "text", None, "a.csv", labelled=True)
    assert "and 10 more" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert "x" * 45 not in str(caught.value)


def test_a_header_that_occurs_again_may_be_data() -> None:
    with pytest.raises(SourceError, match="'Kommentar' occurs again below"):
        check_header({"Kommentar": ["gut", "Kommentar"], "Stimmung": ["+", "-"]}, "a.csv")
    with pytest.raises(SourceError, match="'Kommentar' occurs again below"):
        check_header({"Kommentar": ["gut", "Kommentar"]}, "a.csv")
