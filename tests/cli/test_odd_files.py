"""Odd and broken files: one clear line, status 2 if they cannot be read, and no file that is half written."""

from __future__ import annotations

import fcntl
import gzip
import os
import pickle
import subprocess
import termios
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import likely
import pytest

from .conftest import COMMAND, Run

GOOD = "text,label\ngood fun,pos\ndull,neg\n"


def train(run: Run, tmp_path: Path, data: bytes, name: str = "odd.csv") -> likely.NaiveBayes:
    (tmp_path / name).write_bytes(data)
    run("train", name, "-o", "odd.likely")
    return likely.load(tmp_path / "odd.likely")


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.rstrip("\n").encode(),
        GOOD.replace("\n", "\n\n").encode(),
        b'"text","label"\n"good fun","pos"\n"dull","neg"',
        GOOD.replace(",", ";").encode(),
        gzip.compress(GOOD.encode()),
    ],
    ids=["plain", "byte order mark", "CRLF", "no last line end", "blank lines", "quoted", "semicolons", "gzip"],
)
def test_the_same_model_however_it_is_written(run: Run, tmp_path: Path, data: bytes) -> None:
    model = train(run, tmp_path, data)
    assert model.vocabulary_ == ["dull", "fun", "good"]
    assert model.classes_.tolist() == ["neg", "pos"]


def test_nul_and_quotes_and_newlines_inside(run: Run, tmp_path: Path) -> None:
    model = train(run, tmp_path, b'text,label\n"a\0b ""quoted""\r\nsecond line",pos\nend,neg\n')
    assert model.vocabulary_ == ["a", "b", "end", "line", "quoted", "second"]


def test_bad_rows_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_bytes(
        GOOD.encode() + "été \udcff,pos\n,\n\x1b[31mred,\n".encode(errors="surrogateescape")
    )
    done = run("train", "odd.csv", "-o", "odd.likely", "--allow-partial")
    told = "3 rows skipped: odd.csv row 3 (line 4): not valid UTF-8; odd.csv row 4 (line 5): no label"
    assert told in done.err
    refused = run("train", "odd.csv", "-o", "other.likely", status=2).err
    assert f"60% of the rows could not be read. {told}" in refused
    assert "--allow-partial" in refused
    assert "row 3 (line 4)" in run("train", "odd.csv", "-o", "other.likely", "--strict", status=2).err
    assert not (tmp_path / "other.likely").exists()


def test_a_hundred_megabytes_on_one_line(run: Run, tmp_path: Path) -> None:
    text = b"good fun " * (100_000_000 // 9)
    for name, data in (
        ("odd.csv", b"text,label\ndull,neg\n" + text + b",pos\n"),
        ("odd.jsonl", b'{"text":"dull","label":"neg"}\n{"text":"' + text + b'","label":"pos"}'),
    ):
        model = train(run, tmp_path, data, name)
        assert model.counts("fun")["pos"].count == 100_000_000 // 9


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"text,label\n", "no documents"),
        (b"text,kind,sort\na,b,c\n", "not clear which column is the label"),
        (b"body\nonly texts\n", "has one column, 'body', and no labels"),
        (b"text,text,label\na,b,c\n", "two columns are called"),
        (b"text,label\nno label,\n", "no row could be read"),
        (GOOD.replace("\n", "\r").encode(), "CR alone"),
        (b'text,"label\na,b\n', "a quote in it is not closed"),
        (b"good fun,pos\ndull,neg\nso good,pos\n", "--no-header"),
        (b"PK\x03\x04 and so on", "cannot be read as a zip archive"),
        (gzip.compress(GOOD.encode() * 1000)[:-10], "cannot be read to the end"),
        (b"PAR1 but nothing else PAR1", "Parquet"),
    ],
)
def test_what_cannot_be_read_is_refused(run: Run, tmp_path: Path, model: Path, data: bytes, says: str) -> None:
    before = model.read_bytes()
    (tmp_path / ("odd.parquet" if data[:4] == b"PAR1" else "odd.csv")).write_bytes(data)
    done = run("train", *tmp_path.glob("odd.*"), "-o", model, status=2)
    assert says in done.err
    assert model.read_bytes() == before


