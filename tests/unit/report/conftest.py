"""The material of a small report, whose classes and words have signs of markup."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.report.material import About, ReportMaterial, gathered

TEXTS = [
    "good <b> fun",
    "so good",
    "good & fine",
    "dull plot",
    "a dull film",
    "dull end",
    "a <script> tag",
    "tag tag",
]
LABELS = ["<good>", "<good>", "<good>", '"bad"', '"bad"', '"bad"', "c & d", "c & d"]


def material_of(texts: list[str], labels: list[str], about: About | None = None) -> ReportMaterial:
    """The material of a report on these documents."""
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    return gathered(model, model.evaluate(texts, labels, keep=True), about or About(title="A <title>"))


@pytest.fixture(scope="session")
def material() -> ReportMaterial:
    """Of seven documents, one is predicted wrongly and one has a label that the model does not have."""
    texts = ["good fun", "so fine", "dull", "dull film", "good film, so good", "tag", "good new"]
    return material_of(texts, ["<good>", "<good>", '"bad"', '"bad"', '"bad"', "c & d", "unknown"])


@pytest.fixture(scope="session")
def flawless() -> ReportMaterial:
    """All documents are predicted rightly."""
    return material_of(["good", "dull"], ["<good>", '"bad"'])
