"""Settings and corpora that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, max_examples=60)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

TRAIN = [
    ("just plain boring", "-"),
    ("entirely predictable and lacks energy", "-"),
    ("no surprises and very few laughs", "-"),
    ("very powerful", "+"),
    ("the most fun film of the summer", "+"),
]


@pytest.fixture
def reviews() -> tuple[list[str], list[str]]:
    """Five film reviews and their labels."""
    return [text for text, _ in TRAIN], [label for _, label in TRAIN]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real corpora, for tests that ask for it."""
    folder = os.environ.get("LIKELY_DATA")
    if not folder:
        pytest.skip("LIKELY_DATA is not set: no real corpora to test on")
    return Path(folder)
