"""The same matrices as scikit-learn's vectorizers, on random Unicode and real corpora; and its own tests."""

from __future__ import annotations

import gzip
import inspect
import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import likely.vectorize
import numpy as np
import pytest
import sklearn.feature_extraction.text
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import tests as their_tests

AWKWARD = [
    *"abX_1' .\n\t",
    "\x1c",
    "\x85",
    "\xa0",
    "\u2003",
    *"éÉİΣσςßẞÅǅﬁﷺ한각漢กำжЖⅧKΩ·½²١Ⱥ",
    "\u0301",
    "\u0307",
    "\u0345",
]
AWKWARD += ["\ud800", "\udfff", "😀", "𝔸", "𐐀", "\u200d", "\xad"]

texts = st.lists(
    st.one_of(st.text(st.sampled_from(AWKWARD)), st.text(), st.text("abcde FG_'.1\n", max_size=200)),
    min_size=1,
    max_size=6,
)


@st.composite
def parameters(draw: st.DrawFn) -> dict[str, Any]:
    analyzer = draw(st.sampled_from(["word", "word", "char", "char_wb"]))
    shortest = draw(st.sampled_from([1, 1, 2, 3, 0]))
    params: dict[str, Any] = {
        "analyzer": analyzer,
        "ngram_range": (shortest, shortest + draw(st.integers(0, 2))),
        "lowercase": draw(st.booleans()),
        "strip_accents": draw(st.sampled_from([None, "ascii", "unicode"])),
        "binary": draw(st.booleans()),
    }
    if analyzer == "word":
        patterns = [r"(?u)\b\w\w+\b", r"\w+", r"\b\w\w\w+\b", r"[a-zé]+", r"(\w)\w*"]
        params["token_pattern"] = draw(st.sampled_from(patterns))
        params["stop_words"] = draw(st.sampled_from([None, ["ab", "é", "a b"], ["a", "b", "1"]]))
    return params


SELECTIONS = st.fixed_dictionaries(
    {
        "min_df": st.sampled_from([1, 2, 0.0, 0.3]),
        "max_df": st.sampled_from([1.0, 0.7, 3]),
        "max_features": st.sampled_from([None, 3, 10]),
    }
)


