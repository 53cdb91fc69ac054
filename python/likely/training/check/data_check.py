"""`check`: what is wrong with labelled texts, before a model is trained on them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack, cast

from likely.evaluation.data_check import DataCheck, Finding
from likely.evaluation.fingerprints import FingerprintMaker
from likely.model.naive_bayes import NaiveBayes
from likely.reading.corpus import corpus_of
from likely.reading.rows import Labelled, Whole, in_memory
from likely.training.check.characters import character_findings
from likely.training.check.copied import copy_findings
from likely.training.check.finding import Place
from likely.training.check.labels import label_findings
from likely.training.check.leaked import leak_findings
from likely.training.check.sizes import class_sizes, size_findings
from likely.training.check.wordless import wordless_findings
from likely.training.check.wrong_labels import mislabelled_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.options.typed import ReadingOptions
    from likely.reading.corpus import Corpus
    from likely.types import Labels, Source, Texts

EXAMPLES = 3
"""At most this many examples of a finding are shown, if it is not told otherwise."""
MOST_JUDGED = 200_000
"""Mislabelled documents are looked for among the first rows only, as many as this."""


def check(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    top: int = EXAMPLES,
    **reading: Unpack[ReadingOptions],
) -> DataCheck:
    """What is wrong with labelled texts: look at it before you train a model on them.

    This looks at the sizes of the classes, copies and near-copies, equal texts with different labels, documents
    without words, labels that look like mistakes, words and invisible signs that leak the label, traces of a wrong
    encoding, and documents that are probably mislabelled. All rows are held in memory, with about 500 bytes more per
    short text.

    Parameters
    ----------
    source, labels
        As for `likely.train`.
    top : int
        At most this many examples per finding.
    **reading
        How to read a source, as for `likely.train`.

    Examples
    --------
    >>> found = check(["good fun", "Good fun!", "so dull", "dull plot"], ["pos", "neg", "neg", "neg"])
    >>> [(each.kind, each.rows) for each in found.serious]
    [('contradictions', 2)]
    """
    if labels is not None:
        return check_rows(Whole.of([in_memory(cast("Texts", source), labels)]), [], Place(), top)
    corpus = corpus_of(cast("Source", source), reading)
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else "DATA"
    return check_corpus(corpus, name, top)


def check_corpus(corpus: Corpus, name: str, top: int = EXAMPLES) -> DataCheck:
    """As `check`, for a corpus that the caller has opened; ``name`` is what commands call it."""
    whole = Whole.of(Labelled(batch.texts, batch.labels_as(None), batch.weights, batch.groups) for batch in corpus)
    named = (("--text", corpus.reading.text), ("--label", corpus.reading.label))
    flags = tuple(part for flag, column in named if column is not None for part in (flag, str(column)))
    chosen = corpus.chosen
    place = Place(name, chosen.text, chosen.label or "label", flags) if chosen else Place(name, flags=flags)
    found = check_rows(whole, corpus.labels.doubts(), place, top)
    if not corpus.skipped.count:
        return found
    fix = "correct these rows; then nothing is lost if you read with --strict"
    serious = corpus.skipped.count >= 0.01 * (len(whole) + corpus.skipped.count)
    unread = Finding("unreadable", serious, corpus.skipped.count, f"{corpus.skipped}.", fix)
    return DataCheck(found.rows, found.classes, _ordered([*found.findings, unread]), found.notes)


def check_rows(whole: Whole, doubts: list[str], place: Place, top: int = EXAMPLES) -> DataCheck:
    """As `check`, for rows in memory; ``doubts`` are those that came up while the labels were read."""
    prints = FingerprintMaker().add(whole.texts).made()
    notes = []
    if len(prints) < prints.of:
        notes.append(f"Copies and near-copies were looked for among the first {len(prints):,} rows only.")
    if len(whole) > MOST_JUDGED:
        notes.append(f"Mislabelled documents were looked for among the first {MOST_JUDGED:,} rows only.")
    findings = [
        *size_findings(whole, place, top),
        *label_findings(whole, doubts, place, top),
        *character_findings(whole, place, top),
        *wordless_findings(whole, prints, place, top),
        *copy_findings(whole, prints, place, top),
        *(_model_findings(whole, place, top) if len(set(whole.labels)) > 1 else ()),
    ]
    return DataCheck(len(whole), class_sizes(whole), _ordered(findings), notes)


def _model_findings(whole: Whole, place: Place, top: int) -> Iterator[Finding]:
    """What a model of the rows tells."""
    model = NaiveBayes().fit(whole.texts, whole.labels)
    yield from leak_findings(whole, model._snapshot().counts, place, top)
    if len(whole) > MOST_JUDGED:
        first = slice(MOST_JUDGED)
        whole = Whole(whole.texts[first], whole.labels[first], None, whole.groups and whole.groups[first])
        model = NaiveBayes().fit(whole.texts, whole.labels)
    yield from mislabelled_findings(whole, model, place, top)


def _ordered(findings: list[Finding]) -> list[Finding]:
    """The findings, the serious ones first."""
    return sorted(findings, key=lambda each: not each.serious)
