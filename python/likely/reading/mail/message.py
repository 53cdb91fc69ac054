"""The text of e-mail messages: the subject and the visible body. Broken messages are tolerated, and nothing raises.

The messages are not split by the module `email`, which recurses into hostile messages: here every step is one scan.
"""

from __future__ import annotations

import binascii
import io
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from likely.reading.mail.charsets import decoded, decoded_words, from_base64
from likely.reading.mail.markup import html_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MOST_DEPTH = 32
"""The maximum depth of nested parts and forwarded messages. Deeper ones are left out."""
MOST_PARTS = 1000
"""At most this many parts of a multipart message are read, the first ones."""
MOST_FIELD = 1 << 16
"""At most this many bytes of a header field are read."""
MOST_MESSAGE = 1 << 26
"""At most this many bytes of a message in an mbox are read: 64 MB."""
LONG_LINE = 1 << 16
"""A line of an mbox that has more bytes than this is read in pieces."""

_FIELD_NAMES = "date delivered-to from message-id mime-version received reply-to return-path sender subject to"
_SIGNS = frozenset(_FIELD_NAMES.split())
"""The header fields by which a message is recognized."""
_USED = frozenset(["subject", "content-type", "content-transfer-encoding", "content-disposition"])

# All loops over the bytes of a message are possessive ("++", "*+"): a possessive loop never backtracks.
_FIELD = re.compile(rb"([!-9;-~]++)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)\n?")
_BROKEN_FIELD = re.compile(rb"[^\n]++\n(?=[!-9;-~]++[ \t]*+:)")
_ENVELOPE = re.compile(rb"(?:\xef\xbb\xbf)?(?:>?From [^\n]*+\n(?=[!-9;-~]++[ \t]*+:))?")
_PARAMETER = re.compile(r""";\s*+([^=;\s]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"?|([^;\s]*+))""", re.DOTALL)
_META_CHARSET = re.compile(rb"""<meta\s[^>]{0,200}?charset\s{0,9}=["'\s]{0,9}([\w.:-]{1,40})""", re.IGNORECASE)


def message_text(raw: bytes) -> str:
    r"""The subject of a message, a line end, and its body as text.

    Of alternatives, the plain text is used, or else the text of the HTML. Parts that are shown one after the other,
    and forwarded messages, are joined. Attachments are left out. The result can always be encoded as UTF-8.

    Examples
    --------
    >>> message_text(b"Subject: =?koi8-r?B?8NLJ18XU?=\nContent-Type: text/html\n\n<p>F<b>ree</b> &euro;")
    'Привет\nFree €'
    >>> message_text(b"no header at all")
    '\nno header at all'
    """
    lines = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Some codecs, such as UTF-7, return halves of surrogate pairs.
    return _message(lines, 0).encode("utf-8", "replace").decode()


def looks_like_mail(head: bytes) -> bool:
    r"""Whether a file starts like a message or an mbox: with header fields before the first empty line.

    Examples
    --------
    >>> looks_like_mail(b"From: a@b.c\nSubject: lunch?\n\nAt one.")
    True
    >>> looks_like_mail(b"Subject: the first line of an essay\n\nFrom: here on it is prose.")
    False
    """
    lines = head.replace(b"\r\n", b"\n")
    fields, _ = _split_head(lines)
    return len(fields.keys() & _SIGNS) >= (1 if lines.startswith(b"From ") else 2)


# Messages --------------------------------------------------------------------------------------------------------


def _message(raw: bytes, depth: int) -> str:
    fields, body = _split_head(raw)
    subject = " ".join(decoded_words(fields.get("subject", "")).split())
    # The body of the message itself is shown even if it has a file name: only parts can be attachments.
    return f"{subject}\n{_text(_Part.of(fields, body), depth)}"


def _split_head(raw: bytes) -> tuple[dict[str, str], bytes]:
    """The header fields that are used (the first of each name), and the body."""
    fields: dict[str, str] = {}
    envelope = _ENVELOPE.match(raw)
    start = at = envelope.end() if envelope else 0
    while found := _FIELD.match(raw, at) or (_BROKEN_FIELD.match(raw, at) if at > start else None):
        if found.re is _FIELD:
            name = found[1][:40].decode("ascii").lower()
            if name in _USED or name in _SIGNS:
                fields.setdefault(name, decoded(found[2][:MOST_FIELD].replace(b"\n", b"")).strip())
        at = found.end()
    return fields, raw[at:].removeprefix(b"\n")


@dataclass(frozen=True)
class _Part:
    """A part of a message, not yet decoded."""

    kind: str
    parameters: dict[str, str]
    attached: bool
    encoding: str
    body: bytes

    @classmethod
    def of(cls, fields: dict[str, str], body: bytes, default: str = "text/plain") -> _Part:
        kind, parameters = _value(fields.get("content-type", default))
        disposition, more = _value(fields.get("content-disposition", ""))
        if not all(kind.partition("/")):  # RFC 2045: an invalid type means plain text
            kind = "text/plain"
        attached = disposition == "attachment" or "name" in parameters or "filename" in more
        return cls(kind, parameters, attached, fields.get("content-transfer-encoding", "").lower(), body)

    def content(self) -> bytes:
        """The body without its transfer encoding."""
        if "base64" in self.encoding:
            return from_base64(self.body)
        return binascii.a2b_qp(self.body) if "quoted-printable" in self.encoding else self.body


