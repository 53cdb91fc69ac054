"""Delimiters: declared, guessed from several rows, and told from plain text."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.reading.corpus import Corpus
from likely.reading.formats import declared, guessed, table_delimiter

from tests.unit.reading.conftest import ROWS, as_csv, rows_of


@pytest.mark.parametrize("first", ["sep=;\r\n", "sep=;\n", '"sep=;"\r\n', "SEP=;\n", "\ufeffsep=;\n"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a", "a.tsv"])
def test_the_line_that_declares_the_delimiter_is_not_data(tmp_path: Path, first: str, name: str) -> None:
    (tmp_path / name).write_bytes(first.encode() + as_csv(ROWS, ";"))
    assert rows_of(tmp_path / name) == ROWS
    (tmp_path / name).write_bytes(first.encode() + b"a;x\r\nb;\r\n")
    corpus = Corpus(tmp_path / name)
    corpus = Corpus(tmp_path / name, type(corpus.reading)(header=False, text="1", label="2"))
    assert [label for batch in corpus for label in batch.labels or []] == ["x"]
    assert [told.split(" ")[-2:] for told in corpus.skipped.first] == [["no", "label"]]
    assert "line 3" in corpus.skipped.first[0]


def test_only_a_delimiter_can_be_declared() -> None:
    assert declared(b"sep=,\n") == (",", 6)
    assert declared(b"sep=\t") == ("\t", 5)
    assert [declared(head) for head in (b"sep=x\n", b"sep=;;\n", b"text;sep=;\n", b"")] == [None] * 4


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"text;label\na, b, c, d;x\ne, f;y\n", ";"),
        (b"text, or body;label\n1;a\nb, c, d;y\n", ";"),
        (b"1,5;a;x\n2;b, c;y\n3;c;y\n", ";"),
        (b'"a,b,c,d";label\n"e,f";y\n', ";"),
        (b'text|label\n"a\n| b |",x\n', "|"),
        (b"text\nso good, so fun\n", ","),
        (b"a\tb,c\td\n1\t2\t3\n", "\t"),
        (b"", ","),
    ],
)
def test_several_rows_decide(head: bytes, found: str) -> None:
    assert guessed(head) == found


SPAM = [b"ham\tso good, so fun", b"spam\twin, now"] * 5
REVIEWS = [b"so good;pos", b"so dull, really;neg"] * 5


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (SPAM, "\t"),
        (REVIEWS, ";"),
        ([b"the text,label", b"so good,pos"], ","),
        ([b"the text,kind of it", b"so good,pos"], None),
        ([b"good, and fun", b"dull"] * 5, None),
        ([b"Dear Sir, I am", b"here, as you"] * 1, None),
        ([b"one, two %d" % at for at in range(20)], None),
        ([b"no delimiter"] * 20, None),
        ([b"one"], None),
        ([], None),
    ],
    ids=str,
)
def test_tables_are_told_from_plain_text(lines: list[bytes], found: str | None) -> None:
    assert table_delimiter(b"\n".join(lines)) == found
    assert table_delimiter(b"\r\n".join(lines) + b"\r\n") == found


@pytest.mark.parametrize("name", ["SMSSpamCollection", "sms.txt", "sms.dat", "sms.data", "sms.xyz"])
def test_the_content_decides_if_the_name_does_not(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\n".join(SPAM))
    assert len(rows_of(path, header=False, text="2", label="1")) == len(SPAM)
    path.write_bytes(b"__label__ham so good\n__label__spam win\n")
    assert rows_of(path) == [("so good", "ham"), ("win", "spam")]
    path.write_bytes(as_csv(ROWS, "|"))
    assert rows_of(path) == ROWS
    path.write_bytes(b"so good, so fun\nso dull\n")
    assert rows_of(path, labelled=False) == [("so good, so fun", None), ("so dull", None)]
