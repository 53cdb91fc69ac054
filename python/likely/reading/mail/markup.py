"""HTML to the text that a reader sees: one scan from left to right that never goes back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK_NAMES = """
address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frame h1 h2 h3 h4 h5 h6 header hr html iframe input legend li main marquee menu nav ol optgroup
option p pre section select summary table tbody td textarea tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""The elements that stand apart from what is before and after them; all others leave words whole."""

# All loops over user text are possessive ("++", "*+"): a possessive loop never tries again with less.
_TAG = re.compile(r"""</?([a-zA-Z][^\s/>]*+)(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+>""")
_LOOSE_TAG = re.compile(r"</?([a-zA-Z][^\s/>]*+)[^>]*+>")
_LETTER = re.compile(r"/?[a-zA-Z]")
# A reference is cut at 32 characters because `html.unescape` fails on numbers of thousands of digits.
_REFERENCE = re.compile(r"&(?:#[0-9]{1,32}|#[xX][0-9a-fA-F]{1,32}|[a-zA-Z][a-zA-Z0-9]{1,31});?")


def _closing(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


_UNSEEN = {
    "script": _closing(r"</script(?=[\s/>])"),
    "style": _closing(r"</style(?=[\s/>])"),
    "title": _closing(r"</title|</head|<body"),
    "head": _closing(r"</head(?=[\s/>])|<body(?=[\s/>])"),
}
"""The elements whose contents are not shown, and where they end."""


def html_text(markup: str) -> str:
    r"""The text of an HTML document, one line per block, in time proportional to its length.

    Comments, scripts, styles and the head are left out. Broken markup is read as far as it makes sense: a tag,
    comment or script that is never closed reaches to the end.

    Examples
    --------
    >>> html_text("<p>V<b>i</b>agra &amp; co</p><p>for <!-- not -->free")
    'Viagra & co\nfor free'
    """
    markup = markup.replace("\n", " ").replace("\r", " ")
    text = _REFERENCE.sub(_referred, "".join(_pieces(markup)))
    return "\n".join(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)


def _referred(reference: re.Match[str]) -> str:
    import html

    # A reference to a line end is white space, not a new block.
    return html.unescape(reference[0]).replace("\n", " ")


def _pieces(markup: str) -> Iterator[str]:
    """The text between tags, with a line end for the tags of blocks."""
    at, tags = 0, _TAG
    unclosed: set[str] = set()  # so that the end of an element is looked for in vain only once
    while (start := markup.find("<", at)) >= 0:
        yield markup[at:start]
        if not _LETTER.match(markup, start + 1):
            yield "" if markup.startswith(("!", "?", "/"), start + 1) else "<"
            at = _end_of_comment(markup, start)
            continue
        found = tags.match(markup, start)
        if not found:
            # A quote is open to the end: from here on a tag ends at the first ">", so this happens only once.
            tags = _LOOSE_TAG
            found = tags.match(markup, start)
        if not found:
            return
        name = found[1].lower()
        yield "\n" if name in BLOCKS else ""
        at = found.end()
        if name in _UNSEEN and markup[start + 1] != "/":
            at = _end_of_unseen(markup, at, name, unclosed)
    yield markup[at:]


def _end_of_comment(markup: str, start: int) -> int:
    """Where the text goes on after a "<" that begins no tag: a comment, a declaration, or just a sign."""
    if markup.startswith("<!--", start):
        # "<!-->" is a whole comment
        end = markup.find("-->", start + 2)
        return end + 3 if end >= 0 else len(markup)
    if markup.startswith(("<!", "<?", "</"), start):
        end = markup.find(">", start)
        return end + 1 if end >= 0 else len(markup)
    return start + 1


def _end_of_unseen(markup: str, at: int, name: str, unclosed: set[str]) -> int:
    """Where an element that is not shown ends; a head or title that never ends hides nothing."""
    found = None if name in unclosed else _UNSEEN[name].search(markup, at)
    if found:
        return found.start()
    unclosed.add(name)
    return at if name in ("head", "title") else len(markup)
