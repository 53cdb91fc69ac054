"""One row of a table of options."""

from __future__ import annotations

import pytest
from likely.errors import OptionError, SourceError
from likely.options.option import Option, choice, one_of, table_of, treatment


def whole(**changes: object) -> Option:
    values = {"allowed": "a whole number", "help": "A number.", "is_allowed": lambda value: type(value) is int}
    return Option("max_size", 1, parse=int, **(values | changes))  # type: ignore[arg-type]


def test_a_value_is_checked_with_the_error_of_the_option() -> None:
    whole().check(3)
    with pytest.raises(OptionError, match=r"^max_size='3' is not allowed: max_size must be a whole number$"):
        whole().check("3")
    with pytest.raises(SourceError):
        whole(error=SourceError).check(None)


def test_a_text_is_read_or_refused_as_it_is() -> None:
    assert whole().read("12") == 12
    with pytest.raises(OptionError, match="max_size='twelve' is not allowed"):
        whole().read("twelve")


def test_what_may_be_meant_is_named() -> None:
    option = choice("urls", ("split", "keep", "mask"), "Addresses.")
    with pytest.raises(OptionError, match=r"must be 'split', 'keep' or 'mask' \(did you mean 'split'\?\)$"):
        option.check("splitt")
    with pytest.raises(OptionError, match=r"did you mean 'english'"):
        whole(known=("english", "german")).check("englsh")
    with pytest.raises(OptionError, match=r"or 'mask'$"):
        option.check(["split"])


def test_the_first_choice_is_the_default() -> None:
    option = treatment("urls", "Web addresses")
    assert (option.default, option.choices) == ("split", ("split", "keep", "mask"))
    assert option.help.startswith("Web addresses: 'split' them")
    assert one_of(("a", "b")) == "'a' or 'b'"


def test_the_flag_follows_from_the_name_and_the_default() -> None:
    assert whole().declaration == "--max-size"
    assert whole(flag="--size").declaration == "--size"
    truth = Option("lower_case", True, "True or False", "Case.", lambda value: isinstance(value, bool))
    assert truth.declaration == "--lower-case/--no-lower-case"
    assert list(table_of(truth, whole())) == ["lower_case", "max_size"]
