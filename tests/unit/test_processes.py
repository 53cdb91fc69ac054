"""Signals, forks and threads: the real ones."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.store import to_bytes

TEXTS = [f"some words {at % 97} and others {at % 89}" for at in range(20_000)]
LABELS = [at % 3 for at in range(20_000)]


def fit_in_child(queue: Any) -> None:
    queue.put(to_bytes(NaiveBayes(threads=2).fit(TEXTS, LABELS)))


def test_works_after_fork() -> None:
    expected = to_bytes(NaiveBayes(threads=2).fit(TEXTS, LABELS))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=fit_in_child, args=(queue,)) for _ in range(2)]
    for child in children:
        child.start()
    assert [queue.get(timeout=60) for _ in children] == [expected] * 2
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0


@pytest.mark.parametrize("work", ["model.fit(texts, labels)", "model.learn(texts, labels)", "model.predict(texts)"])
def test_ctrl_c_stops_a_long_call_and_changes_nothing(work: str) -> None:
    script = textwrap.dedent(f"""
        import sys, time
        from likely import NaiveBayes
        from likely.store import to_bytes
        texts = ["the quick brown fox jumps over the lazy dog " * 40_000] * 3000
        labels = [at % 2 for at in range(len(texts))]
        model = NaiveBayes(ngrams=(1, 2)).fit(["a b", "b c"], [0, 1])
        before = to_bytes(model)
        print("ready", flush=True)
        try:
            {work}
        except KeyboardInterrupt:
            stopped = time.time()
            print("unchanged" if to_bytes(model) == before else "changed", stopped, flush=True)
            sys.exit(0)
        print("finished", flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        state, stopped = process.stdout.readline().split()
    assert state == "unchanged"
    # The promise is a fifth of a second; the benchmark measures it, here a stuck call must only not go unnoticed.
    assert float(stopped) - sent < 5
    assert process.returncode == 0


def test_threads_learn_and_predict_at_once() -> None:
    model = NaiveBayes(threads=1).fit(["shared word", "shared other"], ["a", "b"])
    failures: list[BaseException] = []

    def learner(number: int) -> None:
        for at in range(40):
            model.learn([f"shared w{number} x{at}"], [f"c{number}"])

    def reader() -> None:
        for _ in range(60):
            proba = model.predict_proba(["shared word", "w1 w2"])
            np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-9)
            assert model.explain("shared").terms

    def guarded(work: Any, *args: Any) -> None:
        try:
            work(*args)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(learner, number)) for number in range(3)]
    threads += [threading.Thread(target=guarded, args=(reader,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not failures
    expected = NaiveBayes(threads=1).fit(["shared word", "shared other"], ["a", "b"])
    for number in range(3):
        expected.learn([f"shared w{number} x{at}" for at in range(40)], [f"c{number}"] * 40)
    assert to_bytes(model) == to_bytes(expected)


def test_the_interpreter_runs_on_while_the_kernel_works() -> None:
    beats = 0
    done = threading.Event()

    def work() -> None:
        NaiveBayes(ngrams=(1, 3), threads=1).fit(TEXTS * 20, LABELS * 20)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        beats += 1
        time.sleep(0.001)
    thread.join()
    assert beats > 20


def test_results_are_the_same_in_every_process() -> None:
    script = (
        "import sys; from likely import NaiveBayes; from likely.sample import load_sample;"
        "from likely.store import to_bytes;"
        "sys.stdout.buffer.write(to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*load_sample())))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 1000
