"""Why a text gets its class: one line, the text, and the strongest terms or the arithmetic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.reports.text.arithmetic import MOST_FACTORS, arithmetic_text, threshold_lines
from likely.reports.text.summary import NOTICEABLE, contrast_line, summary_text, times_text
from likely.terminal import counted, cut, cut_apart, named, printable, table, wrapped

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation
    from likely.types import Label

MOST_CLASSES = 3
"""With at most this many classes, the arithmetic of a short text is shown."""
LONGEST_TEXT = 300
"""At most this many characters of a text are shown."""
LONGEST_LABEL, LONGEST_TERM = 16, 28
"""Longer labels and terms are cut, in columns of a terminal."""
MOST_UNKNOWN = 10
"""At most this many unknown terms are named."""


def explanation_text(
    explanation: Explanation,
    *,
    top: int = 10,
    arithmetic: bool | None = None,
    contrast: tuple[Label, Label] | None = None,
    text: str | None = None,
) -> str:
    """The explanation for people; see `Explanation.describe`. ``text`` replaces the text, such as a coloured one."""
    if arithmetic is None:
        arithmetic = is_short(explanation)
    parts = [
        summary_text(explanation),
        contrast_line(explanation, *contrast) if contrast else "",
        shown_text(explanation) if text is None else text,
        arithmetic_text(explanation, contrast) if arithmetic else _strongest(explanation, top, contrast),
    ]
    return "\n\n".join(filter(None, parts))


def is_short(explanation: Explanation) -> bool:
    """Whether the arithmetic can be written out: few classes, and few terms."""
    return len(explanation.classes) <= MOST_CLASSES and len(explanation.terms) <= MOST_FACTORS


def shown_text(explanation: Explanation) -> str:
    """The beginning of the text, in lines that fit a terminal."""
    shown = printable(" ".join(explanation.text[: LONGEST_TEXT + 1].split()))
    more = f"... ({len(explanation.text):,} characters)" if len(explanation.text) > LONGEST_TEXT else ""
    return wrapped(f"Text: {shown}{more}")


def _strongest(explanation: Explanation, top: int, contrast: tuple[Label, Label] | None) -> str:
    """A table of the strongest terms, and what is not in it."""
    rival = explanation.rival
    a, b = contrast or (explanation.label, explanation.label if rival is None else rival)
    names = cut_apart([printable(a), printable(b)], LONGEST_LABEL)
    found = explanation.contrast(a, b)
    rows = [
        [cut(printable(each.word), LONGEST_TERM), str(each.count), *_spoken(each.log_ratio, names)]
        for each in found[:top]
    ]
    rows += [[name, "", *_spoken(ratio, names)] for name, ratio in _beside(explanation, a, b)]
    lines = [table([["", "in the text", "speaks for", "times"], *rows])] if rows and a != b else []
    lines.append("\n".join(wrapped(line, "  ") for line in _notes(explanation, len(found) - top)))
    return "\n\n".join(filter(None, lines))


def _spoken(log_ratio: float, names: list[str]) -> list[str]:
    """The class that a term speaks for, and how many times more probable it makes that class than the other."""
    if abs(log_ratio) < NOTICEABLE:
        return ["neither", ""]
    return [names[0] if log_ratio > 0 else names[1], times_text(log_ratio) or "infinite"]


def _beside(explanation: Explanation, a: Label, b: Label) -> list[tuple[str, float]]:
    """What decides beside the terms of the text, if it does: its name, and its log-ratio of two classes."""
    of = explanation.lacking
    others = "(learned bias)" if explanation.learned else "(words not in the text)"
    both = (("(prior)", explanation.log_prior), (others, of))
    found = [(name, explanation.factor * (values[a] - values[b])) for name, values in both if values[a] != values[b]]
    return [(name, ratio) for name, ratio in found if abs(ratio) >= NOTICEABLE and not math.isnan(ratio)]


def _notes(explanation: Explanation, hidden: int) -> list[str]:
    notes = [f"{counted(hidden, 'further known term')} separate less."] if hidden > 1 else []
    notes += ["1 further known term separates less."] if hidden == 1 else []
    if explanation.unknown:
        unknown = named(explanation.unknown, MOST_UNKNOWN, lambda term: cut(printable(term), LONGEST_TERM))
        notes.append(f"Not known, so ignored: {unknown}")
    return [*notes, *threshold_lines(explanation)]
