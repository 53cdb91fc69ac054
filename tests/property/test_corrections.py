"""Law: a model with corrections is the model that learned only what remains of them, to the last bit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import likely
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import NotLearnedError
from likely.sample import load_sample
from likely.server.keeper import Correction, Keeper
from likely.server.replay import digest_of

from .conftest import labels, options, texts

few = st.sampled_from(["", "a b", "a a c", "漢字 👍🏽", "don't É", "x\x00y", "=1+1", "New York"])
some_texts = st.one_of(few, few, texts)
sources = st.sampled_from([None, "ann", "bob\x00 'é"])

steps = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), st.lists(st.tuples(some_texts, labels, sources), min_size=1, max_size=4)),
        st.tuples(st.just("forget"), some_texts),
        st.tuples(st.just("forget by digest"), some_texts),
        st.tuples(st.just("forget source"), sources.filter(bool)),
        st.tuples(st.just("undo"), st.none()),
        st.tuples(st.just("fold"), st.none()),
        st.tuples(st.just("reopen"), st.none()),
        st.tuples(st.just("other process"), st.tuples(some_texts, labels)),
    ),
    max_size=14,
)


class Step(NamedTuple):
    """A change of one text that can be undone."""

    text: str
    before: tuple[str, str | None] | None
    is_forgotten: bool


class Reference:
    """What should be learned now, in plain Python."""

    def __init__(self) -> None:
        self.learned: dict[str, tuple[str, str | None]] = {}
        self.undoable: list[Step] = []
        self.erased: set[int] = set()

    def learn(self, text: str, label: str, source: str | None) -> str:
        before = self.learned.get(text)
        if before is not None and before[0] == label:
            return "known"
        self.undoable.append(Step(text, before, False))
        self.learned[text] = label, source
        return "learned" if before is None else "moved"

    def forget(self, text: str) -> None:
        self.undoable.append(Step(text, self.learned.pop(text), True))

    def fold(self) -> None:
        self.erased = {at for at, step in enumerate(self.undoable) if step.is_forgotten}

    def undo(self) -> None:
        at = len(self.undoable) - 1
        if at < 0 or at in self.erased:
            raise NotLearnedError("nothing to undo")
        step = self.undoable.pop()
        if step.before is None:
            del self.learned[step.text]
        else:
            self.learned[step.text] = step.before

    def model(self, base: Path) -> NaiveBayes:
        model = likely.load(base)
        if self.learned:
            model.learn(list(self.learned), [label for label, _ in self.learned.values()])
        return model


@contextmanager
def place(base: NaiveBayes) -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "base.likely"
        base.save(model)
        yield model, Path(folder) / "corrections.store"


@settings(max_examples=max(30, settings().max_examples // 2))
@given(options, steps)
def test_the_model_is_what_remains(opts: dict[str, Any], todo: list[tuple[str, Any]]) -> None:
    with place(NaiveBayes(**opts).fit(["a b", "c d", "New"], ["+", "-", "+"])) as (model, store):
        check(model, store, todo)


@settings(max_examples=15)
@given(steps)
def test_also_of_a_calibrated_model_with_few_terms(todo: list[tuple[str, Any]]) -> None:
    some, labelled = load_sample()
    marks = {"positive": "+", "negative": "-"}
    base = NaiveBayes(calibrate=True, min_documents=3, weighting="tfidf").fit(
        some[:120], [marks[label] for label in labelled[:120]]
    )
    with place(base) as (model, store):
        check(model, store, todo)


def check(model: Path, store: Path, todo: list[tuple[str, Any]]) -> None:
    """Do the steps with a keeper and with the reference, and compare the bytes of both models."""
    keeper, reference = Keeper.open(model, store), Reference()
    try:
        for verb, given in todo:
            if verb == "reopen":
                keeper.close()
                keeper = Keeper.open(model, store)
            elif verb == "fold":
                keeper.fold()
                reference.fold()
            elif verb == "other process":
                teach_elsewhere(model, store, *given)
                reference.learn(given[0], given[1], None)
                keeper.refresh()
            else:
                change(keeper, reference, verb, given)
            assert to_bytes(keeper.model._snapshot()) == to_bytes(reference.model(model)._snapshot())
    finally:
        keeper.close()


def teach_elsewhere(model: Path, store: Path, text: str, label: str) -> None:
    other = Keeper.open(model, store)
    other.learn([Correction(text, label)])
    other.close()


def change(keeper: Keeper, reference: Reference, verb: str, given: Any) -> None:
    if verb == "learn":
        outcomes = keeper.learn([Correction(*each) for each in given])
        assert [each.what for each in outcomes] == [reference.learn(*each) for each in given]
    elif verb == "undo":
        try:
            reference.undo()
        except NotLearnedError:
            with pytest.raises(NotLearnedError):
                keeper.undo()
        else:
            keeper.undo()
    else:
        forget(keeper, reference, verb, given)


def forget(keeper: Keeper, reference: Reference, verb: str, given: str) -> None:
    args: dict[str, Any]
    if verb == "forget source":
        ours, args = [text for text, (_, source) in reference.learned.items() if source == given], {"source": given}
    else:
        ours = [given] if given in reference.learned else []
        args = {"text": given} if verb == "forget" else {"digest": digest_of(given)}
    if not ours and verb != "forget source":  # a source may have nothing left
        with pytest.raises(NotLearnedError):
            keeper.forget(**args)
        return
    outcomes = keeper.forget(**args)
    order = {digest_of(text): text for text in ours}
    assert sorted(each.digest for each in outcomes) == sorted(order)
    for each in outcomes:
        reference.forget(order[each.digest])
