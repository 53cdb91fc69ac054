"""Text in any encoding becomes UTF-8. An encoding that is not given is recognised from the bytes."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Callable


WINDOW = 1 << 20
"""The number of bytes from which an encoding is recognised, from the first byte on that is not ASCII."""

UTF_8 = "UTF-8"

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, because its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOK = 4096
_KEPT = "likely.kept"
_LONE = re.compile("[\ud800-\udfff]")
"""Half of a character of UTF-16, or a byte that could not be decoded."""


class Decoder:
    r"""Makes UTF-8 of the bytes of a text that come in parts.

    As long as all bytes are ASCII, nothing is decided. The first part with another byte decides, so a file is
    recognised even if its first megabytes are ASCII. Bytes that are not valid in the encoding become bytes that are
    not valid in UTF-8, which the kernel reports, row by row.

    Parameters
    ----------
    encoding : str or None
        The encoding; None if it is to be recognised.

    Examples
    --------
    >>> decoder = Decoder(None)
    >>> decoder.decode(b"plain, ", final=False), decoder.decode(b"caf\xe9 ferm\xe9", final=True).decode()
    (b'plain, ', 'café fermé')
    >>> decoder.recognised
    'windows-1252'
    """

    def __init__(self, encoding: str | None) -> None:
        self.encoding: str | None = None
        """The encoding, as Python names it; None for UTF-8."""
        self.recognised: str | None = None
        """The encoding in words for people, if it was recognised and is not UTF-8."""
        self._is_decided = False
        self._is_begun = False
        self._held = b""
        self._codec: codecs.IncrementalDecoder | None = None
        if encoding is not None:
            self._decide(encoding)

    def decode(self, part: bytes, *, final: bool) -> bytes:
        """The part as UTF-8."""
        if not self._is_begun and part:
            self._is_begun = True
            self._look_at_start(part)
        if self._codec is not None:
            return self._transcoded(part, final=final)
        if self._is_decided or (part.isascii() and not self._held):
            return part
        part, self._held = self._held + part, b""
        start = _first_beyond_ascii(part)
        if not final and _is_half_a_character(part[start:]):
            self._held = part[start:]
            return part[:start]
        name = _native.recognise_encoding(part[start : start + WINDOW])
        self._decide(name, recognised=name)
        return part[:start] + self._transcoded(part[start:], final=final)

    @property
    def passes_on(self) -> bool:
        """Whether the bytes up to now were UTF-8, and none of them is held back."""
        return self._is_begun and self._codec is None and not self._held

    def is_plain(self, text: bytes) -> bool:
        """Whether `decode` would return these bytes as they are, if `passes_on` is true."""
        return self._is_decided or text.isascii()

    def _look_at_start(self, part: bytes) -> None:
        """Recognise what the first bytes say: a byte order mark, or UTF-16 or UTF-32 without one."""
        if part.startswith(codecs.BOM_UTF8) and not self._is_decided:
            self.encoding, self._is_decided = "utf-8-sig", True
        if self._is_decided:
            return
        name = next((name for mark, name in _MARKS if part.startswith(mark)), None) or _wide(part)
        if name is not None:
            self._decide(name, recognised=name.upper())

    def _decide(self, encoding: str, recognised: str | None = None) -> None:
        self._is_decided = True
        codec = codecs.lookup(encoding)
        if codec.name == "utf-8":
            return
        self.encoding, self.recognised = codec.name, recognised
        # The decoder of UTF-8 with a mark drops the mark, which the readers do as well.
        self._codec = (
            codec.incrementaldecoder(_KEPT) if codec.name != "utf-8-sig" and codec.incrementaldecoder else None
        )

    def _transcoded(self, part: bytes, *, final: bool) -> bytes:
        if self._codec is None:
            return part
        return self._codec.decode(part, final).encode("utf-8", "surrogateescape")


def decoded(raw: bytes, encoding: str | None) -> tuple[str | None, Decoder]:
    r"""The text of a whole file, or None if its bytes are not valid; and the decoder, which knows the encoding.

    Examples
    --------
    >>> decoded("déjà".encode("utf-16"), None)[0], decoded(b"d\xff", "ascii")[0]
    ('déjà', None)
    """
    decoder = Decoder(encoding)
    try:
        return decoder.decode(raw, final=True).decode("utf-8-sig"), decoder
    except UnicodeError:
        return None, decoder


def encoder(encoding: str) -> Callable[[str], bytes]:
    r"""A function that encodes parts of a text. What `Decoder` could not decode becomes the bytes that it was.

    In UTF-16 and UTF-32, where single bytes would shift all that follows, it becomes U+FFFD.

    Examples
    --------
    >>> encoder("cp1252")("caf\udce9"), encoder("utf-16-le")("a\udcff")
    (b'caf\xe9', b'a\x00\xfd\xff')
    """
    codec = codecs.lookup(encoding)
    if codec.incrementalencoder is None:  # the encodings that `options.kinds.is_encoding` allows all have one
        return lambda text: text.encode(encoding, "surrogateescape")
    encode = codec.incrementalencoder("surrogateescape").encode
    if codec.name.startswith(("utf-16", "utf-32")):
        return lambda text: encode(_LONE.sub("\ufffd", text))
    return encode


def _first_beyond_ascii(part: bytes) -> int:
    """Where the first byte is that is not ASCII, by halving."""
    low, high = 0, len(part)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if part[low:middle].isascii() else (low, middle)
    return low


def _is_half_a_character(part: bytes) -> bool:
    """Whether these bytes are the beginning of one character in UTF-8, and nothing more."""
    try:
        return not codecs.utf_8_decode(part, "strict", False)[0]
    except UnicodeDecodeError:
        return False


def _wide(part: bytes) -> str | None:
    """UTF-32 without a mark; or UTF-16 without one, if the text is mostly Latin: every other byte is 0."""
    look = part[:_LOOK]
    longest = next((name for name in ("utf-32-le", "utf-32-be") if _is_text(look[: len(look) & -4], name)), None)
    if longest is not None:
        return longest
    even, odd = look[::2].count(0), look[1::2].count(0)
    if len(look) < 8 or min(even, odd) * 20 > max(even, odd) or max(even, odd) * 5 < len(look):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_text(part: bytes, encoding: str) -> bool:
    try:
        return len(part) >= 8 and "\0" not in part.decode(encoding)
    except UnicodeDecodeError:
        return False


def _kept(error: UnicodeError) -> tuple[str, int]:
    """Bytes that cannot be decoded, as lone surrogates, which become bytes again when they are encoded.

    A byte from 0x80 to 0xbf stays the same byte. Others become 0xff, because they might begin a character of UTF-8.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(chr(0xDC00 + (byte if 0x80 <= byte < 0xC0 else 0xFF)) for byte in bad), error.end


codecs.register_error(_KEPT, _kept)
