"""How evaluations and explanations show themselves as HTML and pictures, although the report is above them.

Rooms import nothing from above. `likely/__init__.py` is above every room: it sets `draw`, which imports
`likely.report` when something is drawn for the first time. This is the only such hook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

draw: Callable[..., Any]
"""Call ``draw(name, result, ...)``: the function of this name in `likely.report`, applied to a result."""
