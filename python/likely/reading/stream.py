"""The bytes of a file, decompressed and decoded, in chunks. An encoding that is not given is recognised."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import re
import select
import stat
import tempfile
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, cast

from likely import _native
from likely.errors import SourceError
from likely.reading.formats import UNREADABLE, compression_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from _typeshed import SupportsRead

FilePath: TypeAlias = "Path | zipfile.Path"
"""A file or folder, on disk or in a zip archive."""


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
        """Recognise what the first bytes say: a byte order mark, or UTF-16 without one."""
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
    encode = codecs.getincrementalencoder(encoding)("surrogateescape").encode
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
    """UTF-16 without a mark, if the text is mostly Latin: every other byte is 0."""
    look = part[:_LOOK]
    even, odd = look[::2].count(0), look[1::2].count(0)
    if len(look) < 8 or min(even, odd) * 20 > max(even, odd) or max(even, odd) * 5 < len(look):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _kept(error: UnicodeError) -> tuple[str, int]:
    """Bytes that cannot be decoded, as lone surrogates, which become bytes again when they are encoded.

    A byte from 0x80 to 0xbf stays the same byte. Others become 0xff, because they might begin a character of UTF-8.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(chr(0xDC00 + (byte if 0x80 <= byte < 0xC0 else 0xFF)) for byte in bad), error.end


codecs.register_error(_KEPT, _kept)


# Files ----------------------------------------------------------------------------------------------------------

ERRORS = (OSError, EOFError, zlib.error, zipfile.BadZipFile, lzma.LZMAError)
"""What decompressing a damaged file may raise."""


class RestartedFile:
    """A file whose first bytes have been read already, read from its start."""

    def __init__(self, start: bytes, raw: BinaryIO) -> None:
        self._start, self._raw = start, raw

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        if not self._start:
            return self._raw.read(size)
        start, self._start = (self._start, b"") if size < 0 else (self._start[:size], self._start[size:])
        return start


class ZstdFile:
    """A file that is compressed with Zstandard."""

    def __init__(self, source: SupportsRead[bytes]) -> None:
        self._native = _native.Zstd(source.read)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        return self._native.fill(b"", size)

    def fill(self, start: bytes, size: int) -> bytes:
        """The bytes ``start`` and the next ``size`` bytes behind them, which are written nowhere else before."""
        return self._native.fill(start, size)


DECOMPRESSED: dict[str, Callable[[SupportsRead[bytes]], SupportsRead[bytes]]] = {
    ".gz": lambda source: gzip.GzipFile(fileobj=cast("BinaryIO", source)),
    ".bz2": lambda source: bz2.BZ2File(cast("BinaryIO", source)),
    ".zst": ZstdFile,
}
"""What returns the decompressed bytes of a file, by the suffix that says how it is compressed."""


def name_of(path: str | os.PathLike[str] | zipfile.Path) -> str:
    r"""The path as text. Bytes of a name that are not UTF-8 are written as escapes.

    Examples
    --------
    >>> print(name_of("caf\udce9/Märchen.txt"))
    caf\xe9/Märchen.txt
    """
    text = str(path).removesuffix("/") if isinstance(path, zipfile.Path) else os.fspath(path)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


CHUNK = 16 << 20
HEAD = 1 << 20
"""The number of bytes that are inspected before a file is read: the format and the encoding follow from them."""
LONGEST_ROW = 128 << 20
"""The maximum number of bytes of a row."""
_STANDARD_INPUT = 0


