"""The text of e-mail messages: the subject and the visible body. Broken ones are tolerated, and nothing raises."""

from __future__ import annotations

import binascii
import codecs
import io
import re
from codecs import BOM_UTF8
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from email.message import Message
    from email.parser import BytesParser

    from likely.reading.stream import FilePath


_ENCODED_WORD = re.compile(r"=\?([^?\s]++)\?([bBqQ])\?([^?]*+)\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]++")

_WIDER = {"iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
"""Charsets that mail programs declare although they use a larger one (as in the WHATWG Encoding Standard)."""
_NO_CHARSETS = frozenset(["idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"])
"""Text codecs of Python that mail does not use: they raise in spite of "replace", and punycode is quadratic."""


def decoded(data: bytes, charset: str = "") -> str:
    r"""The text of bytes, with plain line ends: in the declared charset if it fits, or UTF-8, or windows-1252.

    A text that is damaged in a few places is still decoded in its charset, with U+FFFD in those places.

    Examples
    --------
    >>> decoded(b"\xcd\xc9\xd2", "koi8-r"), decoded(b"caf\xe9", "utf-8"), decoded(b"caf\xc3\xa9", "no-such-charset")
    ('мир', 'café', 'café')
    """
    text = _read_as(data, _codec(charset)) or _read_as(data, "utf-8") or data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset.strip(" \t'\"")[:40]).name
    except (LookupError, ValueError):
        return None
    return None if name in _NO_CHARSETS else _WIDER.get(name, name)


def _read_as(data: bytes, codec: str | None) -> str | None:
    """The text, or None if most characters that are not ASCII cannot be decoded with this codec."""
    if codec is None:
        return None
    try:
        return data.decode(codec)
    except LookupError:  # a codec from bytes to bytes, such as zlib
        return None
    except UnicodeError:
        text = data.decode(codec, "replace")
    unusual = len(text) - len(text.encode("ascii", "ignore"))
    return text if 2 * text.count("\ufffd") <= unusual else None


def from_base64(data: bytes) -> bytes:
    """The bytes of base64 text. Other characters are ignored, and padding in the middle starts a new piece.

    Examples
    --------
    >>> from_base64(b"aGVs !! bG8=IHlvdQ")
    b'hello you'
    """
    return b"".join(map(_from_base64_piece, data.split(b"=")))


def _from_base64_piece(piece: bytes) -> bytes:
    letters = _NOT_BASE64.sub(b"", piece)
    whole = len(letters) - (len(letters) % 4 == 1)  # one letter more than a multiple of four is less than a byte
    return binascii.a2b_base64(letters[:whole] + b"=" * (-whole % 4))


def decoded_words(value: str) -> str:
    """The value of a header field with its encoded words (RFC 2047) decoded.

    Adjacent words of the same charset are joined before they are decoded, because some programs split characters.

    Examples
    --------
    >>> decoded_words("=?utf-8?Q?caf=C3?= =?utf-8?B?qQ==?= au =?x?Q?lait?=")
    'café au lait'
    """
    first, *rest = _ENCODED_WORD.split(value)
    runs = [("", first.encode("utf-8", "replace"))]
    for charset, encoding, word, after in zip(*(rest[i::4] for i in range(4)), strict=True):
        data = word.encode("utf-8", "replace")
        data = from_base64(data) if encoding in "bB" else binascii.a2b_qp(data, header=True)
        # RFC 2231 lets a language follow the charset: "utf-8*en".
        runs.append((charset.lower().partition("*")[0] or "utf-8", data))
        if not after.isspace():  # white space between encoded words is not shown
            runs.append(("", after.encode("utf-8", "replace")))
    words = groupby((run for run in runs if run[1]), key=lambda run: run[0])
    joined = ((charset, b"".join(data for _, data in group)) for charset, group in words)
    return "".join(decoded(data, charset) if charset else data.decode() for charset, data in joined)


_BLOCK_NAMES = """
address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frame h1 h2 h3 h4 h5 h6 header hr html iframe input legend li main marquee menu nav ol optgroup
option p pre section select summary table tbody td textarea tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""The elements that separate the words before and after them. All others may be inside a word."""

# All loops over user text are possessive ("++", "*+"): a possessive loop never backtracks.
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
"""The elements whose contents are not visible, and where they end."""


