"""Signals, forks and threads: the real ones."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.counts import Counts
from likely.core.file import to_bytes

TEXTS = [f"some words {at % 97} and others {at % 89}" for at in range(20_000)]
LABELS = [at % 3 for at in range(20_000)]


def fit_in_child(queue: Any) -> None:
    queue.put(to_bytes(NaiveBayes(threads=2).fit(TEXTS, LABELS)._snapshot()))


def test_works_after_fork() -> None:
    expected = to_bytes(NaiveBayes(threads=2).fit(TEXTS, LABELS)._snapshot())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=fit_in_child, args=(queue,)) for _ in range(2)]
    for child in children:
        child.start()
    assert [queue.get(timeout=60) for _ in children] == [expected] * 2
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0


CTRL_C = "; ".join(
    [
        "import os, signal, threading, time",
        "begun = time.process_time()",
        "busy = lambda: time.process_time() - begun > 0.3",
        "press = lambda: [time.sleep(0.01) for _ in iter(busy, True)] and os.kill(os.getpid(), signal.SIGINT)",
        "threading.Thread(target=press, daemon=True).start()",
    ]
)
"""Statements that press Ctrl-C when the call after them has worked for a while: only the kernel works that long."""


@pytest.mark.slow
@pytest.mark.parametrize("work", ["model.fit(texts, labels)", "model.learn(texts, labels)", "model.predict(texts)"])
def test_ctrl_c_stops_a_long_call_and_changes_nothing(work: str) -> None:
    script = textwrap.dedent(f"""
        import sys
        from likely import NaiveBayes
        from likely.core.file import to_bytes
        texts = ["the quick brown fox jumps over the lazy dog " * 40_000] * 3000
        labels = [at % 2 for at in range(len(texts))]
        model = NaiveBayes(ngrams=(1, 2)).fit(["a b", "b c"], [0, 1])
        before = to_bytes(model._snapshot())
        {CTRL_C}
        try:
            {work}
        except KeyboardInterrupt:
            print("unchanged" if to_bytes(model._snapshot()) == before else "changed")
            sys.exit(0)
        print("finished")
    """)
    # Not heard, the call would take minutes, and the test would time out.
    found = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert found.stdout == "unchanged\n", found.stderr
    assert found.returncode == 0


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
    assert to_bytes(model._snapshot()) == to_bytes(expected._snapshot())


@pytest.mark.slow
def test_the_interpreter_runs_on_while_the_kernel_works() -> None:
    beats, copies = 0, 10
    while (
        beats <= 20 and copies < 10_000
    ):  # the call is made longer until it is long enough, however fast the machine
        beats, copies, done = 0, copies * 2, threading.Event()

        def work(texts: list[str] = TEXTS * copies, done: threading.Event = done) -> None:
            NaiveBayes(ngrams=(1, 3), threads=1).fit(texts, LABELS * (len(texts) // len(TEXTS)))
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.wait(0.001):
            beats += 1
        thread.join()
    assert beats > 20


@pytest.mark.slow
def test_ctrl_c_at_any_moment_leaves_a_sound_model() -> None:
    script = textwrap.dedent("""
        import os, pickle, signal, threading, time
        from likely import NaiveBayes
        from likely.core.file import to_bytes
        texts = [" ".join(f"w{i}" for i in range(k * 4000, (k + 1) * 4000)) for k in range(40)]
        labels = ["z"] * len(texts)
        before = to_bytes(NaiveBayes().fit(["a", "b"], ["x", "y"])._snapshot())
        after = to_bytes(NaiveBayes().fit(["a", "b", *texts], ["x", "y", *labels])._snapshot())
        begun = time.perf_counter()
        NaiveBayes().fit(["a", "b"], ["x", "y"]).learn(texts, labels)
        usual = time.perf_counter() - begun
        for round in range(40):
            model = NaiveBayes().fit(["a", "b"], ["x", "y"])
            model.predict(["a"])
            try:
                threading.Timer(usual * round / 30, os.kill, (os.getpid(), signal.SIGINT)).start()
                model.learn(texts, labels)
                time.sleep(5)
            except KeyboardInterrupt:
                pass
            assert to_bytes(model._snapshot()) in (before, after), round
            probe, copy = ["w1 w2 w3", "a"], pickle.loads(pickle.dumps(model))
            assert (model.predict_proba(probe) == copy.predict_proba(probe)).all(), round
            model.learn(["hello"], ["q"])
            assert model.counts("hello")["q"].count == 1
        print("sound")
    """)
    found = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert found.stdout == "sound\n", found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["漢", "—", " "])
def test_ctrl_c_is_heard_in_texts_of_any_script(piece: str) -> None:
    script = textwrap.dedent(f"""
        import sys
        from likely import NaiveBayes
        text = sys.argv[1] * 30_000_000
        {CTRL_C}
        try:
            NaiveBayes(threads=1).fit([text] * 500, [0] * 500)
        except KeyboardInterrupt:
            print("heard")
    """)
    found = subprocess.run([sys.executable, "-c", script, piece], check=False, capture_output=True, text=True)
    assert found.stdout == "heard\n", found.stderr


def test_who_predicts_does_not_wait_for_who_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    model = NaiveBayes(threads=1).fit(["good", "bad"], ["x", "y"])
    model.predict(["good"])
    learn, before = Counts.add, model.predict_proba(["new words"]).tolist()

    def add(counts: Counts, more: Counts) -> Any:
        predicting = threading.Thread(target=lambda: found.append(model.predict_proba(["new words"]).tolist()))
        predicting.start()
        predicting.join(30)
        return learn(counts, more)

    found: list[Any] = []
    monkeypatch.setattr(Counts, "add", add)
    model.learn(["new words"], ["y"])
    assert found == [before]
    assert model.predict(["new words"]).tolist() == ["y"]


def test_a_change_goes_on_with_a_copy_if_readers_stay() -> None:
    model = NaiveBayes(threads=1).fit(["good", "bad"], ["x", "y"])
    kept = model._snapshot()  # whoever keeps the counts reads them for ever
    before = to_bytes(kept)
    model.learn(["new words"], ["y"])
    assert to_bytes(kept) == before
    assert model.predict(["new words"]).tolist() == ["y"]


THREADS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
static int allowed = 1000000;
void allow_threads(int number) { allowed = number; }
int pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *of) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    return allowed-- > 0 ? real(thread, with, run, of) : EAGAIN;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_if_no_thread_can_be_had_others_do_its_work(tmp_path: Path) -> None:
    (tmp_path / "threads.c").write_text(THREADS)
    library = tmp_path / "threads.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "threads.c", "-ldl"], check=True)
    script = textwrap.dedent("""
        import ctypes, os
        from likely import NaiveBayes
        from likely.core.file import to_bytes
        texts = [" ".join(f"w{(at * 37 + i) % 5003}" for i in range(100)) for at in range(3000)]
        labels = [at % 3 for at in range(3000)]
        expected = to_bytes(NaiveBayes(threads=1).fit(texts, labels)._snapshot())
        for number in (0, 1, 2, 3, 4, 5):
            ctypes.CDLL(os.environ["LD_PRELOAD"]).allow_threads(number)
            model = NaiveBayes(threads=4).fit(texts, labels)
            assert to_bytes(model._snapshot()) == expected
            assert len(model.predict(texts)) == 3000
        print("same")
    """)
    environment = os.environ | {"LD_PRELOAD": str(library)}
    found = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, env=environment
    )
    assert found.stdout == "same\n", found.stderr


@pytest.mark.slow
def test_the_interpreter_may_end_while_threads_predict() -> None:
    script = textwrap.dedent("""
        import threading
        from likely import NaiveBayes
        model = NaiveBayes(threads=1).fit(["good fun", "bad dull"] * 50, ["a", "b"] * 50)
        busy = [threading.Event() for _ in range(4)]

        def work(event):
            while True:
                model.predict(["good fun and dull"])
                event.set()

        for event in busy:
            threading.Thread(target=work, args=(event,), daemon=True).start()
        for event in busy:
            event.wait()
    """)
    for _ in range(20):
        found = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
        assert (found.returncode, found.stderr) == (0, "")


def test_handlers_of_the_end_still_have_the_kernel() -> None:
    script = textwrap.dedent("""
        import atexit
        atexit.register(lambda: print(model.predict(["good"])[0]))
        from likely import NaiveBayes
        model = NaiveBayes(threads=1).fit(["good", "bad"], ["a", "b"])
    """)
    found = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert found.stdout == "a\n", found.stderr


@pytest.mark.slow
def test_a_child_forked_while_another_thread_predicts_can_learn() -> None:
    model = NaiveBayes(threads=1).fit(TEXTS, LABELS)
    stop = threading.Event()

    def predict() -> None:
        while not stop.is_set():
            model.predict(TEXTS)

    thread = threading.Thread(target=predict)
    thread.start()
    try:
        for _ in range(30):
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(30)
                model.learn(["some words"], [0])
                os._exit(0 if model.predict(["some words"]).tolist() else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()


def test_a_signal_handler_may_use_the_model() -> None:
    script = textwrap.dedent("""
        import signal
        from likely import NaiveBayes
        model = NaiveBayes(threads=1).fit(["a b", "c d"], ["x", "y"])
        texts = ["a b c d " * 100_000] * 200
        signal.signal(signal.SIGALRM, lambda *_: model.learn(["new word"], ["z"]))
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        while "z" not in model.classes_:  # once is enough, unless the machine is very fast
            model.predict(texts)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(model.predict(["new"])[0])
    """)
    found = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert found.stdout == "z\n", found.stderr


def test_no_document_is_lost_when_threads_begin_together() -> None:
    for _ in range(50):
        model = NaiveBayes(threads=1)
        barrier = threading.Barrier(4)

        def learn(number: int, model: NaiveBayes = model, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            model.learn([f"w{number}"], ["x"])

        threads = [threading.Thread(target=learn, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert model.class_documents_.tolist() == [4]


def test_answers_stay_right_while_others_learn_and_forget() -> None:
    model = NaiveBayes(threads=1).fit(["good fun"] * 3 + ["dull bad"] * 3, ["+"] * 3 + ["-"] * 3)
    model.predict(["good"])
    stop = threading.Event()
    wrong: list[Any] = []

    def change() -> None:
        while not stop.is_set():
            model.learn(["odd one"], ["z"])
            model.forget(["odd one"], ["z"])

    def ask() -> None:
        for _ in range(1000):
            answers = model.predict(["good good fun", "dull bad bad"]).tolist()
            if answers != ["+", "-"]:
                wrong.append(answers)

    changing, *asking = [threading.Thread(target=work) for work in (change, ask, ask)]
    for thread in (changing, *asking):
        thread.start()
    for thread in asking:
        thread.join()
    stop.set()
    changing.join()
    assert not wrong


def test_results_are_the_same_in_every_process() -> None:
    script = (
        "import sys; from likely import NaiveBayes; from likely.sample import load_sample;"
        "from likely.core.file import to_bytes;"
        "sys.stdout.buffer.write(to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*load_sample())._snapshot()))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 1000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.slow
def test_a_child_forked_while_another_thread_makes_tables_can_predict() -> None:
    draw = np.random.default_rng(1)
    words = [bytes(word).decode() for word in draw.integers(97, 123, (40_000, 7), np.uint8)]
    texts = [" ".join(words[at : at + 200]) for at in range(0, len(words), 200)]
    labels = [at % 30 for at in range(len(texts))]
    model = NaiveBayes(analyzer="char_wb", ngrams=(1, 4), threads=1).fit(texts, labels)
    size, scored = sum(map(len, texts)), 0
    while scored + size < 16 << 20:
        model.predict(texts)
        scored += size
    thread = threading.Thread(target=model.predict, args=(texts,))  # after so much text, tables are made
    thread.start()
    forks = 0
    while thread.is_alive():
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(10)
            model.predict(["a text"])
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        forks += 1
    thread.join()
    assert forks
