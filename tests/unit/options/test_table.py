"""The table of options: what it says of itself holds."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.options.model import ANALYZE_OPTIONS, MODEL, check_options, with_defaults
from likely.options.option import ELSEWHERE


@pytest.mark.parametrize("name", MODEL)
def test_an_option_knows_its_name_allows_its_default_and_says_what_it_does(name: str) -> None:
    option = MODEL[name]
    assert option.name == name
    option.check(option.default)
    assert option.help.endswith(".")
    assert option.kind.allowed


@pytest.mark.parametrize("name", [name for name, option in MODEL.items() if option.kind.choices])
def test_choices_are_allowed_and_nothing_near_them(name: str) -> None:
    option = MODEL[name]
    for choice in option.kind.choices:
        option.check(choice)
    with pytest.raises(OptionError, match=f"{name}='zzz' is not allowed"):
        option.check("zzz")


def test_names_of_other_libraries_lead_to_options_that_exist() -> None:
    assert set(ELSEWHERE.values()) <= set(MODEL)
    assert not set(ELSEWHERE) & set(MODEL)
    with pytest.raises(OptionError, match="did you mean 'min_documents'"):
        check_options({"min_df": 2})


def test_unknown_names_are_answered_with_what_could_be_meant() -> None:
    with pytest.raises(OptionError, match="did you mean 'encoding'"):
        check_options({"encodng": 1}, others=["encoding"])
    with pytest.raises(OptionError, match=r"the options are task, .*threads, encoding$"):
        check_options({"zzz": 1}, others=["encoding"])


def test_defaults_fill_what_is_not_given() -> None:
    values = with_defaults({"alpha": 0.5})
    assert values == NaiveBayes(alpha=0.5).get_params()
    assert set(ANALYZE_OPTIONS) < set(MODEL)
    with pytest.raises(OptionError, match="option 'alpha' is not used here"):
        with_defaults({"alpha": 0.5}, ANALYZE_OPTIONS)
