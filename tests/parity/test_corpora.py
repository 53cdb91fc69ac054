"""Real corpora, for those who have them: the folder is in LIKELY_DATA."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely import NaiveBayes, analyze
from likely.core.file import to_bytes
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

if TYPE_CHECKING:
    from pathlib import Path

CORPORA = [
    "sms_spam/all",
    "trec_questions/train",
    "chnsenticorp_htl/all",
    "reuters_r52/train",
    "wisesight_thai/train",
]


@pytest.mark.parametrize("name", CORPORA)
def test_parity_and_determinism(name: str, data_folder: Path) -> None:
    with gzip.open(data_folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:4000]
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    model = NaiveBayes(threads=1).fit(texts, labels)
    counter = CountVectorizer(analyzer=lambda text: [t.term for t in analyze(text)])
    matrix = counter.fit_transform(texts)
    peer = MultinomialNB().fit(matrix, labels)
    joint = model.predict_joint_log_proba(texts)
    np.testing.assert_allclose(joint, peer.predict_joint_log_proba(matrix), rtol=1e-11, atol=1e-10)
    other = NaiveBayes(threads=4).fit(texts[::-1], labels[::-1]).set_params(threads=1)
    assert to_bytes(other._snapshot()) == to_bytes(model._snapshot())
