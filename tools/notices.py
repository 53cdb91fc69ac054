"""Write the licence notices of all that the kernel contains to LICENSE-THIRD-PARTY: ``python tools/notices.py``.

That is every crate that is linked on a platform with a wheel (with the C of Zstandard), the crates whose Unicode
tables `build.rs` reads, and Rust's standard library. The texts are those that cargo and rustup have downloaded.
Wheels and sdists contain the file; the repository does not.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TARGETS = (
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
)
"""The platforms of `.github/workflows/release.yml`. All wheels have the same notices."""

NOTICE = re.compile(r"(un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def crates() -> list[dict[str, Any]]:
    """The crates of others in the kernel, as `cargo metadata` describes them, by name."""
    platforms = [f"--filter-platform={target}" for target in TARGETS]
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version=1", *platforms))
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    ours = set(metadata["workspace_members"])
    found, waiting = set(ours), list(ours)
    while waiting:
        crate = waiting.pop()
        kinds = {None, "build"} if crate in ours else {None}  # None: linked
        for need in needs[crate]:
            macro = any("proc-macro" in target["kind"] for target in packages[need["pkg"]]["targets"])
            if not macro and need["pkg"] not in found and kinds & {kind["kind"] for kind in need["dep_kinds"]}:
                found.add(need["pkg"])
                waiting.append(need["pkg"])
    return sorted(
        (packages[crate] for crate in found - ours), key=lambda package: (package["name"], package["version"])
    )


def notices(crate: dict[str, Any]) -> list[str]:
    """The texts in a crate that say under which terms it is used."""
    folder = Path(crate["manifest_path"]).parent
    paths = sorted(path for path in folder.iterdir() if NOTICE.match(path.name) and path.is_file())
    if not paths:
        raise SystemExit(f"{crate['name']} {crate['version']} has no licence file: nothing was written")
    return [path.read_text("utf-8").strip() for path in paths]


def standard_library() -> str:
    """The notices of Rust's standard library, which rustup installs as a page."""
    path = Path(output("rustc", "--print", "sysroot").strip(), "share/doc/rust/COPYRIGHT-library.html")
    text = html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", "", path.read_text("utf-8"), flags=re.DOTALL))
    return re.sub(r"\n\s*\n+", "\n\n", text).strip()


def main() -> None:
    """Write the file: the crates, then each text once, with the crates that it belongs to."""
    texts: dict[str, tuple[str, list[str]]] = {}
    lines = []
    for crate in crates():
        name = f"{crate['name']} {crate['version']}"
        lines.append(f"{name} ({crate['license']}), {crate['repository'] or 'without a repository'}")
        for text in notices(crate):
            texts.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    parts = [f"Terms of {', '.join(names)}:\n\n{text}" for text, names in texts.values()]
    beginning = "The compiled kernel of `likely` contains these works of others:\n\n"
    written = [beginning + "\n".join([*lines, "Rust's standard library"]), *parts, standard_library()]
    path = ROOT / "LICENSE-THIRD-PARTY"
    path.write_text(f"\n\n{'-' * 80}\n\n".join(written) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(lines)} crates, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