def test_encodings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_bytes("text,label\ncafé fun,pos\nçava,neg\n".encode("latin-1"))
    assert "read as CSV in windows-1252 (recognised" in run("train", "odd.csv", "-o", "m.likely").err
    assert likely.load(tmp_path / "m.likely").vocabulary_ == ["café", "fun", "çava"]
    assert "recognised" not in run("train", "odd.csv", "-o", "m.likely", "--encoding", "latin-1").err
    assert likely.load(tmp_path / "m.likely").vocabulary_ == ["café", "fun", "çava"]
    for encoding in ("utf-16", "utf-16-le", "utf-32"):
        (tmp_path / "odd.csv").write_bytes(GOOD.encode(encoding))
        assert f"in {encoding.upper()} (recognised" in run("train", "odd.csv", "-o", "m.likely").err
        run("train", "odd.csv", "-o", "m.likely", "--encoding", encoding)
    (tmp_path / "odd.csv.gz").write_bytes(gzip.compress("text,label\ncafé,pos\nb,neg\n".encode("latin-1")))
    run("train", "odd.csv.gz", "-o", "m.likely", "--encoding", "latin-1")
    assert likely.load(tmp_path / "m.likely").vocabulary_ == ["b", "café"]
    (tmp_path / "odd.csv").write_bytes("text,label\na,b\n".encode("utf-16-le"))
    assert "not in that encoding" in run("train", "odd.csv", "-o", "m.likely", "--encoding", "utf-16", status=2).err
    for name in ("hex", "klingon"):
        told = run("train", "odd.csv", "-o", "m.likely", "--encoding", name, status=2).err
        assert f"{name!r} is not allowed: it must be an encoding of text" in told


def test_headers_that_look_like_rows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("good fun and more of it,spam\nquite dull in all,ham\nmore of that kind,spam\n")
    run("train", "odd.csv", "-o", "m.likely", "--no-header")
    assert likely.load(tmp_path / "m.likely").class_documents_.sum() == 3
    run("train", "odd.csv", "-o", "m.likely", "--header")
    assert likely.load(tmp_path / "m.likely").class_documents_.sum() == 2


def test_odd_things_in_folders(run: Run, tmp_path: Path) -> None:
    for label in ("ham", "spam"):
        (tmp_path / "mail" / label).mkdir(parents=True)
        (tmp_path / "mail" / label / "1.txt").write_text(f"{label} text")
    os.mkfifo(tmp_path / "mail" / "spam" / "pipe")
    (tmp_path / "mail" / "spam" / "loop").symlink_to(tmp_path / "mail" / "spam")
    (tmp_path / "mail" / "spam" / "up").symlink_to(tmp_path / "mail")
    (tmp_path / "mail" / "ham" / "broken").symlink_to("nowhere")
    done = run("train", "mail", "-o", "m.likely", "--allow-partial")
    assert "2 rows skipped: mail/ham/broken: neither a file nor a folder; mail/spam/pipe: neither" in done.err
    assert likely.load(tmp_path / "m.likely").class_documents_.tolist() == [1, 1]
    found = run("predict", "m.likely", "mail/ham").out.splitlines()
    assert found == [
        "file,prediction,problem",
        "mail/ham/1.txt,ham,",
        "mail/ham/broken,,neither a file nor a folder",
    ]


def test_one_class_is_enough_for_those_who_insist(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_bytes(b"text,label\na,x\nb,x\n")
    told = run("train", "odd.csv", "-o", "m.likely", status=2).err
    assert "all rows have the same label, 'x', so there is nothing to tell apart" in told
    run("train", "odd.csv", "-o", "m.likely", "--allow-partial")
    assert likely.load(tmp_path / "m.likely").predict(["c"]).tolist() == ["x"]


def test_columns_and_files_that_are_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD)
    assert (
        "no column 'body'. The columns are text, label"
        in run("train", "a.csv", "-o", "m", "--text-column", "body", status=2).err
    )
    assert "No such file" in run("train", "none.csv", "-o", "m", status=2).err
    assert "no file matches" in run("train", "*.none", "-o", "m", status=2).err
    (tmp_path / "folder").mkdir()
    assert "empty folder" in run("train", "folder", "-o", "m", status=2).err
    assert "is a directory" in run("train", "a.csv", "-o", "folder", status=2).err
    assert "create the folder first" in run("train", "a.csv", "-o", "none/m.likely", status=2).err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.csv", "folder"]


