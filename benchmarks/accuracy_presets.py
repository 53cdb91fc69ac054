"""The accuracy of presets on corpora of their task, by cross-validation or on held-out data."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import likely
import numpy as np

from benchmarks.accuracy_row import PLAIN, Row, peers
from benchmarks.presets import said, scores
from benchmarks.tasks import body, read, stratified, training

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FOLDS = 10
FIFTHS = 5
ALWAYS = -1
"""The fold of documents that are only trained on."""


@dataclass(frozen=True)
class Documents:
    """Texts, labels, and the fold in which each text is predicted."""

    texts: list[str]
    labels: list[str]
    folds: list[int]

    @property
    def asked(self) -> list[int]:
        """The rows that are predicted."""
        return [at for at, fold in enumerate(self.folds) if fold != ALWAYS]


@dataclass(frozen=True)
class Work:
    """One corpus: its measure, its preset, and the setting of scikit-learn to compare with."""

    task: str
    documents: Callable[[], Documents]
    where: str
    bar: float | None = None
    score: str = "accuracy"
    tuned: bool = False
    """Whether there is also a row without a preset, with options that are chosen on the training folds."""
    vectorizer: dict[str, Any] = field(default_factory=lambda: {"ngram_range": (1, 2), "binary": True})
    model: dict[str, Any] = field(default_factory=dict)


def folded(name: str, *, headers: bool = True) -> Callable[[], Documents]:
    def documents() -> Documents:
        texts, labels = training(name)
        return Documents(texts if headers else [body(text) for text in texts], labels, stratified(labels, FOLDS))

    return documents


def held_out(name: str) -> Callable[[], Documents]:
    """Five stratified folds: each is predicted by a model that was trained on the others."""

    def documents() -> Documents:
        texts, labels = training(name)
        return Documents(texts, labels, [ALWAYS if part else 0 for part in stratified(labels, FIFTHS)])

    return documents


def tested(name: str) -> Callable[[], Documents]:
    """The test split is predicted."""

    def documents() -> Documents:
        (texts, labels), (asked, truth) = training(name), read(name, "test")
        return Documents(texts + asked, labels + truth, [ALWAYS] * len(texts) + [0] * len(asked))

    return documents


IN_FOLDS = f"{FOLDS} folds"
CHARACTERS = {"analyzer": "char", "ngram_range": (1, 4)}
WORKS = {
    "sms_spam": Work("spam", folded("sms_spam"), IN_FOLDS, 95.0, "F1 of spam"),
    "spamassassin": Work("spam", folded("spamassassin"), f"with headers, {IN_FOLDS}", None, "F1 of spam"),
    "spamassassin_bodies": Work(
        "spam", folded("spamassassin", headers=False), f"body only, {IN_FOLDS}", None, "F1 of spam"
    ),
    "lingua_langid": Work("language", held_out("lingua_langid"), "a fifth", 97.6, vectorizer=CHARACTERS),
    "federalist": Work(
        "authorship",
        tested("federalist"),
        "the 12 disputed papers to Madison",
        100.0,
        vectorizer={"max_features": 1000, "lowercase": False},
        model={"fit_prior": False},
    ),
    "sentence_polarity": Work("sentiment", folded("sentence_polarity"), IN_FOLDS, 79.0, tuned=True),
    "polarity_v2": Work("sentiment", folded("polarity_v2"), IN_FOLDS, 85.85, tuned=True),
    "subjectivity": Work("sentiment", folded("subjectivity"), IN_FOLDS, 93.6, tuned=True),
    "chnsenticorp_htl": Work(
        "sentiment", folded("chnsenticorp_htl"), IN_FOLDS, tuned=True, vectorizer={**CHARACTERS, "binary": True}
    ),
    "wisesight_thai": Work(
        "sentiment", tested("wisesight_thai"), "test split", tuned=True, vectorizer={**CHARACTERS, "binary": True}
    ),
}


def rows(names: Sequence[str]) -> Iterator[Row]:
    for name in names:
        yield from of_corpus(name, WORKS[name])


def of_corpus(name: str, work: Work) -> Iterator[Row]:
    """The rows of a corpus: the score with a bar, the accuracy if it is not that score, and chosen options."""
    documents = work.documents()
    begun = time.perf_counter()
    theirs = scored(documents, theirs_of(documents, work))
    seconds, begun = time.perf_counter() - begun, time.perf_counter()
    ours = scored(documents, ours_of(documents, {"task": work.task}))
    equal = f"scikit-learn: {said({**work.vectorizer, **work.model})}, {seconds:.0f} s"
    detail = f"{time.perf_counter() - begun:.1f} s; {equal}"
    for score in dict.fromkeys((work.score, "accuracy")):
        bar = work.bar if score == work.score else None
        measure = f"{score}, task={work.task}, {work.where}"
        yield Row(name, measure, ours[score], bar, {PLAIN: theirs[score]}, detail if score == work.score else "")
    if work.tuned:
        begun = time.perf_counter()
        value = scored(documents, ours_of(documents, {}))[work.score]
        detail = f"{time.perf_counter() - begun:.1f} s"
        yield Row(name, f"{work.score}, likely train, {work.where}", value, None, {PLAIN: theirs[work.score]}, detail)


def ours_of(documents: Documents, options: dict[str, Any]) -> list[str]:
    """The predictions of models that were trained without the fold that they predict."""
    parts, answers = np.array(documents.folds), np.full(len(documents.folds), "", dtype=object)
    for part in sorted(set(documents.folds) - {ALWAYS}):
        inside, outside = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        texts, labels = ([rows[at] for at in inside] for rows in (documents.texts, documents.labels))
        model = likely.train(texts, labels, **options)
        answers[outside] = model.predict([documents.texts[at] for at in outside])
    return [str(answer) for answer in answers]


def theirs_of(documents: Documents, work: Work) -> list[str]:
    task = {
        "texts": documents.texts,
        "labels": documents.labels,
        "folds": documents.folds,
        "vectorizer": work.vectorizer,
        "model": work.model,
    }
    answers: list[str] = peers("folds", task)["predicted"]
    return answers


def scored(documents: Documents, answers: list[str]) -> dict[str, float]:
    """The scores of all predictions of all folds, in percent."""
    asked = documents.asked
    found = scores([documents.labels[at] for at in asked], [answers[at] for at in asked])
    return {name: 100 * value for name, value in found.items()}
