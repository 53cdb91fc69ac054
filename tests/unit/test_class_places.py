"""The place of a label among the classes, and what is said about a label that is not one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.errors import LabelError
from likely.labels import ClassPlaces, coded, label_like


def test_a_label_as_it_is_typed() -> None:
    assert label_like("1", [0, 1]) == 1
    assert label_like("True", [False, True]) is True
    with pytest.raises(LabelError, match="did you mean 'positive'"):
        label_like("positiv", ["negative", "positive"])
    with pytest.raises(LabelError, match=r"is not one of the classes 0, 1, .* 19 and 10 more$"):
        label_like("zzz", list(range(30)))


def test_labels_among_given_classes() -> None:
    model = NaiveBayes().partial_fit(["good", "bad"], ["a", "b"], classes=np.array(["a", "b", "c"]))
    with pytest.raises(LabelError, match="'z' in row 2"):
        model.partial_fit(["good", "bad"], ["a", "z"], classes=["a", "b"])


@given(st.data(), st.sets(st.text("abc", max_size=3), min_size=1))
def test_places_are_those_of_the_sorted_classes(data: st.DataObject, classes: set[str]) -> None:
    order = sorted(classes)
    labels = data.draw(st.lists(st.sampled_from(order)))
    places = ClassPlaces(order)
    assert places.of_all(labels).tolist() == [order.index(label) for label in labels]
    assert [places.of(label) for label in labels] == places.of_all(labels).tolist()
    assert len(places) == len(order)


@pytest.mark.parametrize("container", [list, tuple, iter, np.array, pd.Series, pa.array, coded])
def test_labels_come_in_any_container(container: type) -> None:
    assert ClassPlaces([0, 1, 2]).of_all(container([2, 0, 2])).tolist() == [2, 0, 2]


def test_no_labels_have_no_places() -> None:
    assert ClassPlaces(["a"]).of_all([]).tolist() == []
    assert ClassPlaces([]).found(["a"]).tolist() == [-1]


@pytest.mark.parametrize(("classes", "label"), [([0, 1], True), ([False, True], 1), (["0", "1"], 1), ([0, 1], "1")])
def test_a_label_of_another_kind_is_not_a_class(classes: list[Any], label: Any) -> None:
    places = ClassPlaces(classes)
    assert label not in places
    assert places.found([label]).tolist() == [-1]
    with pytest.raises(LabelError, match=f"label {label!r} is not one of the classes"):
        places.of(label)
    with pytest.raises(LabelError, match=f"label {label!r} in row 1 is not one of the classes"):
        places.of_all([label])


def test_numpy_labels_are_the_labels_they_hold() -> None:
    assert ClassPlaces(["a", "b"]).of(np.str_("b")) == 1
    assert ClassPlaces([0, 1]).of(np.int32(1)) == 1
    assert ClassPlaces([False, True]).of(np.True_) == 1


def test_the_error_names_label_row_and_classes() -> None:
    places = ClassPlaces(["a", "b"])
    with pytest.raises(LabelError, match=r"^the label 'z' in row 3 is not one of the classes 'a', 'b'$"):
        places.of_all(["a", "b", "z", "y"])
    assert places.found(["a", "b", "z", "y"]).tolist() == [0, 1, -1, -1]
    with pytest.raises(LabelError, match=r"classes 0, 1, .*, 19 and 10 more$"):
        ClassPlaces(list(range(30))).of(30)


def test_places_of_labels_that_are_none_are_refused() -> None:
    with pytest.raises(LabelError, match="row 2 is missing"):
        ClassPlaces(["a"]).of_all(["a", None])  # type: ignore[list-item]
    with pytest.raises(LabelError, match="use one type"):
        ClassPlaces(["a"]).of_all(["a", 1])
    with pytest.raises(LabelError, match="a fraction"):
        ClassPlaces([1]).of(1.5)


def test_a_typed_label_that_is_misspelled() -> None:
    assert label_like("True", [False, True]) is True
    with pytest.raises(LabelError, match="classes 'ham', 'spam': did you mean 'spam'"):
        label_like("spma", ["ham", "spam"])
