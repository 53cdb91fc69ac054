"""The frame of a chart as SVG: axes from 0 to 1, a grid, and the paths of curves in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.types import Array

SIZE = 300
"""The width and the height of the square between the axes."""
LEFT, TOP, RIGHT, BOTTOM = 46, 10, 12, 44
"""The space around it, for the labels of the axes."""
PER_MILLE = 1000
"""The coordinates of points in the data of the page are whole numbers up to this one."""


def chart(name: str, title: str, x: str, y: str, inside: str) -> str:
    """A chart with its caption; ``inside`` is drawn in a square whose origin is at the bottom left.

    The script finds the parts of a chart by their classes within the element with the id ``name``.
    """
    ticks = "".join(_tick(step / 4) for step in range(5))
    middle = SIZE / 2
    width, height = LEFT + SIZE + RIGHT, TOP + SIZE + BOTTOM
    return (
        f'<figure id="{name}"><figcaption>{title}</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}"><g transform="translate({LEFT} {TOP})">'
        f'{ticks}<text class="name" x="{middle}" y="{SIZE + 38}" text-anchor="middle">{x}</text>'
        f'<text class="name" transform="translate(-34 {middle}) rotate(-90)" text-anchor="middle">{y}</text>'
        f"{inside}</g></svg></figure>"
    )


def _tick(share: float) -> str:
    across, down = SIZE * share, SIZE * (1 - share)
    return (
        f'<line class="grid" x1="{across:g}" x2="{across:g}" y1="0" y2="{SIZE}"/>'
        f'<line class="grid" x1="0" x2="{SIZE}" y1="{down:g}" y2="{down:g}"/>'
        f'<text class="tick" x="{across:g}" y="{SIZE + 16}" text-anchor="middle">{100 * share:.0f}</text>'
        f'<text class="tick" x="-6" y="{down + 4:g}" text-anchor="end">{100 * share:.0f}</text>'
    )


def points_of(curve: Array) -> list[int]:
    """The points of a curve as whole numbers, x and y in turn.

    Examples
    --------
    >>> import numpy as np
    >>> points_of(np.array([[0.0, 0.5], [1.0, 1.0]]))
    [0, 500, 1000, 1000]
    """
    return [round(PER_MILLE * value) for value in curve.ravel().tolist()]


def path_of(points: list[int]) -> str:
    """The path of an SVG through points as `points_of` gives them; the script draws others in the same way.

    Examples
    --------
    >>> path_of([0, 500, 1000, 1000])
    'M0 150L300 0'
    """
    pairs = zip(points[::2], points[1::2], strict=True)
    return "M" + "L".join(f"{_across(x):g} {SIZE - _across(y):g}" for x, y in pairs)


def _across(value: int) -> float:
    return round(SIZE * value / PER_MILLE, 2)


def bars_of(sizes: Iterable[float], count: int) -> str:
    """Thin bars at the bottom of a chart, in proportion to the largest size, at most a fifth of the height."""
    found = list(sizes)
    most, width = max(max(found, default=0.0), 1.0), SIZE / count
    return "".join(
        f'<rect class="size" x="{at * width + 1:g}" width="{width - 2:g}" y="{SIZE - SIZE / 5 * size / most:.1f}" '
        f'height="{SIZE / 5 * size / most:.1f}"/>'
        for at, size in enumerate(found)
    )