class Stream:
    """The bytes of a file, decompressed and decoded. The first bytes can be inspected before they are read.

    Parameters
    ----------
    path : Path or None
        The file; None for standard input.
    patient : bool
        Whether to wait until a chunk is full. If False, the bytes that have arrived so far are a chunk.
    """

    def __init__(self, path: FilePath | None, *, patient: bool = True) -> None:
        self.where = "standard input" if path is None else name_of(path)
        self._raw = _open(path)
        self.compressed: SupportsRead[bytes] | None = None
        """What unpacks the file, if it is compressed."""
        self._decoder: Decoder | None = None
        self._array: _native.JsonArray | None = None
        self._delivered = 0
        self.is_patient = patient or (path.is_file() if path else stat.S_ISREG(os.fstat(_STANDARD_INPUT).st_mode))
        self._ended = False
        self.head = b""
        """The bytes that were looked at and not read yet, decoded if `decode` was called."""
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Read the first bytes, and find out whether the file is compressed."""
        self.head = self._further(b"", HEAD)
        # The first bytes from a pipe may be half a word: the format is clear at the end of the first line.
        while not self.is_patient and not self._ended and len(self.head) < HEAD and b"\n" not in self.head[6:]:
            self.head = self._further(self.head, HEAD)
        self._check_archive()
        suffix = compression_of(self.head)
        if suffix is not None:
            self.is_patient, self._ended = True, False
            self.compressed = DECOMPRESSED[suffix](RestartedFile(self.head, self._raw))
            self.head = self._fill(b"", HEAD)
            self._check_archive()
            if compression_of(self.head) is not None:
                raise SourceError(f"{self.where} is compressed twice: unpack it once")

    def _check_archive(self) -> None:
        """Raise ``SourceError`` if the file is an archive that cannot be read, whether compressed or not."""
        for start, name in UNREADABLE.items():
            if self.head.startswith(start):
                raise SourceError(f"{self.where} is compressed as {name}: unpack it, or use .gz, .bz2 or .zst")

    def decode(self, encoding: str | None) -> None:
        """Return UTF-8 from now on, whatever the encoding of the file; None if it is to be recognised."""
        self._decoder = Decoder(encoding)
        self.head = self._decoded(self.head)

    def split_array(self) -> None:
        """Return the elements of a JSON array from now on, one per line."""
        self._array = _native.JsonArray()
        self.head = self._array.feed(self.head) or self._elements(self._array, HEAD)

    @property
    def encoding(self) -> str | None:
        """The encoding of the file, as Python names it; None for UTF-8."""
        return self._decoder.encoding if self._decoder else None

    @property
    def recognised(self) -> str | None:
        """The encoding of the file, if it was recognised and is not UTF-8."""
        return self._decoder.recognised if self._decoder else None

    def more_head(self) -> bool:
        """Make `head` longer. Return False if the file has ended."""
        before = len(self.head)
        if before > LONGEST_ROW:
            unit = "line" if self._array is None else "element"
            raise SourceError(f"{self.where}: its first {unit} is longer than {LONGEST_ROW >> 20} MB")
        if self._array is None:
            self.head = self._further(self.head, 2 * before + HEAD)
        else:
            self.head += self._elements(self._array, before + HEAD)
        return len(self.head) > before

    def read(self, size: int = CHUNK, begun: bytes = b"") -> bytes:
        """The next bytes, about ``size`` of them, behind those of a row that has begun; nothing more at the end."""
        ahead, self.head = self.head, b""
        if self._array is not None:
            return begun + (ahead or self._elements(self._array, size))
        if self.is_patient:
            return self._fill(begun + ahead, len(begun) + size)
        return begun + (ahead or self._read_ready(size))

    def position(self) -> int:
        """The number of bytes that have been read from the file (before decompression) or from a pipe."""
        try:
            return self._raw.tell()
        except OSError:
            return self._delivered

    def size(self) -> int:
        """The number of bytes of the file; 0 for a pipe."""
        is_file = self._raw.seekable() and not isinstance(self._raw, zipfile.ZipExtFile)
        return os.fstat(self._raw.fileno()).st_size if is_file else 0

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _further(self, start: bytes, size: int) -> bytes:
        """The bytes ``start`` and more: up to ``size``, or those that have arrived so far."""
        return self._fill(start, size) if self.is_patient else start + self._read_ready(size)

    def _elements(self, array: _native.JsonArray, size: int) -> bytes:
        """The next elements of a JSON array, one per line; nothing at its end."""
        while part := self._further(b"", size):
            if lines := array.feed(part):
                return lines
        if not array.is_closed:
            raise SourceError(f"{self.where}: cannot be read to the end: its JSON array is not closed")
        return b""

    def _fill(self, start: bytes, size: int) -> bytes:
        if isinstance(self.compressed, ZstdFile) and (self._decoder is None or self._decoder.passes_on):
            return self._fill_at_once(self.compressed, start, size)
        parts, length = [start] if start else [], len(start)
        while length < size and not self._ended:
            part = self._read(size - length)
            parts.append(part)
            length += len(part)
        return b"".join(parts)

    def _fill_at_once(self, file: ZstdFile, start: bytes, size: int) -> bytes:
        """As `_fill`, but without a copy, if the bytes are UTF-8 already."""
        before = len(start)
        if self._ended or size <= before:
            return start
        with self._named_errors():
            filled = file.fill(start, size - before)
        self._ended = len(filled) < size
        self._delivered += len(filled) - before
        if self._decoder is None or self._decoder.is_plain(filled):
            return filled
        return start + self._decoded(filled[before:])

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except ERRORS as error:
            why = getattr(error, "strerror", None) or error
            raise SourceError(f"{self.where}: cannot be read to the end: {why}") from error

    def _read(self, size: int) -> bytes:
        with self._named_errors():
            part: bytes = (self.compressed or self._raw).read(size)
        self._ended = not part
        self._delivered += len(part)
        decoded = self._decoded(part)
        # An empty text is not the end of the file: the bytes may be half a character.
        return decoded if decoded or self._ended else self._read(size)

    def _decoded(self, part: bytes) -> bytes:
        if self._decoder is None:
            return part
        try:
            return self._decoder.decode(part, final=self._ended)
        except (UnicodeError, AssertionError) as error:
            raise SourceError(f"{self.where}: the file is not in that encoding: {error}") from error

    def _read_ready(self, size: int) -> bytes:
        """The bytes that have arrived already; at least one, except at the end."""
        parts = [b"" if self._ended else self._read(size)]
        length = len(parts[0])
        while not self._ended and length < size and select.select([self._raw], [], [], 0)[0]:
            parts.append(self._read(size - length))
            length += len(parts[-1])
        return b"".join(parts)


def _open(path: FilePath | None) -> BinaryIO:
    """The file, without a buffer, so that bytes can be read as soon as they arrive."""
    if path is None:
        return open(_STANDARD_INPUT, "rb", buffering=0, closefd=False)
    if isinstance(path, zipfile.Path):
        return entry(path)
    try:
        return path.open("rb", buffering=0)
    except (OSError, ValueError) as error:
        raise unopened(path, error) from error


def entry(path: zipfile.Path) -> BinaryIO:
    """A file in an archive, opened."""
    try:
        return cast("BinaryIO", path.open("rb"))
    except (NotImplementedError, zipfile.BadZipFile) as error:
        raise SourceError(f"{name_of(path)}: cannot be unpacked: {error}") from error
    except RuntimeError as error:
        raise SourceError(f"{name_of(path)} is encrypted: unpack it with its password first") from error


def unopened(path: FilePath, error: Exception) -> SourceError:
    """The error for a file or folder that cannot be opened."""
    is_text = isinstance(error, FileNotFoundError) and " " in str(path)
    hint = " (is it a text? `likely predict` takes it with --text, and Python in a list)" if is_text else ""
    return SourceError(f"{name_of(path)}: cannot be read: {getattr(error, 'strerror', None) or error}{hint}")


def is_empty(path: FilePath) -> bool:
    """Whether a file has no bytes apart from spaces and those of its compression. False if it cannot be read."""
    try:
        stream = Stream(path)
    except SourceError:
        return False
    try:
        return not stream.head.strip()
    finally:
        stream.close()


def spooled(stream: Stream) -> BinaryIO:
    """The rest of a stream as an open temporary file, which disappears when it is closed."""
    file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115  (the reader closes it)
    try:
        while part := stream.read():
            file.write(part)
        file.seek(0)
    except OSError as error:
        file.close()
        raise SourceError(f"{stream.where}: cannot be unpacked to a temporary file: {error.strerror}") from error
    except BaseException:
        file.close()
        raise
    return file
