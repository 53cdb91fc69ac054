"""Commands and examples of findings."""

from __future__ import annotations

import shlex

import pytest
from likely.evaluation.check import DataPlace, examples_of
from likely.reading.rows import Whole


@pytest.mark.parametrize("name", ["reviews.csv", "my films.csv", "it's.csv", 'a"b.csv', "$HOME`x`.csv"])
def test_commands_can_be_given_to_a_shell(name: str) -> None:
    assert shlex.split(DataPlace(name).train("--plain")) == ["likely", "train", name, "-o", "MODEL", "--plain"]
    assert shlex.split(DataPlace(name).check(5)) == ["likely", "check", name, "--top", "5"]


def test_examples_are_few() -> None:
    whole = Whole(["a", "b", "c"], ["x", "y", "z"])
    assert [each.text for each in examples_of(whole, iter([2, 0, 1]), 2)] == ["c", "a"]
