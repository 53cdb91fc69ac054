"""The weights of classes, which multiply their counts and documents while these are weighed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Array, ClassWeight, Label


def class_factors(documents: Array, labels: Sequence[Label], class_weight: ClassWeight) -> Array:
    """The factor omega_c of the counts of each class, from the numbers of documents: the shape of ``documents``.

    A mapping gives the factor of the classes that it names; that of all others is 1. With ``"balanced"`` it is
    N / (K N_c), with N_c the documents of the class, N those of all classes, and K the number of classes that have
    documents: all classes then weigh the same (King and Zeng, *Logistic Regression in Rare Events Data*, 2001,
    section 4.1; scikit-learn, ``compute_class_weight``). With ``"sqrt_balanced"`` it is the square root of that
    (CatBoost, ``auto_class_weights``). The factor of a class without documents is 1.

    Examples
    --------
    >>> import numpy as np
    >>> class_factors(np.array([90.0, 10.0]), ["ham", "spam"], {"spam": 5})
    array([1., 5.])
    >>> class_factors(np.array([[90.0, 10.0], [90.0, 0.0]]), ["ham", "spam"], "balanced")
    array([[0.55555556, 5.        ],
           [1.        , 1.        ]])
    """
    factors = np.ones(documents.shape)
    if isinstance(class_weight, Mapping):
        check_class_weight(labels, class_weight)
        given = cast("Mapping[Label, float]", class_weight)
        factors[...] = [given.get(label, 1.0) for label in labels]
    elif class_weight is not None:
        there = documents > 0
        each = documents.sum(axis=-1, keepdims=True) / np.maximum(there.sum(axis=-1, keepdims=True), 1)
        np.divide(each, documents, out=factors, where=there)
    return np.sqrt(factors) if class_weight == "sqrt_balanced" else factors


def check_class_weight(labels: Sequence[Label], class_weight: ClassWeight) -> None:
    """Raise ``OptionError`` if a mapping of class weights names a class that is not among the labels."""
    if isinstance(class_weight, Mapping):
        known = set(labels)
        unknown = [label for label in class_weight if label not in known]
        if unknown:
            raise OptionError(
                f"class_weight names the class {unknown[0]!r}, which the model does not have: name only its classes"
            )
