"""What is written twice about an option agrees with the tables; a failing test prints the fix."""

from __future__ import annotations

import dataclasses
import types
import typing

import click
import likely
import pytest
from likely.cli import COMMANDS, cli, values
from likely.options.table import MODEL, READING, TUNING
from likely.options.typed import ModelOptions, ReadingOptions, TrainingOptions, TuningOptions
from likely.reading import Reading
from likely.training.wish import Wish

if typing.TYPE_CHECKING:
    from likely.options.option import Option

TYPED = [(ModelOptions, MODEL), (ReadingOptions, READING), (TuningOptions, TUNING)]
VALUES: dict[str, type] = {
    "train": values.TrainValues,
    "predict": values.PredictValues,
    "explain": values.ExplainValues,
    "evaluate": values.EvaluateValues,
    "inspect": values.InspectValues,
    "learn": values.ChangeValues,
    "forget": values.ChangeValues,
    "merge": values.MergeValues,
    "tokens": values.TokensValues,
    "demo": values.Values,
    "doctor": values.Values,
}
FIELDS = [(Reading, READING), (Wish, TUNING)]


def test_a_name_is_in_one_table() -> None:
    names = [*MODEL, *READING, *TUNING]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(("fields", "table"), FIELDS)
def test_dataclasses_have_the_options_of_the_table(fields: type, table: dict[str, Option]) -> None:
    found = {each.name: each.default for each in dataclasses.fields(fields)}
    fix = "\n".join(f"    {option.name}: ... = {option.default!r}" for option in table.values())
    assert found == {name: option.default for name, option in table.items()}, f"write {fields.__name__} as\n{fix}"


@pytest.mark.parametrize(("typed", "table"), TYPED)
def test_typed_dicts_have_the_options_of_the_table(typed: type, table: dict[str, Option]) -> None:
    hints = typing.get_type_hints(typed)
    missing = [f"    {name}: ..." for name in table if name not in hints]
    gone = [name for name in hints if name not in table]
    assert not missing, "add to {}:\n{}".format(typed.__name__, "\n".join(missing))
    assert not gone, f"delete from {typed.__name__}: {gone}"
    for option in table.values():
        if option.choices:
            fix = f"annotate {option.name} of {typed.__name__} as Literal{list(option.choices)}"
            assert choices_of(hints[option.name]) == option.choices, fix


def test_training_takes_all_options() -> None:
    assert set(typing.get_type_hints(TrainingOptions)) == {*MODEL, *READING, *TUNING}


def test_docstrings_name_the_options() -> None:
    for where, table in ((likely.train, {**READING, **TUNING}), (likely.NaiveBayes.learn, READING)):
        missing = [name for name in table if f"``{name}" not in (where.__doc__ or "")]
        assert not missing, f"describe in the docstring of {where.__qualname__}: {missing}"


def test_every_option_has_its_flag() -> None:
    command = cli.get_command(click.Context(cli), "train")
    assert command is not None
    found = {each.name: [*each.opts, *each.secondary_opts] for each in command.params}
    for option in (*MODEL.values(), *READING.values(), *TUNING.values()):
        expected = option.declaration.split("/") if option.has_flag else None
        assert found.get(option.name) == expected, f"{option.name} is {expected} on the command line"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_arguments_of_each_command_have_types(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    typed = set(typing.get_type_hints(VALUES[name]))
    given = {each.name for each in command.params if each.expose_value}
    assert given <= typed, f"add to {VALUES[name].__name__} in cli/values.py: {sorted(map(str, given - typed))}"
    gone = typed - given - {*MODEL, *READING, *TUNING}
    assert not gone, f"delete from {VALUES[name].__name__} in cli/values.py: {sorted(gone)}"


def test_defaults_are_allowed() -> None:
    for option in (*MODEL.values(), *READING.values(), *TUNING.values()):
        option.check(option.default)


def choices_of(hint: object) -> tuple[object, ...]:
    """The values of the ``Literal`` in an annotation, which may be one of several types."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(value for each in typing.get_args(hint) for value in choices_of(each))
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
