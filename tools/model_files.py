"""Small model files for ``tests/files`` and what they must answer: ``python tools/model_files.py``.

The files of a format are written once and never again: a file that exists is left as it is, and so is what is
expected of it. Whoever changes the format runs this script, which makes a folder for the new format beside the old
ones, and commits the new folder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import likely
from likely import NaiveBayes
from likely.core.manifest import FORMAT
from likely.sample import load_sample

FILES = Path(__file__).parents[1] / "tests" / "files"

SAMPLE_TEXTS, SAMPLE_LABELS = load_sample()
TEXTS, LABELS = SAMPLE_TEXTS[:12], SAMPLE_LABELS[:12]
MANY_TEXTS, MANY_LABELS = SAMPLE_TEXTS[:30], SAMPLE_LABELS[:30]
"""As few documents as can be tuned on."""
FEW_TRIALS: dict[str, Any] = {
    "variant": "multinomial",
    "ngrams": (1, 1),
    "stem": "english",
    "punctuation": "drop",
    "document_weight": "length",
}
"""Options that leave little to try: a file holds every trial."""

ASKED = [
    *SAMPLE_TEXTS[:3],
    *SAMPLE_TEXTS[40:43],
    "It was not good, not good at all; the food was RAW.",
    "Delicious food, and a soft bed.",
    "the the the",
    "Nobody wrote zzz or qqq before.",
    "Größe, naïve café 東京 👍🏽",
    "",
]

OPTIONS: dict[str, dict[str, Any]] = {
    "multinomial": {},
    "binary": {"variant": "binary"},
    "bernoulli": {"variant": "bernoulli"},
    "complement": {"variant": "complement"},
    "complement_binary": {"variant": "complement_binary"},
    "complement_normalized": {"variant": "complement_normalized"},
    "nbsvm": {"variant": "nbsvm"},
    "hash_bits": {"hash_bits": 10, "ngrams": (1, 2)},
    "tfidf": {"weighting": "tfidf"},
    "norm_l2": {"weighting": "tfidf", "norm": "l2"},
    "equal_documents": {"document_weight": "equal"},
    "prior_mapping": {"prior": {"positive": 0.25, "negative": 0.75}, "alpha": 0.5},
    "stop_word_list": {"stop_words": ["the", "was", "and"], "stem": "english"},
    "char_ngrams": {"analyzer": "char_wb", "ngrams": (3, 3), "min_documents": 2},
    "kept_terms": {"variant": "binary", "weighting": "tfidf", "ngrams": (1, 3), "min_documents": 2},
    "learned_kept_terms": {"variant": "nbsvm", "ngrams": (1, 2), "min_documents": 2},
    "calibrated": {"calibrate": True},
    "abstaining": {"calibrate": True, "abstain": {"margin": 0.5}},
}


def models() -> dict[str, NaiveBayes]:
    """Every model that is kept as a file, by the name of its file."""
    made = {name: NaiveBayes(**options).fit(TEXTS, LABELS) for name, options in OPTIONS.items()}
    made["int_labels"] = NaiveBayes().fit(TEXTS, [len(label) for label in LABELS])
    made["bool_labels"] = NaiveBayes().fit(TEXTS, [label == "positive" for label in LABELS])
    made["fractional_weights"] = NaiveBayes().fit(TEXTS, LABELS, [0.1 * (at + 1) for at in range(len(TEXTS))])
    made["tuned"] = likely.train(MANY_TEXTS, MANY_LABELS, tune="log-loss", **FEW_TRIALS)
    return made


def answers(model: NaiveBayes) -> dict[str, Any]:
    """What a model says about the texts of ``ASKED``, in numbers that JSON holds to the last bit."""
    return {
        "classes": model.classes_.tolist(),
        "predictions": model.predict(ASKED).tolist(),
        "joint": model.predict_joint_log_proba(ASKED).tolist(),
        "probabilities": model.predict_proba(ASKED).tolist(),
    }


def write(folder: Path) -> list[Path]:
    """Write the files that are not there yet, and what is expected of them; return the files that were written."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "expected.json"
    empty: dict[str, Any] = {"format": FORMAT, "texts": ASKED, "models": {}}
    expected = json.loads(page.read_text()) if page.exists() else empty
    if expected["texts"] != ASKED:
        raise SystemExit(f"{page} holds other texts: the texts of a format that has files must not change")
    written = []
    made = models()
    made["pruned"] = made["multinomial"]
    for name, model in sorted(made.items()):
        path = folder / f"{name}.likely"
        if not path.exists():
            model.save(path, min_documents=2) if name == "pruned" else model.save(path)
            expected["models"][name] = {"likely": likely.__version__, **answers(likely.load(path))}
            written.append(path)
    page.write_text(json.dumps(expected, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")
    return written


if __name__ == "__main__":
    for path in write(FILES / f"format_{FORMAT}"):
        sys.stdout.write(f"wrote {path}\n")
