"""How the caller wants options to be chosen."""

from __future__ import annotations

import pytest
from likely.errors import OptionError
from likely.training.wish import Wish


def test_options_are_chosen_if_none_is_given_or_if_the_caller_asks() -> None:
    assert Wish().tunes({})
    assert Wish().tunes({"threads": 1, "calibrate": False})
    assert not Wish().tunes({"alpha": 0.5})
    assert Wish(tune_for="accuracy").tunes({"alpha": 0.5})
    assert not Wish(plain=True).tunes({})


def test_a_budget_is_a_time() -> None:
    assert Wish(budget="2m").time.seconds == 120
    assert Wish().time.seconds == 10


@pytest.mark.parametrize("options", [{"alpha": 0.5}, {"ngrams": (1, 2)}])
def test_plain_contradicts_options(options: dict[str, object]) -> None:
    Wish(plain=True).check({"threads": 1})
    with pytest.raises(OptionError, match=f"{next(iter(options))} contradicts it"):
        Wish(plain=True).check(options)
    with pytest.raises(OptionError, match="choosing options contradicts it"):
        Wish(plain=True, strongest=True).check({})
