"""The text of e-mail: real, broken and hostile messages, and mailboxes."""

from __future__ import annotations

import base64
import mailbox
import re
import tarfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from likely.reading import mail
from likely.reading.mail import is_maildir, looks_like_mail, maildir_files, message_text, split_mbox

if TYPE_CHECKING:
    from pathlib import Path


def part(head: str, body: str | bytes, charset: str = "utf-8") -> bytes:
    return head.encode() + b"\n\n" + (body if isinstance(body, bytes) else body.encode(charset))


def multipart(kind: str, *parts: bytes, boundary: str = "=_b") -> bytes:
    line = f"\n--{boundary}".encode()
    body = b"".join(line + b"\n" + piece for piece in parts)
    head = f'Content-Type: multipart/{kind};\n\tboundary="{boundary}"'
    return part(head, b"A reader without MIME sees this." + body + line + b"--\nand this.\n")


def encoded(charset: str, text: str, kind: str = "text/plain") -> bytes:
    head = f'Content-Type: {kind}; charset="{charset}"\nContent-Transfer-Encoding: base64'
    return part(head, base64.encodebytes(text.encode(charset)))


PLAIN = part("Content-Type: text/plain; charset=utf-8", "Plain é\n")


HTML = part("Content-Type: text/html; charset=utf-8", "<p>Rich <b>é</b>clair</p>\n")


IMAGE = part("Content-Type: image/png\nContent-Transfer-Encoding: base64", b"iVBORw0KGgo=\n")


NOTES = part("Content-Type: text/plain\nContent-Disposition: attachment; filename=notes.txt", "secret")


NAMED = part('Content-Type: text/plain; name="notes.txt"', "secret")


INNER = b"Subject: Inner\nFrom: a@b.c\n" + PLAIN


FORWARDED = part("Content-Type: message/rfc822\nContent-Disposition: inline", INNER)


SUBJECT = b"Subject: S\n"


