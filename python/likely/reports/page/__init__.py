"""An evaluation as one self-contained HTML page: sections in a module each, styles and scripts in ``data/page``."""

from __future__ import annotations

from likely.reports.page.document import report_page
from likely.reports.page.material import About, Contradicted, Live, Material

__all__ = ["About", "Contradicted", "Live", "Material", "report_page"]