def test_what_is_no_model(run: Run, tmp_path: Path, model: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "a.pickle").write_bytes(pickle.dumps({"a": 1}))
    (tmp_path / "short.likely").write_bytes(model.read_bytes()[:-100])
    os.mkfifo(tmp_path / "fifo")
    for name in ("a.csv", "a.pickle", "short.likely", "none.likely", "fifo", "/dev/zero"):
        assert name in run("predict", name, "--text", "x", status=2).err


def test_texts_and_labels_never_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("te\x1b[31mxt,label\ngood\x1b[2J,\x1b]0;x\x07pos\nbad\u202e,neg\n")
    done = run("train", "a.csv", "-o", "m.likely", "--text-column", "te\x1b[31mxt", "--test", "a.csv")
    explained = run("explain", "m.likely", "good\x1b[2J \u202e")
    inspected = run("inspect", "m.likely")
    tokens = run("tokens", "a\x1b[2J")
    said = run("predict", "m.likely", "--text", "good")
    missing = run("train", "a.csv", "-o", "m.likely", "--text-column", "\x1b[31m", status=2)
    for shown in (done, explained, inspected, tokens, said, missing):
        for text in (shown.out, shown.err):
            assert not any(c in text for c in "\x1b\x07\u202e"), text


NOBODY = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody who may not read")
def test_without_permission(tmp_path: Path, model: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "secret" / "spam").mkdir(parents=True)
    (tmp_path / "secret").chmod(0o700)
    model.chmod(0o644)
    before = model.read_bytes()

    def as_nobody(*args: object) -> subprocess.CompletedProcess[str]:
        # The other user may not be able to read the interpreter, so everything is imported before the user changes.
        script = (
            "import fcntl, os, sys, locale, shutil, pyarrow.parquet\n"
            "import likely.cli, likely.model.naive_bayes, likely.model.train, likely.core.file\n"
            "from likely.cli.commands import learn, train\n"
            f"os.setuid({NOBODY}); sys.argv = ['likely', *{[str(each) for each in args]!r}]; likely.cli.main()"
        )
        command = [str(COMMAND.with_name("python")), "-c", script]
        return subprocess.run(command, capture_output=True, text=True, cwd="/", timeout=60, check=False)

    done = as_nobody("train", tmp_path / "secret", "-o", "/dev/null")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Permission denied" in done.stderr
    (tmp_path / "more.csv").write_text("text,label\na,pos\n")
    done = as_nobody("learn", model, tmp_path / "more.csv")
    assert done.returncode == 2, done.stderr
    assert "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr
    assert model.read_bytes() == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with space for 64 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["/usr/bin/env", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine lets us mount no disk of our own")
    yield folder
    subprocess.run(["/usr/bin/env", "umount", folder], check=True)


def test_a_full_disk(run: Run, reviews: Path, small_disk: Path, tmp_path: Path) -> None:
    model = small_disk / "m.likely"
    run("train", reviews, "-o", model)
    before = model.read_bytes()
    words = " ".join(f"{at:x}" for at in range(100_000))
    (tmp_path / "many.csv").write_text(f"text,label\n{words},pos\n")
    assert (
        "make room"
        in run("learn", model, "many.csv", "--text-column", "text", "--label-column", "label", status=2).err
    )
    assert model.read_bytes() == before
    assert [each.name for each in small_disk.iterdir()] == ["m.likely"]
    (tmp_path / "big.csv").write_text("text\n" + "good fun\n" * 20_000)
    assert "No space left" in run("predict", model, "big.csv", "-o", small_disk / "out.csv", status=2).err
    assert [each.name for each in small_disk.iterdir()] == ["m.likely"]


def test_quiet_when_nobody_reads_on(model: Path, tmp_path: Path) -> None:
    (tmp_path / "many.csv").write_text("text\n" + "good fun\n" * 200_000)
    process = subprocess.Popen(
        [COMMAND, "predict", model, tmp_path / "many.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"text,prediction,problem\n"
    process.stdout.close()
    assert process.wait(30) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def wait_until_it_waits(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has read all of its pipe and each of its threads sleeps.

    A signal just before that is heard with the next input: Python looks for signals between its own instructions, not
    between the last of them and a system call that blocks.
    """
    assert process.stdin is not None
    waiting, quiet = array("i", [1]), 0
    while waiting[0] or quiet < 5:
        time.sleep(0.02)
        fcntl.ioctl(process.stdin, termios.FIONREAD, waiting)
        threads = [each.read_text() for each in Path("/proc", str(process.pid), "task").glob("*/stat")]
        quiet = quiet + 1 if all(text.rpartition(")")[2].split()[0] == "S" for text in threads) else 0


def test_ctrl_c_is_quiet(model: Path) -> None:
    process = subprocess.Popen(
        [COMMAND, "predict", model, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"text\ngood fun\n")
    process.stdin.flush()
    process.stdout.readline()
    wait_until_it_waits(process)
    process.send_signal(2)
    assert process.wait(30) == 130
    assert process.communicate()[1] == b""


def test_ctrl_c_while_nothing_comes() -> None:
    args = [str(COMMAND), "train", "-", "-o", "/dev/null"]
    process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"text,label\ngood,pos\n")
    process.stdin.flush()
    wait_until_it_waits(process)
    process.send_signal(2)
    assert process.wait(30) == 130
    assert process.communicate()[1] == b""


def test_a_terminal_is_not_steered(model: Path, tmp_path: Path) -> None:
    (tmp_path / "esc.csv").write_text("text\ngood \x1b[31m fun\n")
    ours, theirs = os.openpty()
    done = subprocess.run([COMMAND, "predict", model, tmp_path / "esc.csv"], stdout=theirs, stderr=-1, check=True)
    shown = os.read(ours, 10_000)
    assert b"\\x1b[31m fun,pos" in shown
    assert b"\x1b" not in shown + done.stderr
    refused = [str(COMMAND), "predict", str(model), str(tmp_path / "esc.csv"), "--output-format", "parquet"]
    assert b"-o" in subprocess.run(refused, stdout=theirs, stderr=-1, check=False).stderr
    os.close(ours)
    os.close(theirs)


def test_parquet_that_fails_is_quiet(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"text": "fun", "x": 1}\n' * 200_000 + '{"text": "fun", "x": "no"}\n' * 200_000
    )
    done = run("predict", model, "in.jsonl", "-o", "out.parquet", status=2)
    assert "Exception ignored" not in done.err
    assert not (tmp_path / "out.parquet").exists()


def test_a_pipe_that_begins_slowly(model: Path) -> None:
    for first, second, shown in (
        (b"te", b"xt\nfun\n", b"text,prediction,problem\nfun,pos,\n"),
        (b"\xef\xbb", b"\xbftext\nfun\n", b"\xef\xbb\xbftext,prediction,problem\nfun,pos,\n"),
        (b"\x1f", gzip.compress(b"text\nfun\n")[1:], b"text,prediction,problem\nfun,pos,\n"),
    ):
        args = [str(COMMAND), "predict", str(model)]
        process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-3)
        assert process.stdin is not None
        process.stdin.write(first)
        process.stdin.flush()
        wait_until_it_waits(process)
        assert process.communicate(second)[0] == shown


def test_debug_shows_where(tmp_path: Path) -> None:
    args = [str(COMMAND), "predict", str(tmp_path / "none.likely"), "--text", "x", "--debug"]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    assert "Traceback" in done.stderr
    assert done.returncode == 2
