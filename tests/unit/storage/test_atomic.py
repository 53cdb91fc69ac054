"""Files that are there whole or not at all, and what is not a file."""

from __future__ import annotations

import errno
import io
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import ModelFileError
from likely.reading import atomic
from likely.reading.atomic import locked, replacing

from .conftest import Reviews  # noqa: TC001


def test_what_is_no_file_is_told_apart(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    cases = {
        tmp_path: "folder",
        tmp_path / "pipe": "pipe",
        Path("/dev/zero"): "device",
        tmp_path / "x": "no such file",
    }
    for path, message in (cases | {tmp_path / "loop": "symbolic links", Path("a\0b"): "null"}).items():
        with pytest.raises(ModelFileError, match=message):
            likely.load(path)


def test_a_file_that_may_not_be_read(tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model"
    path.write_bytes(data)
    monkeypatch.setattr(os, "open", lambda *args, **kwargs: fail(errno.EACCES))
    with pytest.raises(ModelFileError, match="Permission denied"):
        likely.load(path)


def fail(number: int) -> Any:
    raise OSError(number, os.strerror(number))


def test_no_more_is_read_of_another_file_than_its_beginning(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ModelFileError, match="not a Parquet file"):
        likely.load(tmp_path / "huge")


@pytest.fixture
def model(reviews: Reviews) -> NaiveBayes:
    return NaiveBayes().fit(*reviews)


def test_permissions_are_kept(model: NaiveBayes, tmp_path: Path) -> None:
    path = tmp_path / "model"
    before = os.umask(0o027)
    try:
        model.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
    path.chmod(0o604)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert os.listdir(tmp_path) == ["model"]


def test_links_are_followed(model: NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/model")
    for _ in range(2):  # into nothing, then to a file
        model.save(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "model").read_bytes() == to_bytes(model._snapshot())


def test_a_pipe_is_written_to(model: NaiveBayes, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["/bin/cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        model.save(tmp_path / "pipe")
        assert reader.communicate()[0] == to_bytes(model._snapshot())
    assert (tmp_path / "pipe").is_fifo()


def test_standard_output_is_written_to(model: NaiveBayes, reviews: Reviews) -> None:
    script = f"from likely import NaiveBayes; NaiveBayes().fit(*{reviews!r}).save('/dev/stdout')"
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert found.stdout == to_bytes(model._snapshot())


def test_places_where_nothing_can_be_saved(model: NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    cases = {
        tmp_path: "folder: name a file",
        tmp_path / "none" / "model": "No such file or directory: create the folder",
        tmp_path / "file" / "model": "Not a directory",
        tmp_path / ("x" * 300): "name too long",
        Path("a\0b"): "null",
    }
    for path, message in cases.items():
        with pytest.raises(ModelFileError, match=f"(?s)cannot save .*{message}"):
            model.save(path)
    assert os.listdir(tmp_path) == ["file"]


class Full(io.BytesIO):
    """A file on a disk that is full."""

    def write(self, data: object, /) -> int:
        del data
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("call", ["write", "fsync", "link", "replace", "fchmod"])
def test_an_error_while_saving_leaves_all_as_it_was(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, nameless: bool
) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
        call = "replace" if call == "link" else call
    with monkeypatch.context() as patch:
        if call == "write":
            patch.setattr(atomic, "open", lambda *args, **kwargs: Full(), raising=False)
        else:
            patch.setattr(os, call, lambda *args, **kwargs: fail(errno.ENOSPC))
        with pytest.raises(ModelFileError, match="No space left on device: make room"):
            model.save(path)
    assert os.listdir(tmp_path) == ["model"]
    assert path.read_bytes() == b"old"
    model.save(path)
    assert os.listdir(tmp_path) == ["model"]
    assert path.read_bytes() == to_bytes(model._snapshot())


def test_what_is_write_protected_stays(model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *args: False)  # root may write anywhere
    with pytest.raises(ModelFileError, match="Permission denied: choose a place"):
        model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == b"old"


def test_a_folder_that_cannot_be_synced_is_told(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            fail(errno.EIO)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(ModelFileError, match="it is saved, but a power failure may undo that"):
        model.save(tmp_path / "model")


def test_ctrl_c_while_saving_leaves_all_as_it_was(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.delattr(os, "O_TMPFILE")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_a_file_may_be_too_large_for_the_system(tmp_path: Path) -> None:
    script = """
import resource, likely
model = likely.NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
model.save("model")
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    model.learn(["more"], ["+"]).save("model")
except likely.errors.ModelFileError as error:
    print(error)
"""
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert found.stdout.strip() == (
        "cannot save 'model': File too large: raise the limit on the size of files, or choose another place"
    )
    assert likely.load(tmp_path / "model").vocabulary_ == ["bad", "fun", "good"]
    assert os.listdir(tmp_path) == ["model"]


@pytest.mark.slow
def test_a_full_disk(model: NaiveBayes, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        model.save(disk / "model")
        (disk / "rest").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize))
        with pytest.raises(ModelFileError, match="No space left on device: make room"):
            (model + model).save(disk / "model")
        assert to_bytes(likely.load(disk / "model")._snapshot()) == to_bytes(model._snapshot())
        assert sorted(os.listdir(disk)) == ["model", "rest"]
    finally:
        subprocess.run(["/bin/umount", disk], check=True)


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """LIKELY_KILLS is how often; the model is large enough for kills to hit the writing."""
    script = """
import likely
a = likely.NaiveBayes().fit([" ".join(f"{at * 7919 % 65537:x}" for at in range(30000))], ["x"])
b = a + likely.NaiveBayes().fit(["new"], ["y"])
a.save("model")
print("ready", flush=True)
while True:
    b.save("model")
    a.save("model")
"""
    pause = np.random.default_rng(1)
    seen = set()
    with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    for _ in range(int(os.environ.get("LIKELY_KILLS", "15"))):
        with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
        seen.add(len(likely.load(tmp_path / "model").classes_))
        litter = [name for name in os.listdir(tmp_path) if name != "model"]
        assert len(litter) <= 1  # only between two system calls
        for name in litter:
            (tmp_path / name).unlink()
    assert seen <= {1, 2}


def test_a_file_that_is_written_piece_by_piece_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new ")
        file.flush()
        assert path.read_bytes() == b"old"
        file.write(b"content")
    assert path.read_bytes() == b"new content"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out"]


def test_two_that_change_a_file_take_turns(tmp_path: Path) -> None:
    """Each reads a number, waits, and writes the next one; without the lock they would write the same."""
    path = tmp_path / "number"
    path.write_text("0")
    script = """
import sys, time
from likely.reading.atomic import locked, replacing
for _ in range(5):
    with locked(sys.argv[1]):
        number = int(open(sys.argv[1]).read())
        time.sleep(0.01)
        with replacing(sys.argv[1]) as file:
            file.write(str(number + 1).encode())
"""
    command = [sys.executable, "-c", script, str(path)]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0] * 3
    assert path.read_text() == "15"
    assert os.listdir(tmp_path) == ["number"], "a lock leaves nothing behind"


def test_what_is_not_there_cannot_be_locked_and_that_is_not_an_error_yet(tmp_path: Path) -> None:
    with locked(tmp_path / "none"):
        assert not list(tmp_path.iterdir())


def test_files_are_whole_where_folders_cannot_be_opened(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.reading.atomic.FOLDERS_OPEN", False)
    path = tmp_path / "model"
    model.save(path)
    before = path.read_bytes()
    assert to_bytes(likely.load(path)._snapshot()) == before
    monkeypatch.setattr(os, "fsync", lambda descriptor: fail(errno.EIO))
    with pytest.raises(ModelFileError):
        model.learn(["new"], ["+"]).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
