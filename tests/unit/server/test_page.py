"""The files of the page: all that it needs is served, nothing else, and nothing in it stands inline."""

from __future__ import annotations

import re
from importlib import resources

from likely.server.page import HEADERS, POLICY, files

TEXTS = {path: bytes(file.body).decode() for path, file in files().items()}


def test_every_module_that_is_imported_is_served() -> None:
    for path, text in TEXTS.items():
        if path.endswith(".js"):
            imported = re.findall(r'from "\./([\w.]+)"', text)
            assert all(f"/page/{name}" in files() for name in imported), path


def test_every_file_of_the_folder_is_served() -> None:
    names = {each.name for each in (resources.files("likely") / "data" / "server").iterdir()}
    served = {path.rpartition("/")[2] for path in TEXTS}
    assert names - served == {"docs.html", "index.html"}


def test_every_module_is_needed() -> None:
    imported = {name for text in TEXTS.values() for name in re.findall(r'from "\./(\w+)\.js"', text)}
    scripts = {path.rpartition("/")[2].removesuffix(".js") for path in TEXTS if path.endswith(".js")}
    assert imported | {"main"} == scripts


def test_the_page_asks_for_files_that_are_served_and_has_nothing_inline() -> None:
    page = TEXTS["/"]
    assert all(path in files() for path in re.findall(r'(?:src|href)="(/[^"]*)"', page))
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")


def test_every_place_that_a_script_names_is_in_the_page() -> None:
    page = TEXTS["/"]
    there = set(re.findall(r'\sid="([\w-]+)"', page))
    for path, text in TEXTS.items():
        named = set(re.findall(r'byId\("([\w-]+)"\)', text))
        assert named <= there, path


def test_no_script_reads_texts_as_html() -> None:
    for path, text in TEXTS.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text), path


def test_the_policy_allows_only_the_server_itself() -> None:
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert HEADERS["content-security-policy"] == POLICY
