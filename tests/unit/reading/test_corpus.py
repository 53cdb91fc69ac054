"""Reading: the same rows whatever the container, bad rows named."""

from __future__ import annotations

import bz2
import gzip
import warnings
from pathlib import Path

import likely
import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely.core.file import to_bytes
from likely.errors import DataWarning, LabelError, OptionError, SourceError
from likely.reading.corpus import Corpus

from .conftest import FILES, ROWS, as_csv, as_jsonl, rows_of

PACKED = {"": lambda data: data, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": pa.Codec("zstd").compress}


def packed(data: bytes, suffix: str) -> bytes:
    done = PACKED[suffix](data)
    return done if isinstance(done, bytes) else done.to_pybytes()


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("name", FILES)
def test_the_same_rows_from_every_container(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / (name + suffix)
    path.write_bytes(packed(FILES[name](ROWS), suffix))
    assert rows_of(path) == ROWS
    # If the name does not tell the format, the content does.
    bare = tmp_path / "bare"
    bare.write_bytes(path.read_bytes())
    assert rows_of(bare) == ROWS


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(deadline=None)
@given(rows=st.lists(st.tuples(texts, st.sampled_from(["a", "b,", 'c"', "d\n"])), min_size=1, max_size=20))
def test_containers_give_the_same_model(
    rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("same")
    expected = to_bytes(likely.NaiveBayes(tune="auto").fit(*map(list, zip(*rows, strict=True)))._snapshot())
    for name in ("a.csv", "a.jsonl", "a.parquet", "a.arrow"):
        (folder / name).write_bytes(FILES[name](rows))
        if name != "a.csv" or all("\r" not in text for text, _ in rows):
            model = likely.train(
                folder / name,
                text="text",
                label="label",
                strip_labels=False,
                label_separator="none",
                allow_partial=True,
            )
            assert to_bytes(model._remember_columns(None)._snapshot()) == expected, name


def test_bad_rows_are_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        b'text,label\ngood,+\nno label,\n"two\nlines",-\n\xc3\xa9t\xc3\xa9 \xff,+\n"open,+\nmany,fields,too\nlast,-\n'
    )
    with pytest.warns(DataWarning) as told:
        model = likely.train(path, allow_partial=True)
    assert model.class_documents_.tolist() == [1, 2]
    problems = [
        "row 2 (line 3): no label",
        "row 4 (line 6): not valid UTF-8",
        "row 5 (line 7): broken quoting",
        "row 6 (line 8): not as many fields as the header",
    ]
    assert str(told[0].message) == "4 rows skipped: " + "; ".join(f"{path} {problem}" for problem in problems)
    assert told[0].filename == __file__
    with pytest.raises(SourceError, match=r"row 2 \(line 3\): no label"):
        likely.train(path, strict=True)


def test_labels_keep_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(as_jsonl([("good", 1), ("bad", 0)]))
    assert likely.train(path).classes_.tolist() == [0, 1]
    path.write_bytes(as_jsonl([("good", True), ("bad", False)]))
    assert likely.train(path).classes_.tolist() == [False, True]
    path.write_bytes(as_jsonl([("good", 1), ("bad", "no")]))
    with pytest.raises(SourceError, match="give all labels the same type"):
        likely.train(path)


def test_labels_of_text_files_are_read_as_the_model_has_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\ngood,1\nbad,0\n")
    model = likely.NaiveBayes().fit(["good", "bad"], [1, 0])
    assert model.evaluate(tmp_path / "a.csv").accuracy == 1
    assert model.learn(tmp_path / "a.csv").class_documents_.tolist() == [2, 2]
    assert model.forget(tmp_path / "a.csv").class_documents_.tolist() == [1, 1]
    (tmp_path / "a.csv").write_text("text,label\ngood,one\n")
    with pytest.raises(LabelError, match="'one' cannot be read as int"):
        model.learn(tmp_path / "a.csv")


def test_nothing_is_learned_from_what_cannot_be_read(tmp_path: Path) -> None:
    model = likely.NaiveBayes().fit(["good"], ["+"])
    before = to_bytes(model._snapshot())
    (tmp_path / "a.csv").write_bytes(as_csv(ROWS) + b"bad row\n")
    with pytest.raises(SourceError):
        model.learn(tmp_path / "a.csv", strict=True)
    for source in (tmp_path / "none.csv", tmp_path / "empty"):
        with pytest.raises(SourceError):
            model.learn(source)
    assert to_bytes(model._snapshot()) == before


def test_settings_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="abstain, threads, allow_partial, as_label, encoding"):
        likely.train(tmp_path / "a.csv", colum="x")
    with pytest.raises(OptionError):
        likely.train(["a"], ["b"], text="x")
    with pytest.raises(SourceError, match="format must be None, 'csv'"):
        likely.train(tmp_path / "a.csv", format="xml")
    with pytest.raises(SourceError, match="cannot read labelled texts from a dict"):
        likely.train({"a": 1})


def test_nothing_is_said_of_good_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(as_csv(ROWS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        likely.train(tmp_path / "a.csv")


def test_an_empty_frame_has_no_rows() -> None:
    frame = pa.table({"text": pa.array([], pa.string()), "label": pa.array([], pa.string())})
    assert list(Corpus(frame)) == []


def rows_with_bad_ones(bad: int, of: int) -> bytes:
    return b"text,label\n" + b"good,a\n" * (of - bad - 1) + b"dull,b\n" + b"broken\n" * bad


def test_too_many_rows_that_cannot_be_read_are_an_error_unless_one_insists(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(rows_with_bad_ones(5, 100))
    with pytest.warns(DataWarning):
        assert likely.train(path, plain=True).class_documents_.tolist() == [94, 1]
    path.write_bytes(rows_with_bad_ones(6, 100))
    with pytest.raises(
        SourceError, match=r"6% of the rows could not be read\. 6 rows.*row 95 \(line 96\).*--allow-partial"
    ):
        likely.train(path, plain=True)
    with pytest.warns(DataWarning):
        assert likely.train(path, plain=True, allow_partial=True).class_documents_.tolist() == [93, 1]
    model = likely.NaiveBayes().fit(["good", "dull"], ["a", "b"])
    with pytest.raises(SourceError, match="6%"):
        model.learn(path)
    assert model.class_documents_.tolist() == [1, 1]


def test_a_class_whose_rows_all_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lost = b'{"text": 5, "label": "c"}\n'
    path.write_bytes(as_jsonl([("good", "a"), ("dull", "b")] * 50) + lost)
    with pytest.raises(
        SourceError, match=r"no row of the class 'c' could be read\. 1 row skipped: .*row 101.*--allow-partial"
    ):
        likely.train(path, plain=True)
    path.write_bytes(path.read_bytes() + as_jsonl([("fun", "c")]))
    with pytest.warns(DataWarning):
        assert likely.train(path, plain=True).classes_.tolist() == ["a", "b", "c"]


def test_one_class_is_an_error_unless_one_insists(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\ngood,a\nfine,a\n")
    with pytest.raises(SourceError, match="all rows have the same label, 'a', so there is nothing to tell apart"):
        likely.train(path)
    assert likely.train(path, allow_partial=True).classes_.tolist() == ["a"]
    model = likely.NaiveBayes().fit(["good", "dull"], ["a", "b"])
    assert model.learn(path).class_documents_.tolist() == [3, 1]


def test_an_evaluation_does_not_accept_what_has_no_effect_on_it(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\ngood,a\ndull,b\n")
    model = likely.train(path, plain=True)
    with pytest.raises(OptionError, match="allow_partial has no effect on an evaluation"):
        model.evaluate(path, allow_partial=True)
