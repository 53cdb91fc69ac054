"""The same message gets the same answer at every door: command, Python, and server, as a file and as a text."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import likely
import pytest
from likely.reading.mail import message_text

from .served import Served, serving

QUOTED = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable"
ENCODED = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64"
BODIES = {
    "spam": (QUOTED, "<p>Win c=C3=A9l=C3=A8bre pri=\r\nzes n<b>ow</b> &amp; pay</p>"),
    "ham": (ENCODED, "U2VlIHlvdSBhdCBsdW5jaCwgYXMgYWx3YXlz"),
}


def message(label: str, number: int) -> bytes:
    kind, body = BODIES[label]
    head = (
        f"From: {label}{number}@example.org\r\nTo: me@example.org\r\nSubject: =?utf-8?Q?caf=C3=A9?= {label} {number}"
    )
    return f"{head}\r\nMIME-Version: 1.0\r\n{kind}\r\n\r\n{body}\r\n".encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mail")
    for label in BODIES:
        (folder / "train" / label).mkdir(parents=True)
        for number in range(4):
            (folder / "train" / label / f"{number}.eml").write_bytes(message(label, number))
    likely.train(folder / "train", plain=True).save(folder / "mail.likely")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    with serving(folder / "mail.likely", folder / "mail.store") as found:
        yield found


def test_every_door_decodes_a_message(folder: Path, server: Served) -> None:
    raw = message("spam", 9)
    (folder / "new.eml").write_bytes(raw)
    command: list[str | Path] = [
        Path(sys.executable).with_name("likely"),
        "predict",
        "mail.likely",
        "new.eml",
        "--proba",
        "--json",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    model = likely.load(folder / "mail.likely")
    text = raw.decode()
    expected = model.predict_proba([text])[0].max()
    assert json.loads(done.stdout)["probability"] == expected
    assert model.predict_proba([message_text(raw)])[0].max() == expected
    for answer in (server.post("/predict", text=text), server.post_mail("/predict?top=2", raw)):
        assert answer.json()["predictions"][0]["probability"] == expected
    explained = server.post("/explain", text=text).json()
    assert (
        explained == server.post_mail("/explain", raw).json() == json.loads(json.dumps(model.explain(text).to_dict()))
    )
    assert explained["text"].startswith("café spam 9\nWin célèbre prizes now & pay")


def test_a_message_is_learned_once_at_every_door(server: Served) -> None:
    raw = message("ham", 8)
    first = server.post_mail("/learn?label=ham&source=box", raw).json()["outcomes"][0]
    again = server.post("/learn", text=raw.decode(), label="ham").json()["outcomes"][0]
    assert (first["what"], again["what"], again["digest"]) == ("learned", "known", first["digest"])
    assert server.post("/forget", text=raw.decode()).json()["outcomes"][0]["what"] == "forgotten"
    assert server.post_mail("/learn", raw).status_code == 422
    assert server.post_mail("/learn?labels=ham", raw).status_code == 422
    assert server.post_mail("/undo", raw).status_code == 415


def test_what_is_older_is_forgotten(server: Served) -> None:
    assert server.post("/learn", text="a note of today", label="ham").status_code == 200
    assert server.post("/forget", before="2026-01-31").json()["outcomes"] == []
    assert [each["before"] for each in server.post("/forget", before="2999-01-31").json()["outcomes"]] == ["ham"]
    assert server.post("/forget", before="yesterday").status_code == 422


def test_real_mails_get_the_same_answers_by_command_python_and_server(data_folder: Path, tmp_path: Path) -> None:
    archive = data_folder / "spamassassin" / "raw_eml.tar.gz"
    if not archive.exists():
        pytest.skip(f"no raw mails: {archive} does not exist")
    with tarfile.open(archive) as files:
        members = [(member.name, files.extractfile(member)) for member in files if member.name.endswith(".eml")]
        mails = sorted((Path(name), stream.read()) for name, stream in members if stream)
    for at, (name, raw) in enumerate(mails):
        place = tmp_path / ("train" if at % 2 else "new") / name.parent.name / name.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
    likely.train(tmp_path / "train", calibrate=True).save(tmp_path / "mail.likely")
    model, new = likely.load(tmp_path / "mail.likely"), [raw for _, raw in mails[::2]]

    def answers(texts: list[str]) -> list[tuple[str, float]]:
        return list(zip(model.predict(texts).tolist(), model.predict_proba(texts).max(axis=1).tolist(), strict=True))

    expected, as_text = answers([message_text(raw) for raw in new]), [raw.decode("latin-1") for raw in new]
    assert answers(as_text) == expected
    command = [str(Path(sys.executable).with_name("likely")), "predict", "mail.likely", "new", "--proba", "--json"]
    lines = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout.splitlines()
    by_file = {Path(row["file"]).name: (row["prediction"], row["probability"]) for row in map(json.loads, lines)}
    assert [by_file[name.name] for name, _ in mails[::2]] == expected
    with serving(tmp_path / "mail.likely", None) as served:
        found = [served.post_mail("/predict", raw).json()["predictions"][0] for raw in new]
        for start in range(0, len(new), 100):
            batch = served.post("/predict", texts=as_text[start : start + 100]).json()["predictions"]
            assert batch == found[start : start + 100]
    assert [(each["label"], each["probability"]) for each in found] == expected
