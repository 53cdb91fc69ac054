"""A program whose children teach a keeper with several threads, and print what is acknowledged, until they die.

It reads lines of JSON: the model, the store, and how many steps of each thread are acknowledged already. For each
line it forks a child, whose acknowledgements are lines of JSON too: the thread and the step.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

from likely.errors import StoreError
from likely.server.keeper import Correction, Keeper

PERIOD = 6
FOLDS = 40


class Step(NamedTuple):
    """What a thread does: learn a text for a class, or forget it."""

    text: str
    label: str | None
    key: str


def step(thread: str, at: int) -> Step:
    """The step of a thread: most are new texts, then the last one is moved, and the one before it forgotten."""
    kind, key = at % PERIOD, f"{thread}/{at}"
    if kind == PERIOD - 2:
        return Step(f"text {at - 1} of thread {thread}", "moved", key)
    if kind == PERIOD - 1:
        return Step(f"text {at - 3} of thread {thread}", None, key)
    return Step(f"text {at} of thread {thread}", "+-"[at % 2], key)


def take(keeper: Keeper, wanted: Step) -> None:
    """Do a step, which may have been done before without an acknowledgement."""
    if wanted.label is None:
        keeper.forget(text=wanted.text, key=wanted.key)
    else:
        keeper.learn([Correction(wanted.text, wanted.label, key=wanted.key)])


def say(**what: object) -> None:
    """Write a line at once, in one piece."""
    os.write(1, json.dumps(what).encode() + b"\n")


def teach(model: str, store: str, begin: dict[str, int]) -> None:
    """Teach with one thread per name, each from this step on, for ever."""
    keeper = Keeper.open(Path(model), store)
    say(ready=os.getpid(), seq=keeper.status.seq)

    def work(thread: str) -> None:
        at = begin[thread]
        while True:
            try:
                take(keeper, step(thread, at))
            except StoreError:  # the database may be starting again
                time.sleep(0.01)
                continue
            say(thread=thread, step=at)
            at += 1
            if thread == min(begin) and at % FOLDS == 0:
                with contextlib.suppress(StoreError):
                    keeper.fold()

    threads = [threading.Thread(target=work, args=(thread,)) for thread in begin]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def main() -> None:
    """Fork a child per line, and say when it has ended."""
    with contextlib.suppress(ImportError):
        importlib.import_module("psycopg")  # so that no child has to load it
    for line in sys.stdin:
        child = os.fork()
        if not child:
            teach(*json.loads(line))
        os.waitpid(child, 0)
        say(ended=child)


if __name__ == "__main__":
    main()
