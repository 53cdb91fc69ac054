"""A cluster of two machines, on which tasks are copied because they are slow, and workers are killed.

Spark never starts a second attempt of a task on the machine of the first, so that there is no speculative execution
with a local master, nor with `local-cluster`. The two machines of this cluster are two addresses of this one.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import likely
import pyspark
import pytest
from likely.core.file import to_bytes
from likely.sample import load_sample

from .conftest import JAVA
from .troubled_job import COPIED, KILLED, OPTIONS

HOSTS = ("127.0.0.1", "127.0.0.2")
HOME = Path(pyspark.__file__).parent
DAEMON = {"SPARK_DAEMON_JAVA_OPTS": JAVA, "SPARK_DAEMON_MEMORY": "256m"}


@contextmanager
def daemon(log: Path, name: str, host: str, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the cluster: its master, or one of its workers."""
    command = [f"{HOME}/bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", host, "--webui-port", "0"]
    environment = os.environ | DAEMON | {"SPARK_HOME": str(HOME), "SPARK_WORKER_DIR": str(log.parent / "work")}
    with log.open("w") as file, subprocess.Popen([*command, *args], env=environment, stderr=file) as process:
        try:
            yield process
        finally:
            process.terminate()


def address_in(log: Path, master: subprocess.Popen[bytes]) -> str:
    """The address of a master, as soon as it tells."""
    while master.poll() is None:
        found = re.search(r"Starting Spark master at (spark://\S+:\d+)\n", log.read_text())
        if found:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a cluster."""
    try:
        socket.create_server((HOSTS[1], 0)).close()
    except OSError:
        pytest.skip(f"this machine has no address {HOSTS[1]}")
    with ExitStack() as stack:
        log = tmp_path / "master.log"
        master = stack.enter_context(daemon(log, "master.Master", HOSTS[0], "--port", "0"))
        address = address_in(log, master)
        for host in HOSTS:
            size = ("--cores", "1", "--memory", "1g")
            stack.enter_context(daemon(tmp_path / f"{host}.log", "worker.Worker", host, *size, address))
        yield address


def test_copied_tasks_and_killed_workers_change_nothing(cluster: str, tmp_path: Path) -> None:
    job = [sys.executable, str(Path(__file__).with_name("troubled_job.py")), cluster, str(tmp_path)]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(job, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    marks = sorted(path.name for path in tmp_path.glob("stage-*"))
    stages = {mark.split("-")[1] for mark in marks}
    assert stages
    for stage in stages:
        attempts = {f"stage-{stage}-partition-{partition}-attempt-1" for partition in (COPIED, KILLED)}
        assert {*attempts, f"stage-{stage}-both-at-once"} <= {*marks}
    texts, labels = load_sample()
    expected = likely.train(texts, labels, **OPTIONS).pruned(min_documents=2)
    found = likely.load(tmp_path / "m.likely")
    assert to_bytes(found._snapshot()) == to_bytes(expected._remember_columns(found.columns_)._snapshot())
