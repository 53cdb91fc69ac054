"""The filter for datatrove, in real pipelines of datatrove."""

from __future__ import annotations

import gzip
import importlib.util
import json
import pickle
import sys
from pathlib import Path
from types import ModuleType

import pytest
from likely import NaiveBayes
from likely.batch.filter import filter_files
from likely.errors import ParseError, UnknownClassError

pytest.importorskip("datatrove", reason="datatrove is not installed")
pytest.importorskip("regex", reason="the filters of datatrove need regex")

TEXTS = ["good fun", "dull plot", "unheard of", "good", "so dull", "fun é"]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    path = Path(__file__).parents[2] / "examples" / "with_datatrove.py"
    spec = importlib.util.spec_from_file_location("with_datatrove", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["with_datatrove"] = module  # so that a filter can be pickled
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def model(tmp_path: Path) -> str:
    NaiveBayes().fit(["good fun", "dull plot"], ["good", "bad"]).save(tmp_path / "quality.likely")
    return str(tmp_path / "quality.likely")


@pytest.fixture
def web(tmp_path: Path) -> Path:
    (tmp_path / "web").mkdir()
    for at in range(3):
        rows = [{"id": f"{at}-{place}", "text": f"{text} {at}"} for place, text in enumerate(TEXTS)]
        (tmp_path / "web" / f"{at}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "web"


def test_a_pipeline_keeps_what_likely_predict_keeps(
    example: ModuleType, model: str, web: Path, tmp_path: Path
) -> None:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    where = "p(good) > 0.5 and known > 0.3"
    excluded = JsonlWriter(str(tmp_path / "excluded"))
    step = example.LikelyFilter(model, where, save=True, batch_size=4, exclusion_writer=excluded)
    LocalPipelineExecutor(
        pipeline=[JsonlReader(str(web)), step, JsonlWriter(str(tmp_path / "kept"))],
        logging_dir=str(tmp_path / "logs"),
    ).run()
    filter_files(model, web, tmp_path / "ours", where)
    ours = {row["id"] for row in read(tmp_path / "ours")}
    kept, dropped = read(tmp_path / "kept"), read(tmp_path / "excluded")
    assert {row["id"] for row in kept} == ours
    assert len(kept) == 9
    assert len(dropped) == 9
    assert all(row["metadata"]["prediction"] == "good" for row in kept)
    assert {row["metadata"]["filter_reason"] for row in dropped} == {"no match"}


def read(folder: Path) -> list[dict[str, dict[str, str]]]:
    rows = []
    for path in sorted(each for each in folder.iterdir() if each.name[0] not in "._"):
        data = path.read_bytes()
        lines = gzip.decompress(data) if path.suffix == ".gz" else data
        rows += [json.loads(line) for line in lines.splitlines()]
    return rows


def test_single_documents_and_batches_agree(example: ModuleType, model: str) -> None:
    from datatrove.data import Document

    documents = [Document(text=text, id=str(at)) for at, text in enumerate(TEXTS)]
    step = example.LikelyFilter(model, "label == good and probability > 0.6")
    assert [step.filter(document) for document in documents] == step.filter_batch(documents)


def test_it_travels_to_other_processes_without_the_model(example: ModuleType, model: str) -> None:
    from datatrove.data import Document

    step = example.LikelyFilter(model, "p(good) > 0.5")
    before = len(pickle.dumps(step))
    assert step.filter(Document(text="good", id="1")) is True
    assert len(pickle.dumps(step)) == before
    assert pickle.loads(pickle.dumps(step)).filter(Document(text="dull", id="2")) == (False, "no match")


def test_mistakes_are_told_at_once(example: ModuleType, model: str) -> None:
    from datatrove.data import Document

    with pytest.raises(ParseError):
        example.LikelyFilter(model, "p(good >")
    with pytest.raises(UnknownClassError):
        example.LikelyFilter(model, "p(god) > 0.5").filter(Document(text="good", id="1"))
