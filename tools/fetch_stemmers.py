"""Fetch Snowball's stemmers in JavaScript for the live classifier: ``python tools/fetch_stemmers.py``.

They come from the package registry: the wheel of Sphinx has what Snowball's compiler wrote (Snowball 3.0.1). They
are data of the package, but not of the repository. Only languages whose stems are those of the kernel (Snowball 3.1)
are taken; `tests/browser/test_live_stems.py` compares them. English needs one rule of Snowball 3.1, that for "inter".
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "python/likely/data/live/stemmers"
SPHINX = "9.0.4"
DIGEST = "5bebc595a5e943ea248b99c13814c1c5e10b3ece718976824ffa7959ff95fffb"
FOLDER = "sphinx/search/minified-js"
LANGUAGES = (
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "dutch",
    "english",
    "esperanto",
    "french",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "nepali",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
)
"""The languages in which Snowball's stemmers in JavaScript (3.0.1) give the stems of the kernel (3.1.1).

The others have changed between the two, or are new: Czech, Danish, Estonian, Finnish, German, Greek, Italian,
Lithuanian, Norwegian, Persian, Polish and Sesotho.
"""

RULES_SINCE = {"english": ('["gener",-1,-1],', '["gener",-1,-1],["inter",-1,-1],')}
"""What Snowball 3.1 has changed: a piece of the source, and what replaces it."""


def wheel(folder: str) -> Path:
    """The wheel of Sphinx, checked."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", folder, f"sphinx=={SPHINX}"], check=True)
    (found,) = Path(folder).glob("*.whl")
    if hashlib.sha256(found.read_bytes()).hexdigest() != DIGEST:
        raise SystemExit(f"{found.name} is not the file that was expected: nothing was written")
    return found


def module(name: str, base: str, stemmer: str) -> str:
    """A module that exports the stemmer of a language."""
    before, after = RULES_SINCE.get(name, ("", ""))
    if before not in stemmer:
        raise SystemExit(f"the stemmer of {name} is not as expected: nothing was written")
    terms = (ROOT / "LICENSE-SNOWBALL").read_text("utf-8")
    licence = "\n".join(f"// {line}".rstrip() for line in terms[terms.index("Copyright") :].splitlines())
    source = f"let BaseStemmer;\n{base.strip()}\n{stemmer.replace(before, after, 1).strip()}\n"
    named = f"export const Snowball = {name.capitalize()}Stemmer;\n"
    return f"// Snowball 3.0.1, from Sphinx {SPHINX}.\n//\n{licence}\n\n{source}{named}"


def main() -> None:
    """Write one module per language."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel(folder)) as archive:
        read = {name: archive.read(f"{FOLDER}/{name}-stemmer.js").decode() for name in ("base", *LANGUAGES)}
    PLACE.mkdir(exist_ok=True)
    for old in PLACE.glob("*.js"):  # whatever is there is used
        old.unlink()
    for name in LANGUAGES:
        (PLACE / f"{name}.js").write_text(module(name, read["base"], read[name]), encoding="utf-8")


if __name__ == "__main__":
    main()
