"""The metadata routing of scikit-learn, which is imported only when it asks."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Model

ROUTED = {"fit": ("sample_weight", "groups"), "partial_fit": ("sample_weight",), "score": ("sample_weight",)}
"""The metadata that each method takes."""


def routed(model: Model, name: str) -> Callable[..., object]:
    """`get_metadata_routing`, or the `set_..._request` of a method, as scikit-learn's estimators have them.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> NaiveBayes().set_fit_request(sample_weight=True).get_metadata_routing().fit.requests
    {'sample_weight': True, 'groups': None}
    """
    method = name.removeprefix("set_").removesuffix("_request")
    if name != "get_metadata_routing" and (method not in ROUTED or name != f"set_{method}_request"):
        found: Callable[..., object] = object.__getattribute__(model, name)  # it raises again what it raised before
        return found
    from sklearn.utils.metadata_routing import MetadataRequest

    request = deepcopy(vars(model).get("_metadata_request"))
    if request is None:
        request = MetadataRequest(owner=type(model).__name__)
        for of, names in ROUTED.items():
            for each in names:
                getattr(request, of).add_request(param=each, alias=None)

    def set_request(**asked: object) -> Model:
        for each, alias in asked.items():
            if each not in ROUTED[method]:
                raise TypeError(f"{name}() got an unexpected keyword argument {each!r}")
            getattr(request, method).add_request(param=each, alias=alias)
        model._metadata_request = request
        return model

    return set_request if method in ROUTED else lambda: request
