"""Files of every format that was ever released are read, and answer to the last bit what they answered then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.core import manifest
from likely.core.file import to_bytes
from likely.errors import ModelFileError
from likely.options.model import MODEL

FOLDER = Path(__file__).parent
PAGES = {page.parent.name: json.loads(page.read_text()) for page in sorted(FOLDER.glob("format_*/expected.json"))}
CASES = [(folder, name) for folder, page in PAGES.items() for name in page["models"]]
CURRENT = f"format_{manifest.FORMAT}"
every_file = pytest.mark.parametrize(("folder", "name"), CASES, ids=str)


@every_file
def test_a_file_answers_as_it_did_when_it_was_written(folder: str, name: str) -> None:
    texts, expected = PAGES[folder]["texts"], PAGES[folder]["models"][name]
    model = likely.load(FOLDER / folder / f"{name}.likely")
    found = model.classes_.tolist()
    assert found == expected["classes"]
    assert [type(label) for label in found] == [type(label) for label in expected["classes"]]
    assert model.predict(texts).tolist() == expected["predictions"]
    # A logarithm may differ in its last bit between the C libraries of two machines.
    joint, probabilities = model.predict_joint_log_proba(texts), model.predict_proba(texts)
    np.testing.assert_allclose(joint, expected["joint"], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(probabilities, expected["probabilities"], rtol=1e-12, atol=1e-12)


def content(data: bytes) -> tuple[pa.Table, dict[str, Any]]:
    """The rows of a file and its document, without the digest."""
    file = pq.ParquetFile(pa.BufferReader(data))
    document = json.loads(file.metadata.metadata[b"likely"])
    return file.read(), {name: value for name, value in document.items() if name != "digest"}


@every_file
def test_a_file_is_written_again_with_the_same_content(folder: str, name: str) -> None:
    if folder != CURRENT:
        pytest.skip("an earlier format is read but not written")
    path = FOLDER / folder / f"{name}.likely"
    (table, document), (expected, written) = (
        content(to_bytes(likely.load(path)._snapshot())),
        content(path.read_bytes()),
    )
    assert table == expected
    assert document | {"likely": None} == written | {"likely": None}


@every_file
def test_a_file_is_written_again_byte_for_byte(folder: str, name: str) -> None:
    data = (FOLDER / folder / f"{name}.likely").read_bytes()
    by = content(data)[1]["likely"]
    if folder != CURRENT or by != likely.__version__:
        pytest.skip(f"it was written by `likely` {by}, whose bytes may differ")
    assert to_bytes(likely.load(FOLDER / folder / f"{name}.likely")._snapshot()) == data


def test_files_hold_what_their_names_say() -> None:
    models = {name: likely.load(FOLDER / CURRENT / f"{name}.likely") for name in PAGES[CURRENT]["models"]}
    assert {name for name, model in models.items() if model.calibration_ is not None} == {
        "abstaining",
        "calibrated",
        "tuned",
    }
    assert [name for name, model in models.items() if model.tuning_ is not None] == ["tuned"]
    assert models["pruned"].terms_ < models["multinomial"].terms_
    assert models["hash_bits"].hash_bits == 10
    assert models["stop_word_list"].stop_words == ["and", "the", "was"]
    assert models["prior_mapping"].prior == {"positive": 0.25, "negative": 0.75}
    assert models["norm_l2"].norm == "l2"
    assert models["abstaining"].predict([""]).tolist() == [None]
    assert models["fractional_weights"].class_documents_.sum() == pytest.approx(7.8)


@every_file
def test_a_file_is_small(folder: str, name: str) -> None:
    assert (FOLDER / folder / f"{name}.likely").stat().st_size <= 10_000


def test_the_current_format_has_files_and_each_of_them_is_expected() -> None:
    fix = "run .venv/bin/python tools/model_files.py, and commit what it writes"
    assert CURRENT in PAGES, fix
    for folder, page in PAGES.items():
        assert sorted(path.stem for path in (FOLDER / folder).glob("*.likely")) == sorted(page["models"]), fix
    assert set(MODEL["variant"].kind.choices) <= set(PAGES[CURRENT]["models"]), (
        f"add the new variant to tools/model_files.py, then {fix}"
    )


def newer(data: bytes, **changes: Any) -> bytes:
    """The file as a later version would have written it, with a sound digest."""
    at = data.rindex(b'{"calibrat')
    document, _ = json.JSONDecoder().raw_decode(data[at:].decode("utf-8", "replace"))
    old = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    assert data.count(old) == 1
    new = json.dumps(document | changes | {"digest": "0" * 64}, sort_keys=True, separators=(",", ":")).encode()
    assert len(new) == len(old), "the length of the document is written elsewhere in the file"
    return manifest.sign(data.replace(old, new))


@every_file
def test_a_file_of_a_later_format_is_refused_with_the_version_that_is_needed(
    folder: str, name: str, tmp_path: Path
) -> None:
    data = (FOLDER / folder / f"{name}.likely").read_bytes()
    path = tmp_path / "later.likely"
    path.write_bytes(newer(data, format=9, likely="9.8.7"))
    with pytest.raises(ModelFileError, match=r"its format is 9, .*: install `likely` 9\.8\.7 or later"):
        likely.load(path)
