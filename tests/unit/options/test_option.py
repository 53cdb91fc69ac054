"""A field of a dataclass of options, and what follows from it."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Literal

import pytest
from likely.errors import OptionError, SourceError
from likely.options.kinds import Kind, choice, one_of
from likely.options.option import Option, option, table_of

WHOLE = Kind("a whole number", lambda value: type(value) is int, int)


def whole(**changes: object) -> Option:
    return Option(**({"name": "max_size", "default": 1, "kind": WHOLE, "help": "A number."} | changes))  # type: ignore[arg-type]


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
    few = whole(kind=choice(("split", "keep", "mask")))
    with pytest.raises(OptionError, match=r"must be 'split', 'keep' or 'mask' \(did you mean 'split'\?\)$"):
        few.check("splitt")
    with pytest.raises(OptionError, match=r"did you mean 'english'"):
        whole(kind=WHOLE._replace(known=("english", "german"))).check("englsh")
    with pytest.raises(OptionError, match=r"or 'mask'$"):
        few.check(["split"])
    assert one_of(("a", "b")) == "'a' or 'b'"


def test_the_kind_follows_from_the_annotation() -> None:
    fields = [
        ("few", Literal["a", "b"] | None, option(None, "Few.")),
        ("truth", bool, option(True, "Truth.")),
        ("maybe", bool | None, option(None, "Maybe.")),
    ]
    table = table_of(make_dataclass("Some", fields))
    assert [each.kind.allowed for each in table.values()] == [
        "None, 'a' or 'b'",
        "True or False",
        "True, False or None",
    ]
    assert table["few"].kind.choices == ("a", "b")
    assert [table["few"].kind.check(value) for value in ("a", None, "c")] == [True, True, False]
    assert [table["truth"].kind.check(value) for value in (True, None, 1)] == [True, False, False]
    with pytest.raises(TypeError, match="write its kind"):
        table_of(make_dataclass("Other", [("number", float, option(1.0, "A number."))]))


def test_the_flag_follows_from_the_name_and_the_default() -> None:
    assert whole().declaration == "--max-size"
    assert whole(flag="--size").declaration == "--size"
    assert whole(name="lower_case", default=True).declaration == "--lower-case/--no-lower-case"
    fields = [("strict", bool, option(False, "Stop.")), ("header", bool | None, option(None, "Read it."))]
    table = table_of(make_dataclass("Flags", fields))
    assert [each.declaration for each in table.values()] == ["--strict", "--header/--no-header"]
