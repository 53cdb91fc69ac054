"""Spelling correction with a hundred thousand terms: the time per word, for the index, and to find misspellings."""

from __future__ import annotations

import random
import string

import numpy as np
from likely._native import Spelling
from likely.vectorize import vectorize

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, best, show

TERMS = 100_000
ASKED = 2_000
RARE, TIMES = 2, 50
REMOVED, ADDED, OTHER, SWAPPED = range(4)


def claims() -> list[Claim]:
    rng = random.Random(1)
    words, frequencies, name = vocabulary(rng)
    build, spelling = best(lambda: Spelling(words, frequencies))
    questions = {kind: sorted(set(asked) - set(words)) for kind, asked in unknown(words, rng).items()}
    fold, folds = best(lambda: spelling.folds(RARE, TIMES), 3)
    return [
        *(per_word(spelling, kind, asked, name) for kind, asked in questions.items()),
        Claim(f"spelling: index of {TERMS:,} terms, ms", build * 1e3, 150, name, at_most=True),
        Claim(f"spelling: fold rare of {TERMS:,} terms, s", fold, 2, f"{len(folds):,} folds", at_most=True),
    ]


def per_word(spelling: Spelling, kind: str, asked: list[str], name: str) -> Claim:
    """The mean time of all words, and the time of the slowest word, each by its best of several runs."""
    mean = best(lambda: [spelling.closest(word) for word in asked])[0] / len(asked)
    worst = max(best(lambda word=word: spelling.closest(word))[0] for word in asked)
    found = sum(spelling.closest(word) is not None for word in asked) / len(asked)
    detail = f"worst {worst * 1e6:.1f} us, {found:.0%} found, {name}"
    return Claim(f"spelling: {kind}, us a word", mean * 1e6, 50, detail, at_most=True)


def vocabulary(rng: random.Random) -> tuple[list[str], np.ndarray, str]:
    """The words of the corpus with their document frequencies, filled up with misspelled words."""
    texts, _, name = corpus.load()
    matrix = vectorize(texts, threads=THREADS)
    terms = matrix.terms
    documents = dict(zip(terms[:TERMS], np.bincount(matrix.indices).tolist()))
    while len(documents) < TERMS:
        documents.setdefault(spoiled(spoiled(rng.choice(terms), rng), rng), 1)
    return list(documents), np.array(list(documents.values()), dtype=np.float64), name


def unknown(words: list[str], rng: random.Random) -> dict[str, list[str]]:
    """The words to correct: misspelled ones, and the slowest ones so far."""
    drawn = rng.choices([word for word in words if len(word) > 3 and word.isalpha()], k=ASKED)
    return {
        "one error": [spoiled(word, rng) for word in drawn],
        "two errors": [spoiled(spoiled(word, rng), rng) for word in drawn],
        "known start, unknown end": [word[:10] + letters(6, rng) for word in drawn],
        "random, 8 letters": [letters(8, rng) for _ in drawn],
        "random, 40 letters": [letters(40, rng) for _ in drawn],
    }


def spoiled(word: str, rng: random.Random) -> str:
    """A word with a letter removed, added, replaced, or swapped with the next."""
    at, kind = rng.randrange(len(word) or 1), rng.randrange(4)
    if kind == SWAPPED:
        return word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    return word[:at] + ("" if kind == REMOVED else letters(1, rng)) + word[at + (kind != ADDED) :]


def letters(number: int, rng: random.Random) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=number))


if __name__ == "__main__":
    show(claims())
