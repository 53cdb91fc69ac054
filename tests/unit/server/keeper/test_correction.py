"""The digest of a text is that of its UTF-8."""

from __future__ import annotations

import hashlib

from likely.server.keeper.correction import digest_of


def test_the_digest_is_that_of_the_utf8() -> None:
    assert digest_of("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
    assert digest_of("é") != digest_of("e\u0301"), "texts are not normalized"
    assert digest_of("\ud800") != digest_of("\ud801"), "halves of characters have digests too"
