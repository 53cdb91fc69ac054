"""Standard error that is full never loses the work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import likely
import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")

LIKELY = f"{sys.executable} -m likely.cli"


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    (tmp_path / "reviews.csv").write_text("review,sentiment\ngood,pos\nbad,neg\n")
    return tmp_path


def status(folder: Path, line: str) -> int:
    """The exit status of a line in a shell."""
    return subprocess.run(line, shell=True, cwd=folder, check=False, stdout=subprocess.DEVNULL).returncode


def test_a_full_standard_error_does_not_lose_the_model(reviews: Path) -> None:
    assert status(reviews, f"{LIKELY} train reviews.csv -o m.likely 2>/dev/full") == 3
    assert status(reviews, f"{LIKELY} learn m.likely reviews.csv 2>/dev/full") == 3
    assert likely.load(reviews / "m.likely").class_documents_.tolist() == [2, 2]
    assert status(reviews, f"{LIKELY} predict m.likely reviews.csv -o out.csv 2>/dev/full") == 3
    assert (reviews / "out.csv").read_text().count("\n") == 3


def test_other_answers_keep_their_status(reviews: Path) -> None:
    assert status(reviews, f"{LIKELY} train none.csv -o m.likely 2>/dev/full") == 2
    assert status(reviews, f"{LIKELY} train 2>/dev/full") == 2
    assert status(reviews, f"{LIKELY} train none.csv -o m.likely --debug 2>/dev/full") == 2
    assert status(reviews, f"{LIKELY} tokens fun 2>/dev/full") == 0, "nothing had to be said"


def test_a_closed_or_broken_standard_error(reviews: Path) -> None:
    assert status(reviews, f"{LIKELY} train reviews.csv -o closed.likely 2>&-") == 0
    reader = subprocess.Popen(["/bin/true"], stdin=subprocess.PIPE)
    reader.wait()
    assert reader.stdin is not None
    command = [*LIKELY.split(), "train", "reviews.csv", "-o", "gone.likely"]
    done = subprocess.run(command, cwd=reviews, stdout=subprocess.DEVNULL, stderr=reader.stdin, check=False)
    reader.stdin.close()
    assert done.returncode == 3
    for name in ("closed.likely", "gone.likely"):
        assert likely.load(reviews / name).terms_ == 2
