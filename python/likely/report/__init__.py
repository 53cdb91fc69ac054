"""The only HTML and pictures: the report, explanations, notebooks, pages with a live classifier, and plots.

| module | contents |
| --- | --- |
| `report.render` | the Jinja environment: one escaping, filters, content security policies |
| `report.pages` | what the templates show: the report, an explanation, and parts of notebooks |
| `report.charts` | documents at each threshold, curves as points and paths |
| `report.examples` | documents, shortened around their strongest words |
| `report.material` | everything a report shows, gathered from a model and an evaluation, and written |
| `report.plots` | pictures by matplotlib |
| `report.live` | models for the browser: a page, part of a page, or a JavaScript module |
"""
