"""Bytes of mail to text, whatever charset they claim."""

from __future__ import annotations

from likely.reading.mail import decoded, decoded_words, from_base64


def test_charsets_of_damaged_texts() -> None:
    assert decoded("Привет, мир".encode()[:-1], "utf-8") == "Привет, ми\ufffd"
    assert decoded("\ufffd".encode(), "utf-8") == "\ufffd"
    assert decoded(b"\xef\xbb\xbfx", "") == "x"
    for name in ("punycode", "idna", "undefined", "unicode_escape", "a\0b", "\ud800", "", "x" * 10**6, "../x", "hex"):
        assert decoded("\\xé".encode(), name) == "\\xé"
    assert decoded_words("=?*?Q?=E9?= =?utf-8*en?q?x_y?= =?utf-8?x?z?= =?") == "éx y =?utf-8?x?z?= =?"
    assert from_base64(b"=====") == from_base64(b"A") == b""
