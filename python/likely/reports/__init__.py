"""What people look at: pages, live models and pictures; and predictions as rows. Texts are escaped.

| module | contents |
| --- | --- |
| `reports.html` | explanations, evaluations and models as HTML for notebooks |
| `reports.page` | an evaluation as one HTML page that opens anywhere: the report |
| `reports.live` | models that classify texts in a browser: part of a page, page, module |
| `reports.plots` | evaluations and words as pictures by matplotlib |
| `reports.rows` | predictions as CSV, JSON Lines or Parquet |
| `reports.confusion` | the part of a confusion matrix that people can look at |
"""
