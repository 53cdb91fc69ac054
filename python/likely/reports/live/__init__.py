"""Models that classify texts in a browser: a part of a page, a page of its own, and a module for other programs.

| module | contents |
| --- | --- |
| `live.preparation` | how a model cuts texts into terms, for JavaScript, or why JavaScript cannot |
| `live.stemmers` | the languages whose stems JavaScript can make |
| `live.weight_tables` | the weights of all terms as tables |
| `live.model_file` | a model as JSON, with as many terms as fit |
| `live.scripts` | the modules of ``data/live``, also as one script |
| `live.part` | the part of a page that classifies what its reader types |
| `live.page` | this part as a page of its own |
| `live.module` | a folder with a module for npm |
| `live.export` | the page or the folder, written |
"""

from __future__ import annotations

from likely.reports.live.export import Exported, export
from likely.reports.live.model_file import LiveModel, live_model
from likely.reports.live.page import live_page, policy
from likely.reports.live.part import live_part

__all__ = ["Exported", "LiveModel", "export", "live_model", "live_page", "live_part", "policy"]
