"""The text of bytes in mail: character sets, base64 and encoded words. Errors are tolerated, and nothing raises."""

from __future__ import annotations

import binascii
import codecs
import re
from itertools import groupby

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
