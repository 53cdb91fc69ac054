"""Reading ahead: errors are handed on, and it stops when it is left."""

from __future__ import annotations

from typing import Any

import pytest
from likely.reading.corpus import ahead


def test_reading_ahead_hands_errors_on_and_stops_when_left() -> None:
    def failing() -> Any:
        yield 1
        raise OSError("gone")

    items = ahead(failing())
    assert next(items) == 1
    with pytest.raises(OSError, match="gone"):
        next(items)
    endless = ahead(iter(int, 1))
    assert next(endless) == 0
    endless.close()  # type: ignore[attr-defined]