def html_text(markup: str) -> str:
    r"""The text of an HTML document, one line per block, in time proportional to its length.

    Comments, scripts, styles and the head are left out. Broken markup is tolerated: a tag, comment or script that is
    never closed extends to the end.

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
    """The text between tags, with a line end for each tag of a block."""
    at, tags = 0, _TAG
    unclosed: set[str] = set()  # elements without an end, so that it is searched for only once
    while (start := markup.find("<", at)) >= 0:
        yield markup[at:start]
        if not _LETTER.match(markup, start + 1):
            yield "" if markup.startswith(("!", "?", "/"), start + 1) else "<"
            at = _end_of_comment(markup, start)
            continue
        found = tags.match(markup, start)
        if not found:
            # A quote is never closed. From here on, a tag ends at the first ">", so this happens only once.
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
    """Where the text continues after a "<" that does not start a tag: a comment, a declaration, or a single sign."""
    if markup.startswith("<!--", start):
        # "<!-->" is a whole comment
        end = markup.find("-->", start + 2)
        return end + 3 if end >= 0 else len(markup)
    if markup.startswith(("<!", "<?", "</"), start):
        end = markup.find(">", start)
        return end + 1 if end >= 0 else len(markup)
    return start + 1


def _end_of_unseen(markup: str, at: int, name: str, unclosed: set[str]) -> int:
    """Where an invisible element ends. A head or title that never ends hides nothing."""
    found = None if name in unclosed else _UNSEEN[name].search(markup, at)
    if found:
        return found.start()
    unclosed.add(name)
    return at if name in ("head", "title") else len(markup)


MOST_DEPTH = 32
"""The maximum depth of nested parts and forwarded messages. Deeper ones are left out."""
MOST_PARTS = 1000
"""At most this many parts of a multipart message are read, the first ones."""
MOST_FIELD = 1 << 16
"""At most this many bytes of a header field are read."""
MOST_MESSAGE = 1 << 26
"""At most this many bytes of a message in an mbox are read: 64 MB."""
MOST_LINES = 20_000
"""A message with more lines that begin as boundaries do is not divided into parts."""
LONG_LINE = 1 << 16
"""A line of an mbox that has more bytes than this is read in pieces."""

HEAD = 8192
"""The number of bytes by which a message is recognized."""

_FIELD_NAMES = "date delivered-to from message-id mime-version received reply-to return-path sender subject to"
_SIGNS = frozenset(_FIELD_NAMES.split())
"""The header fields by which a message is recognized."""

# All loops over the bytes of a message are possessive ("++", "*+"): a possessive loop never backtracks.
_BLANK = re.compile(rb"^([!-9;-~]++)[ \t]++:", re.MULTILINE)
_BROKEN_FIELD = re.compile(rb"(?<=\n)(?![!-9;-~]++[ \t]*+:|[ \t])[^\n]++\n(?=[!-9;-~]++[ \t]*+:)")
_FIELDS = re.compile(rb"(?:From [^\n]*+\n)?+(?:[!-9;-~]++[ \t]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*+")
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_MAY_BE_MAIL = re.compile(r"\ufeff?(?:From |[!-9;-~]*+[ \t]*+:|[ \t])")
_CHARSET = re.compile(r"""charset\s?=\s?["']?([\w.:-]{1,40})""", re.IGNORECASE)
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
    try:
        text = _message(_parsed(lines), 0)
    except Exception:  # the standard library fails on parts that are nested too deeply, and on odd parameters
        text = "\n" + decoded(lines).strip()
    # Some codecs, such as UTF-7, return halves of surrogate pairs.
    text = text.encode("utf-8", "replace").decode()
    # What is decoded must not look like a message, or else another door would decode it again.
    return f"\n{text}" if _is_raw(text) else text


def prepared(text: str) -> str:
    r"""The decoded text of a raw message that was read as a text; any other text, or one decoded before, as it is.

    Examples
    --------
    >>> prepared("From: a@b.c\nSubject: =?utf-8?Q?caf=C3=A9?=\n\nAt one.")
    'caf\xe9\nAt one.'
    >>> prepared("caf\xe9\nAt one.")
    'caf\xe9\nAt one.'
    """
    return message_text(_bytes_of(text)) if _is_raw(text) else text


def _is_raw(text: str) -> bool:
    return bool(_MAY_BE_MAIL.match(text)) and looks_like_mail(_bytes_of(text)[:HEAD])


def _bytes_of(text: str) -> bytes:
    """The bytes from which the text of a message was read: as Latin-1, in a charset that it declares, or as UTF-8."""
    declared = (_codec(each[1]) for each in _CHARSET.finditer(text, 0, HEAD))
    for codec in ("latin-1", *declared, "utf-8"):
        with suppress(UnicodeError, LookupError):
            return text.encode(codec or "latin-1")
    with suppress(UnicodeError):
        return text.encode("utf-8", "surrogateescape")  # bytes that were not UTF-8
    return text.encode("utf-8", "replace")


def looks_like_mail(head: bytes) -> bool:
    r"""Whether a file starts like a message or an mbox: with header fields before the first empty line.

    Examples
    --------
    >>> looks_like_mail(b"From: a@b.c\nSubject: lunch?\n\nAt one.")
    True
    >>> looks_like_mail(b"Subject: the first line of an essay\n\nFrom: here on it is prose.")
    False
    """
    lines = head.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    found = {name.lower() for name in _parsed(lines + b"\n\n").keys()} & _SIGNS  # noqa: SIM118 - it is not a dict
    return len(found) >= (1 if lines.startswith(b"From ") else 2)


