"""The files of deploy/: systemd's own verifier, what the server really needs, and a linter of container files."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("likely-backup.service", "likely-backup.timer", "likely.service")
PROGRAM = "/opt/likely/bin/likely"
MOST_EXPOSED = 1.5
"""systemd calls units below 2 safe."""
_SERVE = """
import sys
from likely.server.access import Limits
from likely.server.running import ServerSettings, run
run(ServerSettings(sys.argv[1], sys.argv[2], port=0), Limits(), lambda address: print(address, flush=True))
"""


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, with a program that is installed here: that of the units is a user's."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    assert sorted(path.name for path in DEPLOY.glob("likely*")) == list(UNITS)
    for name in UNITS:
        (tmp_path / name).write_text((DEPLOY / name).read_text().replace(PROGRAM, sys.executable))
    return tmp_path


def analyze(*args: object) -> str:
    """What systemd's verifier says."""
    done = subprocess.run(
        ["systemd-analyze", "--no-pager", *map(str, args)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_systemd_finds_nothing_wrong_with_the_units(units: Path) -> None:
    assert analyze("verify", *(units / name for name in UNITS)) == ""


def test_a_wrong_unit_is_found(units: Path) -> None:
    wrong = units / "likely.service"
    wrong.write_text(wrong.read_text().replace("ProtectSystem=strict", "ProtectSytem=strict"))
    assert "ProtectSytem" in analyze("verify", wrong)


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_the_units_are_hardened(units: Path, name: str) -> None:
    found = re.search(
        r"Overall exposure level for \S+: ([\d.]+)", analyze("security", "--offline=true", units / name)
    )
    assert found is not None
    assert float(found[1]) <= MOST_EXPOSED


def system_calls(group: str) -> set[str]:
    """The calls of a group, with those of the groups in it."""
    lines = [line.strip() for line in analyze("syscall-filter", group).splitlines()[1:]]
    names = [line for line in lines if line and not line.startswith("#")]
    return {call for name in names for call in (system_calls(name) if name.startswith("@") else {name})}


def allowed_calls(unit: str) -> set[str]:
    """The calls that a unit allows: each line adds calls, or takes some away."""
    allowed: set[str] = set()
    for minus, names in re.findall(r"^SystemCallFilter=(~?)(.*)$", unit, re.MULTILINE):
        for name in names.split():
            calls = system_calls(name) if name.startswith("@") else {name}
            allowed = allowed - calls if minus else allowed | calls
    return allowed


def test_the_unit_allows_what_the_server_needs(units: Path, model_file: Path) -> None:
    """A server under strace makes no call that the unit forbids, and asks for no memory to write to and execute."""
    trace = units / "trace"
    command = ["strace", "-f", "-qq", "-s", "0", "-o", str(trace), sys.executable, "-c", _SERVE]
    try:
        process = subprocess.Popen(
            [*command, model_file, model_file.with_suffix(".store")], stdout=-1, stderr=-1, text=True
        )
    except FileNotFoundError:
        pytest.skip("strace is not installed")
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            pytest.skip("this system does not allow strace")
        body = {"corrections": [{"text": "zany", "label": "pos"}]}
        httpx.post(f"{address}/learn", json=body, trust_env=False, timeout=60).raise_for_status()
        server = int(re.match(r"(\d+) ", trace.read_text())[1])  # type: ignore[index]
        subprocess.run(["kill", f"-{signal.SIGTERM:d}", str(server)], check=True)
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    found = trace.read_text()
    made = set(re.findall(r"^\d+ +(\w+)\(", found, re.MULTILINE))
    assert made - allowed_calls((DEPLOY / "likely.service").read_text()) <= {"fchown"}  # SQLite's, only as root
    assert re.findall(r"^.*PROT_WRITE\|PROT_EXEC.*$", found, re.MULTILINE) == []


def test_a_linter_finds_nothing_wrong_with_the_container_file() -> None:
    linter = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if linter is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run(
        [linter, "--no-color", str(DEPLOY / "Containerfile")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_container_file_copies_what_is_there_and_not_ignored() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    kept = re.findall(r"^!(.*)$", (DEPLOY / "Containerfile.dockerignore").read_text(), re.MULTILINE)
    assert names == set(kept)
    assert all((DEPLOY.parent / name).exists() for name in names)
