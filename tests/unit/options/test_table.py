"""The table of options: what it says of itself holds."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.options.table import ANALYZE_OPTIONS, ELSEWHERE, OPTIONS, check_options, with_defaults


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_knows_its_name_allows_its_default_and_says_what_it_does(name: str) -> None:
    option = OPTIONS[name]
    assert option.name == name
    option.check(option.default)
    assert option.help.endswith(".")
    assert option.allowed


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.choices])
def test_choices_are_allowed_and_nothing_near_them(name: str) -> None:
    option = OPTIONS[name]
    for choice in option.choices:
        option.check(choice)
    with pytest.raises(OptionError, match=f"{name}='zzz' is not allowed"):
        option.check("zzz")


def test_names_of_other_libraries_lead_to_options_that_exist() -> None:
    assert set(ELSEWHERE.values()) <= set(OPTIONS)
    assert not set(ELSEWHERE) & set(OPTIONS)
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
    assert set(ANALYZE_OPTIONS) < set(OPTIONS)
    with pytest.raises(OptionError, match="'alpha' has no effect here"):
        with_defaults({"alpha": 0.5}, ANALYZE_OPTIONS)