def with_field(raw: bytes, name: str, value: str) -> bytes:
    r"""The message with another field in its header, in place of all that it has of this name.

    Examples
    --------
    >>> with_field(b"From: a@b.c\nX-Likely: ham,\n forged\n\nbuy", "X-Likely", "spam")
    b'From: a@b.c\nX-Likely: spam\n\nbuy'
    """
    end = b"\r\n" if b"\r\n" in raw[:HEAD] else b"\n"
    empty = _EMPTY_LINE.search(raw)
    head, body = (raw[: empty.start() + 1], raw[empty.start() + 1 :]) if empty else (raw, b"")
    head += b"" if head.endswith(b"\n") else end
    head = re.sub(rb"(?im)^%s[ \t]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+" % re.escape(name.encode()), b"", head)
    at = _FIELDS.match(head).end()  # type: ignore[union-attr]
    return b"".join([head[:at], f"{name}: {value}".encode(), end, b"" if at else end, head[at:], body])


# Messages --------------------------------------------------------------------------------------------------------


@cache
def _parser() -> BytesParser:
    """The parser of the standard library, which is imported when the first message is read."""
    from email.parser import BytesParser
    from email.policy import Compat32

    class Short(Compat32):
        """Cuts long header fields, because the standard library splits parameters in quadratic time."""

        def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
            name, value = super().header_source_parse(sourcelines)
            return name, value[:MOST_FIELD].replace("\n", "")

    return BytesParser(policy=Short())


def _parsed(raw: bytes) -> Message:
    """A message, of which broken lines in the header are left out."""
    head, empty, body = raw.removeprefix(BOM_UTF8).partition(b"\n\n")
    head = _BLANK.sub(rb"\1:", _BROKEN_FIELD.sub(b"", head))
    only_head = body.count(b"\n--") > MOST_LINES
    return _parser().parsebytes(head + empty + body, headersonly=only_head)


def _message(message: Message, depth: int) -> str:
    subject = next((str(value) for name, value in message.raw_items() if name.lower() == "subject"), "")
    words = decoded_words(decoded(subject.encode("ascii", "surrogateescape"))).split()
    return f"{' '.join(words)}\n{_text(message, depth)}"


def _text(part: Message, depth: int) -> str:
    """The visible text of a part."""
    kind = part.get_content_type()
    if depth > MOST_DEPTH:
        return ""
    if not part.is_multipart():
        return _leaf_text(part, kind) if kind.startswith(("text/", "multipart/")) else ""
    if kind in ("message/rfc822", "message/global"):
        return _message(cast("Message", part.get_payload(0)), depth + 1).strip()
    return _multipart_text(part, kind, depth) if kind.startswith("multipart/") else ""


def _multipart_text(part: Message, kind: str, depth: int) -> str:
    children = cast("list[Message]", part.get_payload())[:MOST_PARTS]
    shown = [
        child for child in children if child.get_content_disposition() != "attachment" and not child.get_filename()
    ]
    if kind == "multipart/alternative":
        ranks = {"text/plain": 0, "text/html": 1}
        shown.sort(key=lambda child: ranks.get(child.get_content_type(), 2))
    texts = (text for text in (_text(child, depth + 1) for child in shown) if text)
    return next(texts, "") if kind == "multipart/alternative" else "\n".join(texts)


def _leaf_text(part: Message, kind: str) -> str:
    encoding = str(part.get("content-transfer-encoding", "")).lower()
    del part["content-transfer-encoding"]  # damaged base64 is decoded below
    content = cast("bytes", part.get_payload(decode=True))
    if "base64" in encoding:
        content = from_base64(content)
    elif "quoted-printable" in encoding:
        content = binascii.a2b_qp(content)
    charset = part.get_content_charset("")
    if "html" not in kind:
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


def is_maildir(folder: FilePath) -> bool:
    """Whether a folder is a Maildir: it contains the folders ``cur`` and ``new``."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def maildir_folders(folder: FilePath) -> list[FilePath]:
    """The other folders of a mailbox (Maildir++), which are in its first one: ``.Junk`` is called Junk."""
    return sorted((each for each in folder.iterdir() if each.name.startswith(".") and is_maildir(each)), key=str)


def maildir_files(folder: FilePath) -> Iterator[FilePath]:
    """The messages of a Maildir, in the order of their names, without hidden files."""
    found: list[FilePath] = []
    for part in ("cur", "new"):
        if (folder / part).is_dir():
            found += (path for path in (folder / part).iterdir() if path.is_file())
    yield from sorted((path for path in found if not path.name.startswith(".")), key=lambda path: path.name)
