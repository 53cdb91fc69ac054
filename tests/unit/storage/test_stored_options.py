"""Options and analyzers as JSON values: equal models have equal files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.manifest import name_of, stored_analyzer, stored_options

TEXTS, LABELS = ["a good plot", "the dull end"], ["+", "-"]


def stored(**options: Any) -> dict[str, object]:
    snapshot = NaiveBayes(**options).fit(TEXTS, LABELS)._snapshot()
    found = stored_options(snapshot.options, snapshot.counts)
    assert json.loads(json.dumps(found)) == found, "it comes back from JSON as it was"
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"alpha": 1}, {"alpha": 1.0}),
        ({"alpha": np.float32(0.5)}, {"alpha": 0.5}),
        ({"ngrams": [1, 2]}, {"ngrams": (1, 2)}),
        ({"ngrams": (np.int64(1), np.int64(2))}, {"ngrams": (1, 2)}),
        ({"prior": {"+": 0.25, "-": 0.75}}, {"prior": {"-": 0.75, "+": 0.25}}),
        ({"class_weight": {"+": 2, "-": 0.5}}, {"class_weight": {"-": 0.5, "+": 2.0}}),
        ({"stop_words": ["the", "a"]}, {"stop_words": {"a", "the"}}),
        ({"negation": {"not", "never"}}, {"negation": frozenset(["never", "not"])}),
        ({"threads": 1}, {"threads": 2}),
    ],
)
def test_equal_options_are_stored_alike(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert json.dumps(stored(**one), sort_keys=True) == json.dumps(stored(**other), sort_keys=True)


def test_one_document_is_not_all_documents() -> None:
    one, share = (stored(max_documents=value)["max_documents"] for value in (1, 1.0))
    assert (type(one), type(share)) == (int, float)


def test_a_list_of_stop_words_is_stored_and_the_name_of_a_language_too(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("the\na\n")
    assert stored(stop_words=str(path))["stop_words"] == ["a", "the"]
    assert stored(stop_words="en")["stop_words"] == "en"
    assert stored(stop_words="auto")["stop_words"] == "auto"


def test_of_a_tokenizer_only_the_name_is_stored() -> None:
    assert (name_of(None), stored()["tokenizer"]) == (None, None)
    assert stored(tokenizer=str.split)["tokenizer"] == name_of(str.split) == "builtins.str.split"
    analyzer = NaiveBayes(tokenizer=str.split).fit(TEXTS, LABELS)._snapshot().counts.analyzer
    assert stored_analyzer(analyzer)["tokenizer"] == name_of(str.split)
    assert json.dumps(stored_analyzer(analyzer))


def test_options_are_stored_as_json_reads_them() -> None:
    found = stored(alpha=1, prior={"-": 0.25, "+": 0.75}, min_documents=np.int64(2), threads=3)
    assert (found["alpha"], type(found["alpha"])) == (1.0, float)
    assert (found["min_documents"], type(found["min_documents"])) == (2, int)
    assert found["prior"] == [["+", 0.75], ["-", 0.25]]
    assert found["threads"] is None
