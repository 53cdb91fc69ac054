"""How two models differ."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.explanation.words import Change

TEXTS, LABELS = ["good fun", "dull plot", "so good"], ["+", "-", "+"]

documents = st.lists(
    st.tuples(st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join), st.sampled_from("xyz")),
    min_size=1,
    max_size=6,
)


def fitted(rows: list[tuple[str, str]]) -> NaiveBayes:
    return NaiveBayes().fit([text for text, _ in rows], [label for _, label in rows])


def test_a_model_does_not_differ_from_itself_whatever_its_threads() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    found = model.difference(NaiveBayes(threads=1).fit(TEXTS[::-1], LABELS[::-1]))
    assert found.is_none
    assert found.to_dict()["same"] is True
    assert found.terms == (5, 5)


def test_options_classes_and_counts_that_differ() -> None:
    before = NaiveBayes(alpha=0.5).fit(TEXTS, LABELS)
    after = NaiveBayes().fit([*TEXTS[:2], "good good end"], ["+", "-", "?"])
    found = before.difference(after, n=2)
    assert found.options == {"alpha": (0.5, 1.0)}
    assert found.documents == {"+": (2.0, 1.0), "?": (0.0, 1.0)}
    assert (found.new_terms, found.lost_terms, found.changed_counts) == (1, 1, 4)
    assert found.changes == [Change("good", "?", 0.0, 2.0), Change("end", "?", 0.0, 1.0)]
    document = found.to_dict()
    assert document["documents"] == [["+", 2.0, 1.0], ["?", 0.0, 1.0]]
    json.dumps(document)


@given(documents, documents)
def test_turned_round_it_is_the_same_difference(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> None:
    there, back = fitted(a).difference(fitted(b), n=1000), fitted(b).difference(fitted(a), n=1000)
    assert (there.new_terms, there.lost_terms) == (back.lost_terms, back.new_terms)
    assert {(c.term, c.label, c.before, c.after) for c in there.changes} == {
        (c.term, c.label, c.after, c.before) for c in back.changes
    }
    assert len(there.changes) == there.changed_counts
    sizes = [abs(change.after - change.before) for change in there.changes]
    assert sizes == sorted(sizes, reverse=True)
    assert there.is_none == (sorted(a) == sorted(b) or (not there.documents and not there.changes))