def _value(field: str) -> tuple[str, dict[str, str]]:
    """The value of a structured header field, and its parameters. The pieces `name*0`, `name*1`, ... are joined."""
    parameters: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(field):
        stem, star, _ = name.lower().partition("*")
        if star or stem not in parameters:
            parameters[stem] = parameters.get(stem, "") + (quoted or plain)
    return field.partition(";")[0].strip().lower(), parameters


def _text(part: _Part, depth: int) -> str:
    """The visible text of a part."""
    if depth > MOST_DEPTH:
        return ""
    if part.kind.startswith("multipart/"):
        return _multipart_text(part, depth)
    if part.kind in ("message/rfc822", "message/global"):
        return _message(part.content(), depth + 1).strip()
    return _leaf_text(part) if part.kind.startswith("text/") else ""


def _multipart_text(part: _Part, depth: int) -> str:
    boundary = part.parameters.get("boundary", "").rstrip().encode("utf-8", "replace")
    default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
    pieces = islice(_between(part.body, boundary), MOST_PARTS) if boundary else ()
    children = [_Part.of(*_split_head(piece), default) for piece in pieces]
    if not children:
        return _leaf_text(part)
    shown = [child for child in children if not child.attached]
    if part.kind == "multipart/alternative":
        ranks = {"text/plain": 0, "text/html": 1}
        shown.sort(key=lambda child: ranks.get(child.kind, 2))
    texts = (text for text in (_text(child, depth + 1) for child in shown) if text)
    return next(texts, "") if part.kind == "multipart/alternative" else "\n".join(texts)


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """The parts between the lines of a boundary. The text before and after them is not shown."""
    body, mark = b"\n" + body, b"\n--" + boundary
    start, at = -1, body.find(mark)
    while at >= 0:
        end = body.find(b"\n", at + len(mark))
        end = end if end >= 0 else len(body)
        rest = body[at + len(mark) : end].strip()
        if rest in (b"", b"--"):  # otherwise it is the line of a longer boundary
            if start >= 0:
                yield body[start:at]
            start = end + 1
        if rest == b"--":
            return
        at = body.find(mark, end)
    if start >= 0:
        yield body[start:]


def _leaf_text(part: _Part) -> str:
    content = part.content()
    charset = part.parameters.get("charset", "")
    if "html" not in part.kind:
        return decoded(content, charset).strip()
    meta = None if charset else _META_CHARSET.search(content, 0, 4096)
    return html_text(decoded(content, meta[1].decode("ascii") if meta else charset))


# Mailboxes -------------------------------------------------------------------------------------------------------


def split_mbox(chunks: Iterable[bytes]) -> Iterator[bytes]:
    r"""The messages of an mbox that is read in chunks, without their "From " lines. One is in memory at a time.

    A message starts with a "From " line at the beginning or after an empty line. One ">" is removed from quoted
    "From " lines (mboxrd). The bytes of a message after the first `MOST_MESSAGE` are dropped.

    Examples
    --------
    >>> list(split_mbox([b"From a\nSubject: 1\n\n>From here\n\nFr", b"om b\nSubject: 2\n"]))
    [b'Subject: 1\n\nFrom here\n', b'Subject: 2\n']
    """
    message, begun, fresh, empty = bytearray(), False, True, True
    for line in _lines(chunks):
        if fresh and empty and line.startswith(b"From "):
            if begun:
                yield _without_last_empty_line(message)
            message, begun = bytearray(), True
        else:
            quoted = fresh and line.startswith(b">") and line.lstrip(b">").startswith(b"From ")
            message += line[quoted : max(0, MOST_MESSAGE - len(message)) + quoted]
            begun = begun or not line.isspace()
        empty = fresh and line in (b"\n", b"\r\n")
        fresh = line.endswith(b"\n")
    if begun:
        yield _without_last_empty_line(message)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a file with their ends. Very long lines come in pieces."""
    waiting = bytearray()
    for chunk in chunks:
        waiting += chunk
        if b"\n" in chunk or len(waiting) > LONG_LINE:
            end = waiting.rfind(b"\n") + 1 or len(waiting)
            yield from io.BytesIO(waiting[:end])
            del waiting[:end]
    if waiting:
        yield bytes(waiting)


def _without_last_empty_line(message: bytearray) -> bytes:
    lines = b"\n" + message  # so that an empty line always follows a line end
    return lines[1:-2] if lines.endswith(b"\n\r\n") else lines[1:-1] if lines.endswith(b"\n\n") else lines[1:]


def is_maildir(folder: Path) -> bool:
    """Whether a folder is a Maildir: it contains the folders ``cur`` and ``new``."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def maildir_files(folder: Path) -> Iterator[Path]:
    """The messages of a Maildir, in the order of their names, without hidden files."""
    parts = [part for part in (folder / "cur", folder / "new") if part.is_dir()]
    found = (path for part in parts for path in part.iterdir() if path.is_file() and not path.name.startswith("."))
    yield from sorted(found, key=lambda path: (path.name, path.parent.name))
