"""An evaluation as one self-contained HTML page: the report. Its styles and scripts are in ``data/page``.

| module | contents |
| --- | --- |
| `page.document` | the page: sections, navigation, policy, styles and scripts |
| `page.material` | `Material`: everything that a report shows, as plain data |
| `page.headline` | the section with the main result and all measures |
| `page.classes` | the section with one row per class |
| `page.confusion` | the section with the confusion matrix, whose cells open documents |
| `page.curves` | the section with the curves and the slider |
| `page.documents` | the sections with the worst errors and the doubtful labels |
| `page.words` | the sections with typical words and dependent pairs |
| `page.settings` | the section with the data, the settings and the command |
| `page.choice` | which documents are shown |
| `page.example` | a document, shortened around its strongest words |
| `page.contrast` | how much the words of a text favour one class over another |
| `page.chart` | the frame of a chart as SVG |
| `page.markup` | small pieces of HTML |
| `page.escaping` | texts and data made safe for a page |
"""

from __future__ import annotations

from likely.reports.page.document import report_page, report_policy
from likely.reports.page.material import About, Contradicted, Material

__all__ = ["About", "Contradicted", "Material", "report_page", "report_policy"]
