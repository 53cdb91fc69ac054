"""An evaluation as HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from likely.reports.text.evaluation import evaluation_text

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation


def evaluation_html(evaluation: Evaluation) -> str:
    """The tables of `evaluation_text` as HTML."""
    return f"<pre>{html.escape(evaluation_text(evaluation))}</pre>"
