"""A message that comes as a text is decoded as its file is, and what was decoded is not decoded again."""

from __future__ import annotations

from pathlib import Path

import likely
import pytest
from likely import NaiveBayes
from likely.core.file import from_bytes, to_bytes
from likely.core.manifest import stored_analyzer
from likely.reading.mail import looks_like_mail, message_text, prepared

HEAD = "From: a@b.c\nTo: d@e.f\nSubject: lunch\nContent-Type: text/plain; charset="
MAIL = f"{HEAD}utf-8\nContent-Transfer-Encoding: quoted-printable\n\nat the caf=C3=A9"


@pytest.mark.parametrize("charset", ["utf-8", "latin-1", "koi8-r", "gb18030"])
def test_a_text_is_decoded_as_the_bytes_that_it_was_read_from(charset: str) -> None:
    text = HEAD + charset + "\n\n" + {"koi8-r": "мир, труд", "gb18030": "联通"}.get(charset, "café, déjà")
    raw = text.encode(charset)
    expected = message_text(raw)
    assert expected == "lunch\n" + text.partition("\n\n")[2]
    assert prepared(text) == expected
    assert prepared(raw.decode("latin-1")) == expected
    assert prepared(raw.decode("utf-8", "surrogateescape")) == expected
    assert prepared(text + "\ud800 \U0001f600").startswith("lunch\n")


@pytest.mark.parametrize(
    "raw",
    [
        MAIL,
        "From: a@b.c\nSubject: To: me\n\nFrom: here\nDate: now\n\nit is a message",
        "From: a@b.c\nSubject: From here\n\nSubject: x\n\ny",
        "From: a@b.c\nTo: d@e.f\n\n\ufeffFrom: a\nTo: b\n\nc",
    ],
)
def test_what_was_decoded_stays(raw: str) -> None:
    assert looks_like_mail(raw.encode())
    once = prepared(raw)
    assert once == message_text(raw.encode()) != raw
    assert prepared(once) == once


@pytest.mark.parametrize(
    "text", ["", "From: here on it is prose", "Subject: an essay\n\nFrom: a", "\nFrom: a\nTo: b\n\nc"]
)
def test_other_texts_stay(text: str) -> None:
    assert prepared(text) == text


@pytest.fixture
def model(tmp_path: Path) -> NaiveBayes:
    for label in ("ham", "spam"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "1.eml").write_text(MAIL.replace("lunch", f"lunch with {label}"))
    return likely.train(tmp_path, plain=True)


def test_a_model_of_mail_decodes_messages_and_learns_them_decoded(model: NaiveBayes) -> None:
    assert "charset" not in model.vocabulary_
    loaded = from_bytes(to_bytes(model._snapshot()))
    for each in (model, NaiveBayes._from_snapshot(loaded), model + NaiveBayes().fit(["a"], ["ham"])):
        terms, decoded = each.vocabulary_, message_text(MAIL.encode())
        assert (each.predict_proba([MAIL]) == each.predict_proba([decoded])).all()
        assert each.known([MAIL]) == each.known([decoded])
        assert each.learn([MAIL], ["ham"]).vocabulary_ == terms
        assert each.forget([decoded], ["ham"]).vocabulary_ == terms
        assert each.explain(MAIL).text == decoded


def test_a_model_that_learns_mail_from_files_decodes_messages_from_then_on(model: NaiveBayes, tmp_path: Path) -> None:
    plain = NaiveBayes().fit(["lunch", "at work"], ["ham", "spam"])
    before = plain.known([MAIL])
    assert plain.learn(str(tmp_path)).known([MAIL]) > before
    assert "charset" not in NaiveBayes().learn(str(tmp_path)).learn([MAIL], ["ham"]).vocabulary_


def test_other_models_learn_messages_as_they_are_and_their_files_do_not_change() -> None:
    plain = NaiveBayes().fit([MAIL, "at work"], ["ham", "spam"])
    assert "charset" in plain.vocabulary_
    assert "mail" not in stored_analyzer(plain.analysis_)
