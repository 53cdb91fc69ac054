"""The file of a live model: what it has, how large it is, and which model it is."""

from __future__ import annotations

import base64
import gzip
import json

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import OptionError, OutputError
from likely.report.live.model_data import live_model
from likely.sample import load_sample


def test_the_packed_file_is_the_document() -> None:
    live = live_model(NaiveBayes().fit(["good", "bad"], [True, False])._snapshot())
    document = json.loads(gzip.decompress(base64.b64decode(live.packed)))
    assert document == json.loads(live.json)
    assert document["labels"] == [False, True]
    assert document["names"] == ["False", "True"]


def test_the_same_model_gives_the_same_bytes() -> None:
    texts, labels = load_sample()
    files = {live_model(NaiveBayes(threads=n).fit(texts, labels)._snapshot(), 20_000).packed for n in (1, 2)}
    assert len(files) == 1


def test_python_makes_the_same_smaller_model() -> None:
    texts, labels = load_sample()
    model = NaiveBayes(calibrate=True, min_documents=2).fit(texts, labels)
    live = live_model(model._snapshot(), 6_000)
    assert live.terms < live.all_terms == len(model.vocabulary_)
    assert 0.9 * 6_000 < len(live.packed) <= 6_000
    small = NaiveBayes._from_snapshot(live.snapshot)
    assert "\n".join(small.vocabulary_) == live.file["weights"]["terms"]  # type: ignore[index]
    assert np.isfinite(small.predict_log_proba(texts[:5])).all()


def test_numbers_that_javascript_rounds_are_texts() -> None:
    live = live_model(NaiveBayes().fit(["a", "b"], [2**53, 7])._snapshot())
    assert live.labels == [7, str(2**53)]


def test_hostile_labels_are_shown_harmlessly() -> None:
    live = live_model(NaiveBayes().fit(["a", "b"], ["</script>", "\u202eabc"])._snapshot())
    assert live.file["names"] == ["</script>", "\\u202eabc"]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(OutputError, match="tokenizer"):
        live_model(NaiveBayes(tokenizer=str.split).fit(["a"], [1])._snapshot())
    with pytest.raises(OptionError, match="too small"):
        live_model(NaiveBayes().fit(["a", "b"], [1, 2])._snapshot(), 100)
