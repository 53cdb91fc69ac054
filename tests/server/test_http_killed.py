"""A server that is killed under clients which send again: nothing acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

import signal
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from likely import NaiveBayes, load
from likely.server.keeper import Correction, Keeper

from .amounts import KILLS, PATIENCE, REPLICA_KILLS
from .clients import Clients, counts, free_port
from .conftest import LABELS, TEXTS
from .served import serving, starting


@pytest.mark.timeout(PATIENCE)
def test_kills_under_load_lose_and_double_nothing(model_file: Path) -> None:
    store, port, chance = model_file.with_suffix(".store"), free_port(), Random(1)
    clients = Clients([f"http://127.0.0.1:{port}"])
    for at in range(KILLS):
        if at % 10 == 9:
            kill_while_it_starts(model_file, store, port, chance)
        else:
            with serving(model_file, store, port=port) as server:
                clients.wait_for(chance.randint(1, 12))
                time.sleep(chance.uniform(0, 0.01))
                server.process.kill()
    with serving(model_file, store, port=port) as server:
        clients.end()
        assert server.end() == 0
    clients.check(model_file, store)
    assert counts(load(model_file)) == counts(NaiveBayes().fit(TEXTS, LABELS))


def kill_while_it_starts(model: Path, store: Path, port: int, chance: Random) -> None:
    wanted = {"settings": {"port": port}, "limits": {}, "environment": {}}
    with starting(model, store, wanted) as (process, _):
        time.sleep(chance.uniform(0, 0.1))
        process.kill()


@pytest.mark.timeout(PATIENCE)
def test_kills_of_replicas_under_load_lose_and_double_nothing(
    model_file: Path, postgresql: str, postgres_server: Any
) -> None:
    """Two servers share a database, and their clients do not notice that one dies, or that the database restarts."""
    ports, chance = [free_port(), free_port()], Random(2)
    clients = Clients([f"http://127.0.0.1:{port}" for port in ports])
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(model_file, postgresql, port=port)) for port in ports]
        for at in range(REPLICA_KILLS):
            clients.wait_for(chance.randint(1, 12))
            if at % 10 == 5:
                postgres_server.stop("immediate")
                postgres_server.start()
            one = at % 2  # the other one goes on
            servers[one].end(signal.SIGKILL)
            servers[one] = stack.enter_context(serving(model_file, postgresql, port=ports[one]))
        clients.end()
        assert [server.end() for server in servers] == [0, 0]
    clients.check(model_file, postgresql)


def test_a_correction_is_durable_when_it_is_acknowledged(model_file: Path) -> None:
    store = model_file.with_suffix(".store")
    with serving(model_file, store) as server:
        server.post("/learn", corrections=[{"text": "zany", "label": "pos"}]).raise_for_status()
        server.process.kill()
    keeper = Keeper.open(model_file, store)
    assert keeper.learn([Correction("zany", "pos")])[0].what == "known"
    keeper.close()