MESSAGES = {
    "plain": (SUBJECT + PLAIN, "S\nPlain é"),
    "alternative": (SUBJECT + multipart("alternative", PLAIN, HTML), "S\nPlain é"),
    "alternative, HTML first": (SUBJECT + multipart("alternative", HTML, PLAIN), "S\nPlain é"),
    "alternative, empty plain": (SUBJECT + multipart("alternative", part("X: y", " \n"), HTML), "S\nRich éclair"),
    "alternative of related": (
        SUBJECT + multipart("alternative", part("", ""), multipart("related", HTML, IMAGE, boundary="=_b2")),
        "S\nRich éclair",
    ),
    "HTML only": (SUBJECT + HTML, "S\nRich éclair"),
    "HTML with its own charset": (
        part("Content-Type: text/html", '<meta http-equiv=x content="text/html; charset=koi8-r">мир', "koi8-r"),
        "\nмир",
    ),
    "mixed": (SUBJECT + multipart("mixed", PLAIN, IMAGE, HTML), "S\nPlain é\nRich éclair"),
    "attachments": (SUBJECT + multipart("mixed", PLAIN, NOTES, NAMED), "S\nPlain é"),
    "the body itself has a name": (SUBJECT + NAMED, "S\nsecret"),
    "forwarded": (SUBJECT + multipart("mixed", PLAIN, FORWARDED), "S\nPlain é\nInner\nPlain é"),
    "digest": (SUBJECT + multipart("digest", b"\n" + INNER, b"\n" + INNER), "S\nInner\nPlain é\nInner\nPlain é"),
    "latin-1, quoted": (
        part(
            "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
            "caf=E9 =80 o=\nk",
        ),
        "\ncafé € ok",
    ),
    "base64, UTF-8": (SUBJECT + encoded("utf-8", "naïve\r\n漢字"), "S\nnaïve\n漢字"),
    "koi8-r": (SUBJECT + encoded("koi8-r", "Привет"), "S\nПривет"),
    "gb18030": (SUBJECT + encoded("gb18030", "免费𠀀"), "S\n免费𠀀"),
    "gb2312 that is more": (part("Content-Type: text/plain; charset=gb2312", "镕", "gbk"), "\n镕"),
    "iso-2022-jp": (SUBJECT + encoded("iso-2022-jp", "日本語"), "S\n日本語"),
    "utf-16": (SUBJECT + encoded("utf-16", "wide"), "S\nwide"),
    "unknown charset": (part("Content-Type: text/plain; charset=x-klingon", "é"), "\né"),
    "wrong charset": (part("Content-Type: text/plain; charset=utf-8", "é “x”", "cp1252"), "\né “x”"),
    "no charset": (part("Subject: S", "é", "cp1252"), "S\né"),
    "not a charset": (part("Content-Type: text/plain; charset=zlib", "é"), "\né"),
    "surrogate": (part("Content-Type: text/plain; charset=utf-7", "a+2AA-b"), "\na?b"),
    "raw subject": ("Subject: Grüße\n\nx".encode("cp1252"), "Grüße\nx"),
    "folded subject": (
        b"Subject: =?utf-8?B?w4lj?=\n =?utf-8?Q?laire_?=\n\t=?iso-8859-1?q?caf=E9?= and\n more\n\nx",
        "Éclaire café and more\nx",
    ),
    "broken base64": (part("Content-Transfer-Encoding: base64", "aGVs*bG8gd2\n9ybGQ=A"), "\nhello world"),
    "cut off": (SUBJECT + multipart("mixed", PLAIN, HTML).partition(b"</p>")[0], "S\nPlain é\nRich éclair"),
    "boundary missing": (part("Content-Type: multipart/mixed", "text"), "\ntext"),
    "boundary not there": (part("Content-Type: multipart/mixed; boundary=x", "text"), "\ntext"),
    "boundary in pieces": (
        part('Content-Type: multipart/mixed; boundary*0="a"; boundary*1="b"', "--ab\n\ntext\n--ab--"),
        "\ntext",
    ),
    "kind misspelt": (part("Content-Type: text", "text"), "\ntext"),
    "no header": (b"Just words,\nhttp://a.b", "\nJust words,\nhttp://a.b"),
    "no empty line": (b"Subject: S\nJust words\nand more", "S\nJust words\nand more"),
    "broken line in header": (b"Subject: S\noops\nContent-Type: text/html\n\n<p>x", "S\nx"),
    "line of an mbox": (b"From a@b Thu Jan  1 00:00:00 1970\nSubject: S\n\nx", "S\nx"),
    "only a header": (b"Subject: S", "S\n"),
    "nothing": (b"", "\n"),
    "NUL": (b"Subject: a\0b\n\n\0", "a\0b\n\0"),
}


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r", b"\r\r\n"], ids=["LF", "CRLF", "CR", "CRCRLF"])
@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name: str, newline: bytes) -> None:
    raw, expected = MESSAGES[name]
    assert message_text(raw.replace(b"\r\n", b"\n").replace(b"\n", newline)) == expected


def test_a_forwarded_mail_in_a_forwarded_mail() -> None:
    raw = INNER
    for _ in range(mail.MOST_DEPTH):
        raw = b"Subject: Outer\n" + part("Content-Type: message/rfc822", raw)
    assert message_text(raw) == "Outer\n" * mail.MOST_DEPTH + "Inner\nPlain é"
    assert "Plain" not in message_text(b"Subject: Outer\n" + part("Content-Type: message/rfc822", raw))


SIZE = 1_000_000


MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"


CODED = b"Content-Transfer-Encoding: "


