"""Text in any encoding becomes UTF-8, also when it comes in parts, and goes back to what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.reading.stream import Decoder, decoded, encoder

FRENCH = "Le café était fermé dès six heures, voilà. Où étiez-vous ? À bientôt, garçon !\n"
TEXTS = {
    "windows-1252": (FRENCH, "cp1252"),
    "windows-1251": ("Привет, как дела? Хороший фильм, но длинный.\n", "cp1251"),
    "Shift_JIS": ("これは日本語の文章です。映画はとても面白かった。\n", "shift_jis"),
    "GBK": ("这部电影非常好看，我很喜欢。演员也很好。\n", "gbk"),
    "EUC-KR": ("이 영화는 정말 재미있었습니다. 추천합니다.\n", "euc_kr"),
    "UTF-16": (FRENCH, "utf-16"),
    "UTF-16-LE": (FRENCH, "utf-16-le"),
    "UTF-16-BE": (FRENCH, "utf-16-be"),
    "UTF-32": (FRENCH, "utf-32"),
}


def in_parts(raw: bytes, sizes: list[int], encoding: str | None = None) -> tuple[bytes, Decoder]:
    decoder, parts, at = Decoder(encoding), [], 0
    for size in sizes:
        parts.append(decoder.decode(raw[at : at + size], final=False))
        at += size
    parts.append(decoder.decode(raw[at:], final=True))
    return b"".join(parts), decoder


@pytest.mark.parametrize("name", TEXTS)
def test_an_encoding_is_recognised(name: str) -> None:
    text, encoding = TEXTS[name]
    text *= 20
    found, decoder = in_parts(text.encode(encoding), [])
    assert decoder.recognised == name
    assert found.decode() == text


@pytest.mark.parametrize("name", ["windows-1252", "windows-1251", "Shift_JIS"])
def test_it_is_recognised_where_the_text_stops_being_ascii(name: str) -> None:
    text, encoding = TEXTS[name]
    start = "plain text, line by line\n" * 90_000
    found, decoder = in_parts(start.encode() + (text * 20).encode(encoding), [1 << 20])
    assert decoder.recognised == name
    assert found.decode() == start + text * 20


@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.integers(0, 5)))
def test_utf_8_stays_as_it_is_whatever_the_parts(text: str, sizes: list[int]) -> None:
    raw = ("plain " + text).encode()
    if b"\0" in raw:  # half of the bytes of UTF-16 may be 0
        return
    found, decoder = in_parts(raw, sizes)
    assert found == raw
    assert decoder.encoding is None


def test_damaged_utf_8_is_not_another_encoding() -> None:
    raw = FRENCH.encode() + b"\xff\n" + FRENCH.encode()
    assert in_parts(raw, [])[0] == raw
    assert decoded(raw, None)[0] is None


def test_a_mark_is_remembered_and_not_part_of_the_text() -> None:
    text, decoder = decoded(b"\xef\xbb\xbfabc", None)
    assert (text, decoder.encoding, decoder.recognised) == ("abc", "utf-8-sig", None)


def test_a_given_encoding_is_not_questioned() -> None:
    found, decoder = in_parts("é".encode(), [1], "cp1252")
    assert (found.decode(), decoder.encoding, decoder.recognised) == ("Ã©", "cp1252", None)


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "utf-16-le", "ascii"])
@given(raw=st.binary(max_size=20))
def test_bytes_that_cannot_be_decoded_are_invalid_in_utf_8_too(encoding: str, raw: bytes) -> None:
    try:
        text: str | None = raw.decode(encoding)
    except UnicodeDecodeError:
        text = None
    found = Decoder(encoding).decode(raw, final=True)
    if text is not None:
        assert found.decode() == text
    else:
        with pytest.raises(UnicodeDecodeError):
            found.decode()


@given(st.binary(max_size=40))
def test_what_was_decoded_is_encoded_to_the_same_bytes(raw: bytes) -> None:
    found = Decoder("cp1252").decode(raw, final=True)
    assert encoder("cp1252")(found.decode("utf-8", "surrogateescape")) == raw


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32-le"])
def test_what_was_not_decoded_does_not_shift_wide_characters(encoding: str) -> None:
    found = Decoder(encoding).decode("good\n".encode(encoding) + b"a", final=True)
    assert encoder(encoding)(found.decode("utf-8", "surrogateescape")).decode(encoding) == "good\n\ufffd"
