"""Models that classify texts in a browser: a part of a page, a page of its own, and a module for other programs.

| module | contents |
| --- | --- |
| `live.export` | the part, the page and the module, written |
| `live.model_data` | a model as JSON, with as many terms as fit, or why a browser cannot use it |
| `live.scripts` | the JavaScript modules of ``data``, also as one script, and stemmers |
"""
