"""What `tools/golden.py` records: models, commands and requests, each under a name that stays.

Keep the names on the left when options and flags are renamed, and edit only what is on the right.
"""

from __future__ import annotations

import shlex
from typing import Any

# A model of every row is trained on every corpus. FIRST and LAST stand for the first and the last class.
GRID: dict[str, dict[str, Any]] = {
    "default": {},
    "binary": {"variant": "binary"},
    "bernoulli": {"variant": "bernoulli"},
    "complement": {"variant": "complement"},
    "complement binary": {"variant": "complement_binary"},
    "complement normalized": {"variant": "complement_normalized"},
    "nbsvm": {"variant": "nbsvm"},
    "nbsvm logistic l2": {
        "variant": "nbsvm",
        "nbsvm": {"loss": "logistic", "cost": 0.5, "interpolation": 0.25},
        "norm": "l2",
    },
    "bigrams": {"ngrams": (1, 2)},
    "bigrams binary, two documents": {"variant": "binary", "ngrams": (1, 2), "min_documents": 2},
    "chars": {"analyzer": "char", "ngrams": (1, 3)},
    "chars in words": {"analyzer": "char_wb", "ngrams": (2, 4)},
    "words and chars": {"analyzer": "both", "ngrams": ((1, 1), (2, 3))},
    "tf-idf": {"weighting": "tfidf"},
    "tf-idf raw smooth l2": {"weighting": "tfidf_raw_smooth", "norm": "l2"},
    "tf-idf raw plain": {"weighting": "tfidf_raw"},
    "complement tf-idf": {"variant": "complement", "weighting": "tfidf_smooth"},
    "equal documents": {"document_weight": "equal"},
    "negation": {"negation": "on"},
    "stems": {"stem": "english"},
    "stems, stop words, negation": {"stem": "english", "stop_words": "en", "negation": "on"},
    "stop words auto": {"stop_words": "auto"},
    "case, accents, nfkc": {"lowercase": False, "accents": "strip", "normalize": "nfkc"},
    "punctuation": {"punctuation": "keep"},
    "mask all": {
        "entities": {"numbers": "mask", "urls": "mask", "emails": "mask", "mentions": "mask", "hashtags": "mask"}
    },
    "keep all": {"entities": {"urls": "keep", "emails": "keep", "mentions": "keep", "hashtags": "keep"}},
    "spelling": {"spelling": "on", "min_documents": 2},
    "alpha 0.1": {"alpha": 0.1},
    "alpha 0": {"alpha": 0},
    "uniform prior": {"prior": "uniform"},
    "class weight balanced": {"class_weight": "balanced"},
    "class weights": {"class_weight": {"FIRST": 2.5}},
    "few terms": {"max_terms": 300, "max_documents": 0.4},
    "hashed": {"hash_bits": 12},
    "task sentiment": {"task": "sentiment"},
    "task spam": {"task": "spam"},
    "task topics": {"task": "topics"},
    "task language": {"task": "language"},
    "task authorship": {"task": "authorship"},
    "calibrated": {"calibrate": True},
    "calibrated complement": {"variant": "complement", "calibrate": True},
    "calibrated nbsvm": {"variant": "nbsvm", "calibrate": True},
    "thresholds": {"thresholds": {"LAST": 0.3}},
    "thresholds macro-f1": {"thresholds": "macro-f1", "calibrate": True},
    "thresholds precision": {"thresholds": "precision:LAST=0.9", "calibrate": True},
    "abstain": {"abstain": 0.9, "calibrate": True},
    "abstain margin": {"abstain": {"margin": 0.5}},
}
# These search, so they take longer: a generous budget makes them the same on a loaded machine.
TUNED: dict[str, dict[str, Any]] = {
    "tune auto": {"tune": "auto", "budget": "10m"},
    "tune macro-f1, small": {"tune": "macro-f1", "budget": "10m", "prefer": "small"},
    "tune strongest": {"tune": "accuracy", "budget": "10m", "prefer": "strongest"},
}
# How many documents are taken, evenly from the whole file; two in three are learned, and every third is judged.
CORPORA = {"sms_spam": 1200, "trec_questions": 1500, "reuters_r8": 600, "imdb": 300, "lingua_langid": 2250}
TUNED_ON = ("sample", "sms_spam")
TEXT = "The food was not good, but the waiter was friendly."
SERVED = {
    "predict": ("/predict", {"texts": [TEXT, ""]}),
    "explain": ("/explain", {"text": TEXT}),
}
# Every command, in this order in one folder that holds sample.csv, half.csv, rest.csv and texts.txt.
COMMANDS: dict[str, str] = {
    "version": "--version",
    "check": "check sample.csv",
    "train": "train sample.csv -o m.likely",
    "train half": "train half.csv -o half.likely --plain",
    "train rest": "train rest.csv -o rest.likely --plain",
    "train holdout": "train sample.csv -o h.likely --holdout 0.25",
    "train test": "train half.csv -o t.likely --test rest.csv --variant nbsvm",
    "predict text": f"predict m.likely --text {shlex.quote(TEXT)}",
    "predict csv": "predict m.likely rest.csv --proba --top 2 --output-format csv",
    "predict jsonl": "predict m.likely texts.txt --output-format jsonl",
    "predict abstain": "predict m.likely texts.txt --abstain 0.9",
    "predict where": "predict m.likely rest.csv --where 'p(positive) >= 0.8 and length > 20' -o where.csv",
    "predict only matching": "predict m.likely rest.csv --where 'p(positive) >= 0.8' --only-matching -o match.csv",
    "predict folder": "predict m.likely half.csv rest.csv --where 'label == \"positive\"' -o folder/",
    "select": "select --target rest.csv --raw sample.csv --number 40 -o selected.csv --seed 3 --min-words 3",
    "select best": "select --target rest.csv --raw sample.csv --number 40 -o best.csv --best --min-words 3",
    "explain": f"explain m.likely {shlex.quote(TEXT)}",
    "explain plain arithmetic": f"explain half.likely {shlex.quote(TEXT)} --arithmetic",
    "explain html": f"explain m.likely {shlex.quote(TEXT)} --html explained.html",
    "evaluate": "evaluate half.likely rest.csv",
    "evaluate report": "evaluate half.likely rest.csv --html report.html --date 2026-01-01",
    "evaluate cv": "evaluate sample.csv --cv 5 --plain",
    "evaluate holdout": "evaluate sample.csv --holdout 0.3",
    "evaluate leave-one-out": "evaluate sample.csv --leave-one-out --plain",
    "compare": "compare half.likely t.likely rest.csv",
    "drift": "drift half.likely rest.csv",
    "drift without labels": "drift half.likely texts.txt",
    "curve": "evaluate --curve sample.csv --plain",
    "inspect": "inspect m.likely",
    "inspect term": "inspect m.likely --term delicious",
    "learn": "learn half.likely few.csv",
    "forget": "forget half.likely few.csv",
    "merge": "merge half.likely rest.likely -o merged.likely",
    "calibrate": "learn merged.likely sample.csv --calibrate",
    "export page": "export m.likely page.html",
    "export module": "export half.likely module/",
    "tokens": f"tokens {shlex.quote(TEXT)}",
    "tokens model": f"tokens m.likely {shlex.quote(TEXT)}",
    "demo": "demo",
    "error no file": "predict m.likely missing.csv",
    "error no column": "train sample.csv -o x.likely --text-column missing",
    "error bad option": "train sample.csv -o x.likely --alpha -1",
    "error not a model": f"predict sample.csv --text {shlex.quote(TEXT)}",
}
