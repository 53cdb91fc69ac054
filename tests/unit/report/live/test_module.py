"""The folder for npm: its package, its types and its README."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes
from likely.report.live.export import module_files
from likely.report.live.model_data import live_model

if TYPE_CHECKING:
    from likely.types import Label


def files_of(labels: list[Label]) -> dict[str, str]:
    return module_files(live_model(NaiveBayes().fit(["good", "bad"], labels)._snapshot()), "My model")


def test_every_import_is_in_the_folder() -> None:
    files = files_of(["+", "-"])
    for name, text in files.items():
        if name.endswith(".js"):
            for other in re.findall(r'from "\./([\w.]+)"', text):
                assert other in files


def test_the_package_names_files_that_exist() -> None:
    files = files_of(["+", "-"])
    package = json.loads(files["package.json"])
    assert package["name"] == "my-model"
    for path in (
        package["main"],
        package["types"],
        *package["exports"]["."].values(),
        package["exports"]["./model.json"],
    ):
        assert path.removeprefix("./") in files


@pytest.mark.parametrize(("labels", "kind"), [(["+", "-"], "string"), ([1, 2], "number"), ([True, False], "boolean")])
def test_types_are_those_of_the_labels(labels: list[Label], kind: str) -> None:
    assert f"type Label = {kind};" in files_of(labels)["index.d.ts"]


def test_the_readme_says_what_it_is() -> None:
    text = files_of(["good `x`", "bad"])["README.md"]
    assert text.startswith("# my-model\n")
    assert "`bad`, `good 'x'`" in text
    assert "all 2 terms" in text
