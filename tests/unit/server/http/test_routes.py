"""The table of routes, and how a request finds its row."""

from __future__ import annotations

import pytest
from likely.server.http.problems import ProblemError
from likely.server.http.routes import ROUTES, Router

ROUTER = Router(ROUTES)


@pytest.mark.parametrize(
    ("path", "route", "place"),
    [
        ("/model", "/model", ""),
        ("/terms/good", "/terms/{term}", "good"),
        ("/terms/a/b\nc", "/terms/{term}", "a/b\nc"),
    ],
)
def test_paths(path: str, route: str, place: str) -> None:
    for method in ("GET", "HEAD"):
        found = ROUTER.find(method, path)
        assert (found[0].path, found[1]) == (route, place)


@pytest.mark.parametrize("path", ["", "/nowhere", "/model/", "//model", "/terms/", "/MODEL"])
def test_other_paths_are_not_there(path: str) -> None:
    with pytest.raises(ProblemError) as refused:
        ROUTER.find("GET", path)
    assert refused.value.status == 404


def test_other_methods_are_told_which_are_allowed() -> None:
    for path, method, allowed in (("/predict", "GET", b"POST"), ("/model", "DELETE", b"GET, HEAD")):
        with pytest.raises(ProblemError) as refused:
            ROUTER.find(method, path)
        assert refused.value.status == 405
        assert refused.value.headers == ((b"allow", allowed),)


def test_every_route_says_what_it_does() -> None:
    for route in ROUTES:
        assert route.summary.endswith("."), route.path
