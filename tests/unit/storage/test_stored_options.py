"""Options and analyzers as JSON values."""

from __future__ import annotations

import json

import numpy as np
from likely import NaiveBayes
from likely.storage.stored_options import name_of, stored_analyzer, stored_options


def test_options_are_stored_as_json_reads_them() -> None:
    model = NaiveBayes(alpha=1, prior={"b": 0.25, "a": 0.75}, stop_words={"so", "a"}, threads=3)
    model.set_params(min_documents=np.int64(2))  # type: ignore[arg-type]
    snapshot = model.fit(["so good", "a bad plot"], ["a", "b"]).snapshot()
    stored = stored_options(snapshot.options, snapshot.counts)
    assert json.loads(json.dumps(stored)) == stored
    assert (stored["alpha"], type(stored["alpha"])) == (1.0, float)
    assert (stored["min_documents"], type(stored["min_documents"])) == (2, int)
    assert stored["prior"] == [["a", 0.75], ["b", 0.25]]
    assert sorted(map(str, stored["stop_words"])) == ["a", "so"]  # type: ignore[call-overload]
    assert stored["threads"] is None


def test_a_tokenizer_is_stored_by_its_name() -> None:
    snapshot = NaiveBayes(tokenizer=str.split).fit(["good", "bad"], ["a", "b"]).snapshot()
    assert stored_options(snapshot.options, snapshot.counts)["tokenizer"] == "builtins.str.split"
    assert stored_analyzer(snapshot.counts.analyzer)["tokenizer"] == "builtins.str.split"
    assert (name_of(None), name_of(str.split)) == (None, "builtins.str.split")
