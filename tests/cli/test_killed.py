"""After kill -9 at random moments, the model file is the whole old one or the whole new one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import likely

from .conftest import COMMAND, Run

KILLS = int(os.environ.get("LIKELY_KILLS", "25"))


def test_train_over_a_model_is_all_or_nothing(run: Run, model: Path, tmp_path: Path) -> None:
    rows = "".join(f"word{at % 9973} word{at % 7919} good,{'ab'[at % 2]}\n" for at in range(60_000))
    (tmp_path / "many.csv").write_text(f"text,label\n{rows}")
    begun = time.perf_counter()
    # Without a search for options, which takes most of the time and writes nothing, kills hit the writing more often.
    run("train", "many.csv", "-o", "new.likely", "--plain")
    seconds = time.perf_counter() - begun
    old, new = model.read_bytes(), (tmp_path / "new.likely").read_bytes()
    seen = set()
    for _ in range(KILLS):
        if model.read_bytes() == new:
            model.write_bytes(old)
        args = [str(COMMAND), "train", str(tmp_path / "many.csv"), "-o", str(model), "--plain"]
        process = subprocess.Popen(args, stdout=-3, stderr=-3)
        time.sleep(random.uniform(0.3, 1.1) * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = model.read_bytes()
        assert found in (old, new)
        seen.add(found)
        assert likely.load(model).terms_ > 0
    assert old in seen, "no kill came before the end: the machine is faster than this test thinks"


def test_two_that_learn_at_once_take_turns(model: Path, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("text,label\nfun,pos\n")
    args = [str(COMMAND), "learn", str(model), str(tmp_path / "more.csv")]
    processes = [subprocess.Popen(args, stdout=-3, stderr=-3) for _ in range(6)]
    assert [process.wait(60) for process in processes] == [0] * 6
    assert likely.load(model).class_documents_.tolist() == [3, 9]