HOSTILE = {
    "deep": b"".join(b"Content-Type: multipart/mixed; boundary=b%d.\n\n--b%d.\n" % (i, i) for i in range(10_000)),
    "deep, one boundary": (MIXED + b"--b\n") * 10_000,
    "deep, forwarded": b"Content-Type: message/rfc822\n\n" * 30_000,
    "many parts": MIXED + b"--b\n\nx\n" * 100_000,
    "empty parts": MIXED + b"--b\n" * (SIZE // 4),
    "nearly parts": MIXED + b"--bx\n" * (SIZE // 5),
    "long boundary": b"Content-Type: multipart/mixed; boundary=" + b"-" * 60_000 + (b"\n" + b"-" * 60_001) * 16,
    "long field": b"Subject: " + b"a " * SIZE,
    "folded field": b"Subject: " + b"\n a" * SIZE,
    "many fields": b"X: y\n" * (SIZE // 5),
    "broken fields": b"a:\n" + b"x\na:\n" * (SIZE // 5),
    "encoded words": b"Subject: " + b"=?utf-8?Q?a?= " * (SIZE // 14),
    "nearly encoded words": b"Subject: " + b"=?a?q?" * (SIZE // 6),
    "parameters": b"Content-Type: text/plain" + b';a*="\\' * (SIZE // 6),
    "white parameter": b"Content-Type: text/plain;" + b" " * SIZE,
    "padding": CODED + b"base64\n\n" + b"=" * SIZE,
    "quoted": CODED + b"quoted-printable\n\n" + b" \t=" * SIZE,
    "punycode": b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * SIZE,
    "meta": b"Content-Type: text/html\n\n" + b"<meta charset " * (SIZE // 14),
    "CR": b"\r" * SIZE,
    "one line": b"x" * SIZE,
    "all bytes": bytes(range(256)) * (SIZE // 256),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_takes_no_longer_than_other_mail(name: str) -> None:
    """If the time were not linear in the length, the test would time out."""
    message_text(HOSTILE[name]).encode()
    looks_like_mail(HOSTILE[name])


@given(st.binary(max_size=400))
@example(b"Content-Type: ;;;=;*=\nContent-Disposition:\n\n")
@example(b'Content-Type: multipart/x;boundary=" "\n\n--')
def test_any_bytes(raw: bytes) -> None:
    message_text(raw).encode()
    message_text(b"Subject: =?" + raw + b"?=\nContent-Type: text/html; charset=" + raw).encode()
    looks_like_mail(raw)


@given(st.data())
def test_damaged_messages(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from([raw for raw, _ in MESSAGES.values() if raw])))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw)))
        end = at + data.draw(st.integers(0, 4))
        raw[at:end] = data.draw(st.binary(max_size=4) | st.just(b"\n\n") | st.just(bytes(raw[: at // 2])))
    text = message_text(bytes(raw))
    assert text.encode().decode() == text
    assert text.count("\n") >= 1


@pytest.mark.parametrize(
    "head",
    [
        b"From: a@b.c\nSubject: x\n\n",
        b"Return-Path: <a@b.c>\r\nReceived: from x\r\n\tby y\r\nX-Cut",
        b"From a@b.c Thu Jan  1 00:00:00 1970\nSubject: x\n",
        b"From - Thu Jan  1 00:00:00 1970\nX-Mozilla-Status: 0001\nDate: today\n\n",
        b"\xef\xbb\xbfDate: today\nFROM : a@b.c\n\n",
    ],
)
def test_what_looks_like_mail(head: bytes) -> None:
    assert looks_like_mail(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\n\nFrom: a\nTo: b\n",
        b"From here on it rains.\nSubject to change.\n",
        b"From the first day: rain.\n\nFrom: a\nSubject: b\n",
        b"Dear Ann,\nFrom: a\nSubject: b\n",
        b"Subject: an essay\n\nText.",
        b"date,from,subject\n2020-01-01,a@b.c,hello\n",
        b'{"from": "a@b.c",\n"subject": "x"}\n',
        b'"from": "a@b.c",\n"subject": "x"\n',
        b"title: a\ndate: 2020-01-01\n\ntext",
        b"label\ttext\nham\tFrom: a\n",
        b"HTTP/1.1 200 OK\nDate: today\nContent-Type: text/html\n\n",
        bytes(range(256)),
    ],
)
def test_what_does_not(head: bytes) -> None:
    assert not looks_like_mail(head)


MBOX = b"From a\nSubject: 1\n\nx\n>From y\n>>From z\n> From\nFrom here\n\nFrom b\n\nFrom c\nSubject: 3\n\nlast"


IN_MBOX = [b"Subject: 1\n\nx\nFrom y\n>From z\n> From\nFrom here\n", b"", b"Subject: 3\n\nlast"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"], ids=repr)
def test_mbox(size: int, newline: bytes, end: bytes) -> None:
    raw = (MBOX + end).replace(b"\n", newline)
    chunks = [raw[at : at + size] for at in range(0, len(raw), size)]
    last = IN_MBOX[-1] + end[:1]
    assert list(split_mbox(chunks)) == [message.replace(b"\n", newline) for message in [*IN_MBOX[:-1], last]]


def test_what_is_hardly_an_mbox() -> None:
    assert list(split_mbox([])) == list(split_mbox([b"", b""])) == list(split_mbox([b"\n\r\n\n"])) == []
    assert list(split_mbox([b"Subject: 1\n\nx\n"])) == [b"Subject: 1\n\nx\n"]
    assert list(split_mbox([b"\n\nFrom a\nx"])) == [b"x"]


def test_the_rest_of_a_huge_message_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MOST_MESSAGE", 10)
    monkeypatch.setattr(mail, "LONG_LINE", 16)
    chunks = [b"From a\n", *[b"0123456"] * 9, b"\n", *[b"x\n"] * 9, b"\nFrom b\n>From a\n>From b\n"]
    assert list(split_mbox(chunks)) == [b"0123456012", b"From a\nFro"]


@pytest.mark.slow
@pytest.mark.parametrize("piece", [b"\n", b">", b"x", b"\nFrom a\n", b"\n>From ", b"From "])
@pytest.mark.parametrize("size", [1, 1 << 16])
def test_hostile_mboxes(piece: bytes, size: int) -> None:
    raw = piece * (SIZE // len(piece))
    assert sum(map(len, split_mbox(raw[at : at + size] for at in range(0, SIZE, size)))) <= SIZE


@given(st.lists(st.sampled_from([b"\nFrom a\n", b"\n", b"x\n", b"xFrom \n", b"Subject: y\n"])))
def test_mbox_as_the_standard_library_reads_it(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    raw = b"From first\n" + b"".join(lines)
    path = tmp_path_factory.mktemp("mbox") / "box"
    path.write_bytes(raw)
    box = mailbox.mbox(path)
    expected = [box.get_bytes(key) for key in box.keys()]  # noqa: SIM118 - a box is not a dict
    box.close()
    assert list(split_mbox([raw])) == expected


def test_maildir(tmp_path: Path) -> None:
    assert not is_maildir(tmp_path)
    assert list(maildir_files(tmp_path)) == []
    for name in ("new/2", "cur/3:2,S", "cur/1:2,", "cur/.hidden", "new/.nfs", "tmp/4", "cur/folder/5"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(INNER)
    assert is_maildir(tmp_path)
    assert [path.name for path in maildir_files(tmp_path)] == ["1:2,", "2", "3:2,S"]


def test_spamassassin(data_folder: Path) -> None:
    archive = data_folder / "spamassassin" / "raw_eml.tar.gz"
    if not archive.exists():
        pytest.skip(f"no raw mails: {archive} does not exist")
    with tarfile.open(archive) as files:
        streams = [files.extractfile(member) for member in files if member.name.endswith(".eml")]
        mails = [stream.read() for stream in streams if stream]
    texts = [message_text(raw) for raw in mails]
    assert all(looks_like_mail(raw[:4096]) for raw in mails)
    assert all(text.encode().decode() == text for text in texts)
    # Some messages contain only pictures.
    assert sum(not text.partition("\n")[2] for text in texts) < len(texts) / 100
    assert sum("<td" in text.lower() for text in texts) < len(texts) / 100
    bare = [raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw for raw in mails]
    box = b"".join(b"From x\n" + re.sub(rb"(?m)^(>*From )", rb">\1", raw) + b"\n\n" for raw in bare)
    assert [message_text(raw) for raw in split_mbox([box])] == texts
