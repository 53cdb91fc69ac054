"""Mail as the users of bogofilter know it: Maildir++, exit codes, a header field, and labels for what has none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from likely import load

from .conftest import COMMAND, Run

SPAM = b"From: a@b.c\r\nX-Likely: ham, forged,\r\n\tby the sender\r\nSubject: win\r\n\r\nwin a prize\r\n"
HAM = b"From: a@b.c\nSubject: lunch\n\nlunch at noon\n"


@pytest.fixture
def trained(run: Run, tmp_path: Path) -> Path:
    box = tmp_path / "Maildir"
    for folder, message in ((box, HAM), (box / ".Junk", SPAM)):
        for part in ("cur", "new"):
            (folder / part).mkdir(parents=True)
            (folder / part / "1").write_bytes(message)
    assert "4 rows" in run("train", "Maildir", "-o", "mail.likely", "--plain").err
    return tmp_path / "mail.likely"


def test_the_folders_of_a_maildir_are_classes(run: Run, trained: Path) -> None:
    assert load(trained).classes_.tolist() == ["Junk", "Maildir"]
    assert "4 -> 6 documents, 2 -> 2 classes" in run("learn", trained, "Maildir/.Junk", "-o", "more.likely").out


def test_the_exit_code_is_that_of_bogofilter(run: Run, trained: Path, model: Path) -> None:
    assert run("predict", trained, "--exit-code", stdin=SPAM).out == "Junk\n"
    assert run("predict", trained, "--exit-code", "Maildir/cur/1", status=1).out == "Maildir\n"
    unsure: list[str | Path] = [
        COMMAND,
        "predict",
        trained,
        "--exit-code",
        "--text",
        "unheard of",
        "--abstain",
        "0.9",
    ]
    assert subprocess.run(unsure, capture_output=True, check=False).returncode == 2
    assert "no.eml" in run("predict", trained, "--exit-code", "no.eml", status=3).err
    assert "spam or junk" in run("predict", model, "--exit-code", "--text", "fun", status=3).err
    assert "Give one mail" in run("predict", trained, "--exit-code", "a.eml", "b.eml", status=3).err


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (SPAM, b"From: a@b.c\r\nSubject: win\r\nX-Likely: Junk, %s\r\n\r\nwin a prize\r\n"),
        (HAM, b"From: a@b.c\nSubject: lunch\nX-Likely: Maildir, %s\n\nlunch at noon\n"),
        (
            b"From me Mon\nTo: win\nno field\nx-likely: 1\n\nwin",
            b"From me Mon\nTo: win\nX-Likely: Junk, %s\nno field\n\nwin",
        ),
        (b"a prize", b"X-Likely: Junk, %s\n\na prize\n"),
    ],
)
def test_a_message_is_copied_with_its_class(run: Run, trained: Path, raw: bytes, expected: bytes) -> None:
    done = run("predict", trained, "--add-header", stdin=raw).raw
    facts = done.partition(b"X-Likely: ")[2].splitlines()[0].partition(b", ")[2]
    assert facts.startswith(b"probability=0.")
    assert done == expected % facts
    assert (
        run("predict", trained, "--add-header", "--exit-code", stdin=raw, status=int(b"Junk" not in expected)).raw
        == done
    )


def test_a_pipe_names_no_class(run: Run, trained: Path) -> None:
    before = trained.read_bytes()
    done = run("learn", trained, "-", "--input-format", "eml", stdin=SPAM, status=2)
    assert "standard input has no name that could be a label: give as_label=... (--as-label)" in done.err
    assert trained.read_bytes() == before
    assert "4 -> 5 documents, 2 -> 2 classes" in run("learn", trained, "-", "--as-label", "Junk", stdin=SPAM).out
    assert "5 -> 4 documents, 2 -> 2 classes" in run("forget", trained, "-", "--as-label", "Junk", stdin=SPAM).out
    (trained.parent / "more.csv").write_text("text,label\nwin,odd\n")
    assert (
        "leave out label"
        in run("learn", trained, "more.csv", "--as-label", "Junk", "--label-column", "label", status=2).err
    )
    assert "4 -> 5 documents, 2 -> 2 classes" in run("learn", trained, "more.csv", "--as-label", "Junk").out
    assert (
        "all rows have the same label, 'x'"
        in run("train", "more.csv", "--as-label", "x", "-o", "x.likely", status=2).err
    )


def test_a_mail_of_another_encoding_is_read_alike_at_every_door(run: Run, trained: Path) -> None:
    raw = "From: a@b.c\nTo: d@e.f\nContent-Type: text/plain; charset=koi8-r\n\nмир".encode("koi8-r")
    assert run("explain", trained, "-", "--json", stdin=raw).json["text"] == "\nмир"
    assert run("tokens", trained, "-", "--json", stdin=raw).json["terms"] == ["мир"]
