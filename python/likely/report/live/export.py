"""A model for the browser: part of a page, a page to try it in, or a folder with a module for other programs."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

from likely import _native
from likely.core.file import Snapshot, parse_size
from likely.errors import ModelFileError, OutputError
from likely.reading.atomic import write_whole
from likely.report.live.model_data import LiveModel, live_model, obstacle
from likely.report.live.scripts import bundled, needed, source
from likely.report.render import markup, policy, render, styles
from likely.terminal import printable, size_text

PAGES = (".html", ".htm")
"""A path that ends so is that of a page, any other is that of a folder."""
MOST_BYTES = 1_200_000
"""What a model takes in a page at most, unless the caller says otherwise: a report then stays below 2 MB."""
ENTRY = "index"
"""The module that others import."""
MOST_NAMED = 50
"""At most this many classes are named in the README."""


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes
    ----------
    path : str
        The page or the folder.
    kind : str
        "page" or "module".
    size : int
        The bytes of all files.
    terms, all_terms : int
        How many terms the model has in the browser, and how many it has elsewhere.
    """

    path: str
    kind: Literal["page", "module"]
    size: int
    terms: int
    all_terms: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path} ({size_text(self.size)}). {self.sentence}"

    def to_dict(self) -> dict[str, object]:
        """The document for programs."""
        document = asdict(self)
        del document["sentence"]
        return document


def export(snapshot: Snapshot, path: str, max_size: object = None, title: str | None = None) -> Exported:
    """Write a model as a page (if the path ends with .html) or as a folder with a module.

    The compressed model takes at most ``max_size``; if it has too many terms, the most informative ones are written.
    Raise ``OutputError`` if a browser cannot prepare texts as the model does, or if the folder has other files.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = export(snapshot, os.path.join(folder, "reviews"))
    ...     sorted(os.listdir(found.path))[-1], found.kind, found.terms
    ('words.js', 'module', 3)
    """
    is_page = path.lower().endswith(PAGES)
    if not is_page:
        check_folder(path)
    live = live_model(snapshot, MOST_BYTES if max_size is None else parse_size(max_size))
    name = title or os.path.splitext(os.path.basename(os.path.abspath(path)))[0]
    if is_page:
        files = {path: live_page(live, name)}
    else:
        os.makedirs(path, exist_ok=True)
        files = {os.path.join(path, file): text for file, text in module_files(live, name).items()}
    size = 0
    for place, text in files.items():
        data = text.encode()
        try:
            write_whole(place, data)
        except ModelFileError as error:
            raise OutputError(f"cannot write {place!r}: {error}") from None
        size += len(data)
    return Exported(path, "page" if is_page else "module", size, live.terms, live.all_terms, terms_text(live))


def check_folder(path: str) -> None:
    """Raise ``OutputError`` if a folder is a file, or has files that were not exported."""
    if os.path.exists(path) and not os.path.isdir(path):
        raise OutputError(f"{path} is a file: give the name of a page, such as demo.html, or of a folder")
    if not os.path.isdir(path) and os.path.splitext(path)[1]:
        raise OutputError(f"{path} is neither a page, such as demo.html, nor a folder: give one, such as demo/")
    if os.path.isdir(path) and os.listdir(path) and not _is_exported(path):
        raise OutputError(f"{path} has files that `likely export` has not written: give an empty or a new folder")


def _is_exported(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
            found = json.load(file)
            return isinstance(found, dict) and "likely" in found
    except (OSError, ValueError):
        return False


def live_part(snapshot: Snapshot, most_bytes: int = MOST_BYTES) -> str:
    """A section of an HTML page, with its style, its script and the model, which takes at most ``most_bytes``.

    If the browser cannot prepare texts as the model does, the section says so. The script is one inline module and
    the style one inline sheet, so that a content security policy can allow both by their hashes (`policy`). The
    page has the style ``shared/base.css`` and at most one such section. Its text field has the id ``live-text``: to
    show another text, set its value and send it an input event.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> part = live_part(NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot())
    >>> "all 3 terms" in part, 'id="live-text"' in part
    (True, True)
    """
    why = obstacle(snapshot.counts.analyzer, snapshot.rules)
    if why is not None:
        return render("live.html", live=None, why=why, style=styles("live/page.css"))
    return render("live.html", **_live_context(live_model(snapshot, most_bytes)))


def _live_context(live: LiveModel) -> dict[str, Any]:
    return {
        "live": live,
        "style": styles("live/page.css"),
        "terms": terms_text(live),
        "packed": markup(live.packed),
        "script": markup(bundled("page", live.stem_language)),
    }


def live_page(live: LiveModel, title: str) -> str:
    """A whole page in which a reader can try a model.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> page = live_page(live_model(NaiveBayes().fit(["a"], [1])._snapshot()), "reviews & more")
    >>> "<title>reviews &amp; more</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    style = styles("shared/base.css")
    part = markup(render("live.html", **_live_context(live)))
    return render("live_page.html", title=title, style=style, part=part, policy=markup(policy(style + part)))


def terms_text(live: LiveModel) -> str:
    """How many of the model's terms are there, as a sentence.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> terms_text(live_model(NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()))  # doctest: +ELLIPSIS
    'It has all 3 terms (... bytes).'
    """
    size = size_text(len(live.packed))
    if live.terms == live.all_terms:
        return f"It has all {live.terms:,} terms ({size})."
    return f"It has the {live.terms:,} most informative of {live.all_terms:,} terms ({size})."


def module_files(live: LiveModel, name: str) -> dict[str, str]:
    """The files of the folder by name: the module, its types, the model, a package.json and a README.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> files = module_files(live_model(NaiveBayes().fit(["a"], [1])._snapshot()), "My reviews")
    >>> sorted(files)[:4], json.loads(files["package.json"])["name"]
    (['README.md', 'characters.js', 'classifier.js', 'entities.js'], 'my-reviews')
    """
    package = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:200] or "likely-model"  # as npm allows
    kinds = set(map(type, live.labels))
    names = [name for kind, name in ((str, "string"), (int, "number"), (bool, "boolean")) if kind in kinds]
    return {
        "package.json": render("package.json", name=package, entry=ENTRY, version=_native.VERSION),
        "README.md": render("README.md", name=package, terms=terms_text(live), classes=markup(_class_names(live))),
        "model.json": live.json + "\n",
        f"{ENTRY}.d.ts": render("index.d.ts", label=" | ".join(names)),
        **{f"{module}.js": source(module, live.stem_language) for module in needed(ENTRY)},
    }


def _class_names(live: LiveModel) -> str:
    names = [f"`{printable(label).replace('`', chr(39))}`" for label in live.labels[:MOST_NAMED]]
    more = len(live.labels) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
