"""Write a model for the browser: a page to try it in, or a folder with a module for other programs."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from likely.core.snapshot import parse_size
from likely.errors import ExportError, ModelFileError
from likely.reading.atomic import write_whole
from likely.reports.live.model_file import live_model
from likely.reports.live.module import module_files
from likely.reports.live.page import live_page
from likely.reports.live.part import MOST_BYTES, terms_text
from likely.terminal import size_text

if TYPE_CHECKING:
    from likely.core.snapshot import Snapshot

PAGES = (".html", ".htm")
"""A path that ends so is that of a page, any other is that of a folder."""


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
    Raise ``ExportError`` if a browser cannot prepare texts as the model does, or if the folder has other files.

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
            raise ExportError(f"cannot write {place!r}: {error}") from None
        size += len(data)
    return Exported(path, "page" if is_page else "module", size, live.terms, live.all_terms, terms_text(live))


def check_folder(path: str) -> None:
    """Raise ``ExportError`` if a folder is a file, or has files that were not exported."""
    if os.path.exists(path) and not os.path.isdir(path):
        raise ExportError(f"{path} is a file: give the name of a page, such as demo.html, or of a folder")
    if not os.path.isdir(path) and os.path.splitext(path)[1]:
        raise ExportError(f"{path} is neither a page, such as demo.html, nor a folder: give one, such as demo/")
    if os.path.isdir(path) and os.listdir(path) and not _is_exported(path):
        raise ExportError(f"{path} has files that `likely export` has not written: give an empty or a new folder")


def _is_exported(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
            found = json.load(file)
            return isinstance(found, dict) and "likely" in found
    except (OSError, ValueError):
        return False
