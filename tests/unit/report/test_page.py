"""The page: one policy that names every script and style by its hash, and nothing else that could run or load."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from likely import NaiveBayes
from likely.report.live.export import live_part
from likely.report.pages import report_page

if TYPE_CHECKING:
    from likely.report.material import ReportMaterial


def check_policy(page: str) -> None:
    """Every script and style that could run is named by its hash, and nothing else is allowed."""
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for")
    assert "unsafe" not in policy[1]
    parts = re.findall(r'<script type="module">(.*?)</script>|<style>(.*?)</style>', page, re.S)
    assert policy[1].count("sha256-") == len(parts)
    for script, style in parts:
        digest = base64.b64encode(hashlib.sha256((script or style).encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert "<script>" not in page


def test_the_policy_names_every_script_and_style(material: ReportMaterial) -> None:
    check_policy(report_page(material))


def test_nothing_in_the_markup_runs_or_loads(material: ReportMaterial) -> None:
    markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", report_page(material), flags=re.S)
    for part in (" style=", " src=", " onclick", "javascript:", "<link", "<img", "http:", "https:"):
        assert part not in markup, part


def test_the_data_is_one_json_document(material: ReportMaterial) -> None:
    data = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', report_page(material), re.S)
    assert data
    assert set(json.loads(data[1])) == {"labels", "totals", "cells", "grid", "sweeps"}


def test_ids_are_unique_and_links_lead_somewhere(material: ReportMaterial) -> None:
    page = report_page(material)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_the_live_part_has_a_place(material: ReportMaterial) -> None:
    live = live_part(NaiveBayes().fit(["good", "bad"], [1, 0])._snapshot())
    page = report_page(replace(material, live=live))
    assert '<a href="#live-title">Try it</a>' in page
    assert live in page
    assert "#live-title" not in report_page(material)
    check_policy(page)


def test_the_title_is_escaped(material: ReportMaterial) -> None:
    assert "<title>A &lt;title&gt;</title>" in report_page(material)
