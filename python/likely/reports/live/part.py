"""The part of a page that classifies what its reader types, in the browser and without a network."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from likely.reports.live.model_file import live_model
from likely.reports.live.preparation import obstacle
from likely.reports.live.scripts import bundled, stylesheet
from likely.terminal import size_text

if TYPE_CHECKING:
    from likely.core.snapshot import Snapshot
    from likely.reports.live.model_file import LiveModel

MOST_BYTES = 1_200_000
"""What a model takes in a page at most, unless the caller says otherwise: a report then stays below 2 MB."""


def live_part(snapshot: Snapshot, most_bytes: int = MOST_BYTES) -> str:
    """A section of an HTML page, with its style, its script and the model, which takes at most ``most_bytes``.

    If the browser cannot prepare texts as the model does, the section says so. The script is one inline module and
    the style one inline sheet, so that a content security policy can allow both by their hashes (`policy`). A page
    has at most one such section. Its text field has the id ``live-text``: to show another text, set its value and
    send it an input event.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> part = live_part(NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot())
    >>> "all 3 terms" in part, 'id="live-text"' in part
    (True, True)
    """
    why = obstacle(snapshot.counts.analyzer, snapshot.rules)
    if why is not None:
        return _section(f"<p>This model cannot be tried in the page, because {html.escape(why)}.</p>")
    return part_of(live_model(snapshot, most_bytes))


def part_of(live: LiveModel) -> str:
    """The section for a model that is ready for JavaScript."""
    about = html.escape(f"The model works in this page; nothing that you type leaves it. {terms_text(live)}")
    return (
        _section(
            f'<p class="live-about">{about}</p>'
            '<label for="live-text">Text</label>'
            '<textarea id="live-text" rows="5" dir="auto" spellcheck="false" disabled></textarea>'
            '<p id="live-verdict" aria-live="polite">Loading the model …</p>'
            "<noscript><p>This part of the page needs JavaScript.</p></noscript>"
            '<div id="live-answer" hidden><div id="live-classes"></div><p id="live-legend"></p>'
            '<p id="live-marked" dir="auto"></p><p id="live-known"></p><div id="live-words"></div></div>'
        )
        + f'<script type="application/octet-stream" id="live-model">{live.packed}</script>\n'
        + f'<script type="module">\n{bundled("page", live.stem_language)}</script>\n'
    )


def terms_text(live: LiveModel) -> str:
    """How many of the model's terms are there, as a sentence.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> terms_text(live_model(NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()))  # doctest: +ELLIPSIS
    'It has all 3 terms (... bytes).'
    """
    size = size_text(len(live.packed))
    if live.terms == live.all_terms:
        return f"It has all {live.terms:,} terms ({size})."
    return f"It has the {live.terms:,} most informative of {live.all_terms:,} terms ({size})."


def _section(content: str) -> str:
    begin = '<section class="live" aria-labelledby="live-title"><h2 id="live-title">Try it</h2>'
    return f"<style>\n{stylesheet()}</style>\n{begin}{content}</section>\n"
