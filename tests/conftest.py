"""Settings and corpora that all tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, max_examples=60)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.register_profile("quick", deadline=None, max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

HERE = Path(__file__).parent
SLOW_FOLDERS = ["browser", "cli", "docs", "examples", "server", "spark", "unit/server"]
"""Tests of other processes and programs. One file of them is quick enough: it runs every command once."""
QUICK_FILES = ["cli/test_every_command.py"]
SLOW_TESTS = {
    "contract/test_types.py::test_mypy_infers_what_users_expect_and_refuses_wrong_calls",
    "parity/test_corpora.py::test_parity_and_determinism",
    "parity/test_vectorizers.py::test_corpora_give_the_same_matrices",
    "parity/test_vectorizers.py::test_the_tests_of_scikit_learn_pass",
}
"""Single tests that take seconds. Tests of rooms have the mark `slow` instead."""


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Without paths, -m or -k, run the quick tests, on all processors and with fewer examples."""
    if (
        config.args_source is not pytest.Config.ArgsSource.TESTPATHS
        or config.option.markexpr
        or config.option.keyword
    ):
        return
    config.option.markexpr = "not slow"
    # A worker of pytest-xdist reads the same arguments: it must not start workers of its own.
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    if config.option.numprocesses is None and not config.option.usepdb and not is_worker:
        config.option.numprocesses, config.option.dist = "auto", "worksteal"
    if "HYPOTHESIS_PROFILE" not in os.environ:
        os.environ["HYPOTHESIS_PROFILE"] = "quick"  # for the processes of the tests
        settings.load_profile("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the quick tests leave out."""
    for item in items:
        if not item.path.is_relative_to(HERE):
            continue
        path = item.path.relative_to(HERE)
        in_slow_folder = any(path.is_relative_to(folder) for folder in SLOW_FOLDERS) and str(path) not in QUICK_FILES
        if in_slow_folder or f"{path}::{getattr(item, 'originalname', item.name)}" in SLOW_TESTS:
            item.add_marker("slow")


TRAIN = [
    ("just plain boring", "-"),
    ("entirely predictable and lacks energy", "-"),
    ("no surprises and very few laughs", "-"),
    ("very powerful", "+"),
    ("the most fun film of the summer", "+"),
]


@pytest.fixture
def reviews() -> tuple[list[str], list[str]]:
    """Five film reviews and their labels."""
    return [text for text, _ in TRAIN], [label for _, label in TRAIN]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real corpora, for tests that ask for it."""
    folder = os.environ.get("LIKELY_DATA")
    if not folder:
        pytest.skip("LIKELY_DATA is not set: no real corpora to test on")
    return Path(folder)


class PostgresServer:
    """A server of PostgreSQL of our own, in a folder of its own, which is reached by a socket there."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self.address = f"postgresql://postgres@/postgres?host={folder}"
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--pgdata", folder / "data")

    def start(self) -> None:
        # The tests end processes, never the machine: what is written is there without `fsync` too, and much sooner.
        settings = (
            f"-k {self._folder} -c listen_addresses='' -c max_connections=40 -c shared_buffers=16MB -c fsync=off"
        )
        self._control("start", "-o", settings, "-l", self._folder / "log")

    def stop(self, mode: str = "fast") -> None:
        self._control("stop", "-m", mode)

    def _control(self, *args: object) -> None:
        self._run("pg_ctl", "--wait", "--pgdata", self._folder / "data", *args)

    def _run(self, program: str, *args: object) -> None:
        # The server refuses to run as root.
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*user, str(self._programs / program), *map(str, args)]
        subprocess.run(command, check=True, stdout=-3, stderr=-3, cwd=self._folder)

    def forget_all(self) -> None:
        """Delete the store of an earlier test."""
        import psycopg

        with psycopg.connect(self.address) as connection:
            connection.execute("DROP SCHEMA IF EXISTS likely CASCADE")


def postgres_programs() -> Path | None:
    """The folder of the newest programs of PostgreSQL; Debian does not put them on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    elsewhere = shutil.which("initdb")
    return found[-1].parent if found else None if elsewhere is None else Path(elsewhere).parent


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A running server of PostgreSQL, from Debian's packages."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: `make database` installs it")
    with tempfile.TemporaryDirectory(prefix="likely-pg-") as folder:
        if os.geteuid() == 0:
            try:
                shutil.chown(folder, "postgres")
            except LookupError:
                pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        server = PostgresServer(programs, Path(folder))
        server.start()
        yield server
        server.stop("immediate")


@pytest.fixture
def postgresql(postgres_server: PostgresServer) -> str:
    """The address of a database without a store."""
    postgres_server.forget_all()
    return postgres_server.address
