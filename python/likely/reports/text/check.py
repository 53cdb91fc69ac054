"""What was found in labelled texts, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import counted, cut, named, printable, wrapped

if TYPE_CHECKING:
    from likely.evaluation.data_check import DataCheck, Finding

MOST_CLASSES = 8
"""At most this many classes are named, the largest ones."""
WIDTH = 80


def check_text(check: DataCheck) -> str:
    """The sizes of the classes, then each finding with its examples and what to do."""
    sizes = list(check.classes.items())
    shown = named(sizes, MOST_CLASSES, lambda pair: f"{printable(pair[0])} {pair[1]:,}")
    parts = [wrapped(f"{counted(check.rows, 'row')} of {counted(len(sizes), 'class', 'classes')}: {shown}.")]
    parts += [_finding_text(each) for each in check.findings]
    if not check.findings:
        parts.append("Nothing was found that deserves a look.")
    else:
        serious = sum(each.serious for each in check.findings)
        parts.append(f"{counted(len(check.findings), 'finding')}, {serious} serious.")
    return "\n\n".join([*parts, *map(wrapped, check.notes)])


def _finding_text(finding: Finding) -> str:
    mark = "SERIOUS  " if finding.serious else ""
    lines = [wrapped(f"{mark}{printable(finding.says)}")]
    for each in finding.examples:
        note = f" [{printable(each.note)}]" if each.note else ""
        lines.append(cut(f"  row {each.row + 1:,} ({printable(each.label)}){note}: {printable(each.text)}", WIDTH))
    # A command is one line, so that it can be copied.
    return "\n".join([*lines, f"  -> {printable(finding.fix)}"])
