"""The worst mistakes: the most probable predictions that are wrong, kept while reading."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from likely.evaluation.evaluation import MOST_CHARACTERS, WORST, Mistake, WorstMistakes

rows = st.lists(st.tuples(st.integers(0, 40), st.integers(-1, 2), st.integers(-1, 2)), max_size=40)


def probabilities(some: list[tuple[int, int, int]]) -> np.ndarray:
    weights = np.array([[1 + number, 2, 3] for number, _, _ in some], np.float64).reshape(-1, 3)
    logs: np.ndarray = np.log(weights / weights.sum(axis=1, keepdims=True))
    return logs


def seen(some: list[tuple[int, int, int]], cuts: list[int]) -> list[Mistake]:
    worst = WorstMistakes(["a", "b", "c"])
    texts = [f"text {row}" for row in range(len(some))]
    for begin, end in zip([0, *cuts], [*cuts, len(some)], strict=True):
        part = some[begin:end]
        gold, best = np.array([each[1] for each in part], np.intp), np.array([each[2] for each in part], np.intp)
        worst.see(probabilities(part), gold, best, texts[begin:end].__getitem__)
    return worst.found()


@given(rows, st.integers(0, 40))
def test_the_worst_in_batches_are_the_worst_of_all(some: list[tuple[int, int, int]], cut: int) -> None:
    found = seen(some, [])
    assert found == seen(some, [min(cut, len(some))])
    logs = probabilities(some)
    wrong = [row for row, (_, gold, best) in enumerate(some) if gold != best and gold >= 0 and best >= 0]
    ranks = {row: (-logs[row, some[row][2]], logs[row, some[row][1]], row) for row in wrong}
    assert [each.row for each in found] == sorted(wrong, key=ranks.__getitem__)[:WORST]


def test_a_mistake_is_told_with_its_text_and_probabilities() -> None:
    worst = WorstMistakes(["a", "b"])
    worst.see(np.log([[0.75, 0.25]]), np.array([1]), np.array([0]), ["x" * 400].__getitem__)
    (found,) = worst.found(lambda mistake: [("x", float(len(mistake.text or "")))])
    assert (found.row, found.gold, found.predicted) == (0, "b", "a")
    assert (found.probability, found.of_gold) == (0.75, 0.25)
    assert found.text == "x" * MOST_CHARACTERS
    assert found.words == [("x", 400.0)], "the words are those of the whole text"


def test_equal_texts_are_told_once() -> None:
    worst = WorstMistakes(["a", "b"])
    worst.see(np.log([[0.9, 0.1]] * 3), np.ones(3, np.intp), np.zeros(3, np.intp), ["one", "one", "two"].__getitem__)
    assert [each.row for each in worst.found()] == [0, 2]


def test_an_impossible_gold_label_is_worst_and_plain_data_has_no_infinity() -> None:
    worst = WorstMistakes(["a", "b"])
    logs = np.array([[np.log(0.9), np.log(0.1)], [0.0, -np.inf]])
    worst.see(logs, np.array([1, 1]), np.array([0, 0]))
    found = worst.found(lambda mistake: [("x", float("inf"))])
    assert [each.row for each in found] == [1, 0]
    assert found[0].to_dict() == {
        "row": 1,
        "text": None,
        "gold": "b",
        "predicted": "a",
        "probability": 1.0,
        "of_gold": 0.0,
        "words": [["x", None]],
    }