def outcome(vectorizer: Any, documents: list[str], names: bool = True) -> Any:
    """Matrices and terms, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            matrices = vectorizer.fit_transform(documents), vectorizer.transform(documents[::-1])
        except ValueError as error:
            return str(error)[:40]
    return *matrices, vectorizer.vocabulary_ if names else None


def check(name: str, params: dict[str, Any], documents: list[str], tolerance: float, names: bool = True) -> None:
    ours = outcome(getattr(likely.vectorize, name)(**params), documents, names)
    theirs = outcome(getattr(sklearn.feature_extraction.text, name)(**params), documents, names)
    if isinstance(theirs, str):
        assert ours == theirs
        return
    assert ours[2] == theirs[2]
    for matrix, expected in zip(ours[:2], theirs[:2], strict=True):
        same(matrix, expected, tolerance)


def same(matrix: Any, expected: Any, tolerance: float) -> None:
    assert type(matrix) is type(expected)
    assert matrix.shape == expected.shape
    assert matrix.dtype == expected.dtype
    assert matrix.indices.dtype == expected.indices.dtype
    # scikit-learn says that its rows are sorted, and they are not.
    expected.has_sorted_indices = False
    expected.sort_indices()
    np.testing.assert_array_equal(matrix.indptr, expected.indptr)
    np.testing.assert_array_equal(matrix.indices, expected.indices)
    np.testing.assert_allclose(matrix.data, expected.data, rtol=tolerance, atol=0)


@pytest.mark.parametrize("name", ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"])
def test_parameters_and_defaults_are_equal(name: str) -> None:
    ours, theirs = (
        {each.name: each.default for each in inspect.signature(getattr(module, name)).parameters.values()}
        for module in (likely.vectorize, sklearn.feature_extraction.text)
    )
    assert ours == theirs | {"threads": None}
    assert getattr(likely.vectorize, name)().get_params() == ours


@given(texts, parameters(), SELECTIONS, st.sampled_from([np.int64, np.float64, np.int32, np.uint8]))
def test_counts_are_equal(
    documents: list[str], params: dict[str, Any], selection: dict[str, Any], dtype: type
) -> None:
    check("CountVectorizer", {**params, **selection, "dtype": dtype}, documents, 0)


@given(
    texts,
    parameters(),
    SELECTIONS,
    st.fixed_dictionaries(
        {
            "norm": st.sampled_from(["l1", "l2", None]),
            "use_idf": st.booleans(),
            "smooth_idf": st.booleans(),
            "sublinear_tf": st.booleans(),
            "dtype": st.sampled_from([np.float64, np.float32]),
        }
    ),
)
def test_weights_are_equal(
    documents: list[str], params: dict[str, Any], selection: dict[str, Any], weighting: dict[str, Any]
) -> None:
    tolerance = 1e-12 if weighting["dtype"] is np.float64 else 1e-6
    check("TfidfVectorizer", {**params, **selection, **weighting}, documents, tolerance)


@given(
    texts,
    parameters(),
    st.fixed_dictionaries(
        {
            "n_features": st.sampled_from([1, 7, 2**20, 2**31 - 2]),
            "norm": st.sampled_from(["l1", "l2", None]),
            "alternate_sign": st.booleans(),
        }
    ),
)
def test_hashes_are_equal(documents: list[str], params: dict[str, Any], hashing: dict[str, Any]) -> None:
    # scikit-learn cannot hash lone surrogates.
    documents = [text.encode("utf-8", "replace").decode() for text in documents]
    check("HashingVectorizer", {**params, **hashing}, documents, 1e-12, names=False)


def corpora() -> list[str]:
    return [
        "20newsgroups/test", "ag_news_partial/test", "bbc_news/all", "chnsenticorp_htl/all", "federalist/train",
        "imdb/test", "lingua_langid/all", "polarity_v2/all", "reuters_r52/test", "reuters_r8/test",
        "reuters_r90_multilabel/test", "semeval2017_4a/test", "sentence_polarity/all", "sms_spam/all",
        "spamassassin/all", "sst2/test", "subjectivity/all", "trec_questions/train", "wisesight_thai/test",
    ]  # fmt: skip


@pytest.mark.parametrize("name", corpora())
def test_corpora_give_the_same_matrices(name: str, data_folder: Path) -> None:
    path = data_folder / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"LIKELY_DATA has no {name}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line)["text"] for line in lines]
    sample = documents[:: max(1, len(documents) // 250)][:250]
    check("CountVectorizer", {"ngram_range": (1, 2)}, sample, 0)
    check("TfidfVectorizer", {"strip_accents": "unicode", "sublinear_tf": True, "min_df": 2}, sample, 1e-12)
    check("HashingVectorizer", {"analyzer": "char", "ngram_range": (2, 3)}, sample[:60], 1e-12, names=False)
    check("CountVectorizer", {"analyzer": "char_wb", "ngram_range": (2, 4), "max_features": 500}, sample[:60], 0)


EXCEPTIONS = {
    "test_countvectorizer_sort_features_64bit_sparse_indices": "calls a private method, `_sort_features`",
}
"""The tests of scikit-learn that ours need not pass, and why."""

SCRIPT = """
import sys, pytest
import likely.vectorize as ours, sklearn.feature_extraction.text as theirs
own = {name: getattr(theirs, name) for name in ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")}
for name in own:
    setattr(theirs, name, getattr(ours, name))
import sklearn.feature_extraction.tests.test_text
for name, kind in own.items():  # what the kernel cannot do is handed to these
    setattr(theirs, name, kind)
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_the_tests_of_scikit_learn_pass(tmp_path: Path) -> None:
    path = Path(their_tests.__file__).with_name("test_text.py")
    assert all(name in path.read_text() for name in EXCEPTIONS)
    options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", f"--rootdir={tmp_path}", "--no-header"]
    left_out = ["-k", "not " + " and not ".join(EXCEPTIONS)]
    command = [sys.executable, "-c", SCRIPT, str(path), *options, *left_out]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
