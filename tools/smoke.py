"""Install a wheel, or build an sdist, in an environment of its own and use it: ``python tools/smoke.py dist/*.whl``.

The environment is new, and gets what pip installs with the file and nothing else. It is made with the Python that
runs this script, so the script runs once per Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTICES = ("frostem", "zstd-sys", "UNICODE LICENSE V3", "Meta Platforms", "Martin Porter", "Rust Standard Library")
"""What LICENSE-THIRD-PARTY must say, among others."""


def run(*command: str | Path) -> str:
    """What a command prints. Its own messages are shown."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def install(package: Path) -> None:
    """Make an environment, install the package in it, and run this script there, out of reach of the sources."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder, "Scripts" if os.name == "nt" else "bin")
        run(programs / "python", "-m", "pip", "install", "--quiet", package.resolve())
        work = Path(folder, "work")
        work.mkdir()
        os.chdir(work)
        os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
        os.environ["PYTHONUTF8"] = "1"
        print(run(programs / "python", "-I", Path(__file__).resolve()), end="")
        os.chdir(ROOT)


def check_contents() -> None:
    """Fail if the package lacks a file that others do not notice: notices, stemmers, types."""
    files = {path.name: path for path in metadata.files("likely") or []}
    missing = {"LICENSE", "LICENSE-SNOWBALL", "LICENSE-THIRD-PARTY", "english.js", "py.typed"} - files.keys()
    assert not missing, f"not in the package: {missing}"
    notices = Path(str(files["LICENSE-THIRD-PARTY"].locate())).read_text("utf-8")
    unsaid = [notice for notice in NOTICES if notice not in notices]
    assert not unsaid, f"not in LICENSE-THIRD-PARTY: {unsaid}"


def check_library() -> None:
    """Train, predict, explain, learn, forget, save and load."""
    import likely
    from likely.sample import load_sample

    assert ROOT not in Path(likely.__file__).parents, likely.__file__
    texts, labels = load_sample()
    model = likely.NaiveBayes().fit(texts[:400], labels[:400])
    rights = int((model.predict(texts[400:]) == labels[400:]).sum())
    assert rights > 60, f"{rights} of 80 predictions are right"
    assert model.explain(texts[0]).terms
    model.save("first.likely")
    again = likely.load("first.likely")
    assert (again.predict_proba(texts) == model.predict_proba(texts)).all()
    again.learn(texts[400:], labels[400:]).forget(texts[400:], labels[400:]).save("second.likely")
    assert Path("first.likely").read_bytes() == Path("second.likely").read_bytes()
    print(f"{rights} of 80 held-out reviews are right; a model that learned and forgot has its old bytes")


def check_commands() -> None:
    """Run commands as users do, also those that need templates, scripts and stemmers."""
    import likely

    sample = Path(likely.__file__).parent / "data" / "sample.csv"
    version = run("likely", "--version").splitlines()
    assert version[0] == f"likely {metadata.version('likely')}"
    print("\n".join(version[:4]))
    assert "likely serve yours.likely" in run("likely", "demo")
    run("likely", "train", sample, "-o", "sample.likely")
    assert run("likely", "predict", "sample.likely", "--text", "a wonderful film").startswith("positive")
    assert "wonder" in run("likely", "explain", "sample.likely", "a wonderful film")
    run("likely", "evaluate", "sample.likely", sample, "--html", "report.html")
    run("likely", "export", "sample.likely", "page.html")
    sizes = {name: Path(name).stat().st_size for name in ("sample.likely", "report.html", "page.html")}
    assert min(sizes.values()) > 10_000, sizes
    print(f"wrote {', '.join(f'{name} ({size:,} bytes)' for name, size in sizes.items())}")


if __name__ == "__main__":
    if sys.argv[1:]:
        install(Path(sys.argv[1]))
    else:
        check_contents()
        check_library()
        check_commands()
