"""What is written twice about an option agrees with the tables; a failing test prints the fix."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import types
import typing
from pathlib import Path

import click
import likely
import pytest
from likely.cli import COMMANDS, cli, values
from likely.core.manifest import FORMAT
from likely.core.variants import variant_of
from likely.options.configured import Configured
from likely.options.kinds import TASKS, VARIANTS
from likely.options.model_table import MODEL
from likely.options.option import Option
from likely.options.presets import PRESETS
from likely.options.reading_table import FORMATS, READING
from likely.options.selecting_table import SELECTING
from likely.options.tuning_table import TUNING
from likely.options.typed import (
    ModelOptions,
    ReadingOptions,
    SelectingOptions,
    TrainingOptions,
    TuningOptions,
)
from likely.options.reading import ReadingOptions
from likely.reading.formats import NAMES

if typing.TYPE_CHECKING:
    from likely.options.option import Option

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
TYPED = [
    (ModelOptions, MODEL),
    (ReadingOptions, READING),
    (TuningOptions, TUNING),
    (SelectingOptions, SELECTING),
]
FIELDS = [(Reading, READING)]


def test_a_name_is_in_one_table() -> None:
    names = [*MODEL, *READING, *TUNING, *SELECTING]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(("fields", "table"), FIELDS)
def test_dataclasses_have_the_options_of_the_table(fields: type, table: dict[str, Option]) -> None:
    found = {each.name: each.default for each in dataclasses.fields(fields)}
    fix = "\n".join(f"    {option.name}: ... = {option.default!r}" for option in table.values())
    assert found == {name: option.default for name, option in table.items()}, (
        f"write {fields.__name__} ({fields.__module__}) as\n{fix}"
    )


@pytest.mark.parametrize(("typed", "table"), TYPED)
def test_typed_dicts_have_the_options_of_the_table(typed: type, table: dict[str, Option]) -> None:
    hints = typing.get_type_hints(typed)
    missing = [f"    {name}: ..." for name in table if name not in hints]
    gone = [name for name in hints if name not in table]
    where = f"{typed.__name__} in options/typed.py"
    assert not missing, "add to {}:\n{}".format(where, "\n".join(missing))
    assert not gone, f"delete from {where}: {gone}"
    for option in table.values():
        if option.choices:
            fix = f"annotate {option.name} of {where} as Literal{list(option.choices)}"
            assert choices_of(hints[option.name]) == option.choices, fix


def test_attributes_have_the_types_of_the_options() -> None:
    written = typing.get_type_hints(Configured, include_extras=True)
    wrong = {
        name: hint
        for name, hint in typing.get_type_hints(ModelOptions, include_extras=True).items()
        if name in MODEL and written.get(name) != hint
    }
    fixes = "\n".join(f"    {name}: {shown(hint)}" for name, hint in wrong.items())
    assert not wrong, f"write in Configured (options/configured.py), as in options/typed.py:\n{fixes}"
    gone = [name for name in written if name not in MODEL and not name.startswith("_")]
    assert not gone, f"delete from Configured (options/configured.py): {gone}"


def test_training_takes_all_options() -> None:
    hints = set(typing.get_type_hints(TrainingOptions))
    differing = sorted(hints ^ {*MODEL, *READING, *TUNING})
    assert not differing, f"these are not in both the tables and the types of options/typed.py: {differing}"


def test_model_files_of_this_format_have_the_options_of_the_table() -> None:
    import pyarrow.parquet as pq

    path = ROOT / "tests" / "files" / f"format_{FORMAT}" / "multinomial.likely"
    assert path.exists(), "run .venv/bin/python tools/model_files.py, and commit what it writes"
    stored = json.loads(pq.read_metadata(path).metadata[b"likely"])["options"]
    differing = sorted(set(stored) ^ set(MODEL))
    assert not differing, (
        f"files of format {FORMAT} were written with other options ({differing}): raise FORMAT in "
        "storage/manifest.py, keep reading the older formats, and run .venv/bin/python tools/model_files.py"
    )


def test_docstrings_name_the_options() -> None:
    described = (
        (likely.train, {**READING, **TUNING}),
        (likely.NaiveBayes.learn, READING),
        (likely.select, SELECTING),
    )
    for where, table in described:
        missing = [name for name in table if f"``{name}" not in (where.__doc__ or "")]
        assert not missing, f"describe in the docstring of {where.__qualname__}: {missing}"


OF_TRAIN = (*MODEL.values(), *READING.values(), *TUNING.values())


@pytest.mark.parametrize(("name", "options"), [("train", OF_TRAIN), ("select", (*SELECTING.values(),))])
def test_every_option_has_its_flag(name: str, options: tuple[Option, ...]) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    found = {each.name: [*each.opts, *each.secondary_opts] for each in command.params}
    for option in options:
        expected = [*option.declaration.split("/"), *option.aliases] if option.has_flag else None
        assert found.get(option.name) == expected, f"{option.name} is {expected} on the command line"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_arguments_of_each_command_have_types(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    annotation = str(command.callback.__annotations__.get("values"))
    found = re.fullmatch(r"Unpack\[(\w+)\]", annotation)
    assert found, f"write cli/commands/{name}.py with `def command(**values: Unpack[...])`, a class of cli/values.py"
    assert hasattr(values, found[1]), f"write the class {found[1]} in cli/values.py, for `likely {name}`"
    typed = set(typing.get_type_hints(getattr(values, found[1])))
    given = {str(each.name) for each in command.params if each.expose_value}
    tables = {*MODEL, *READING, *TUNING}
    missing = sorted(given - typed)
    assert not missing, (
        f"{found[1]} in cli/values.py lacks {missing}: add arguments of the command there, "
        "and options of a table to their class in options/typed.py"
    )
    gone = typed - given - tables
    assert not gone, f"delete from {found[1]} in cli/values.py: {sorted(gone)}"


def test_every_file_of_a_command_is_a_command() -> None:
    files = {path.stem for path in (PACKAGE / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert files == set(COMMANDS), f"not both in cli/commands/ and COMMANDS: {sorted(files ^ set(COMMANDS))}"


def test_every_format_has_a_name_and_a_reader() -> None:
    unnamed = sorted(set(FORMATS) - set(NAMES))
    assert not unnamed, f"add to NAMES in reading/formats.py: {unnamed}"
    tree = ast.parse((PACKAGE / "reading" / "opening.py").read_text(encoding="utf-8"))
    opened = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    # Whatever is not named there is read as Arrow.
    unread = sorted(set(FORMATS) - opened - {"arrow"})
    assert not unread, f"say in `Opening._reader` (reading/opening.py) which reader reads {unread}"


def test_every_variant_has_a_form() -> None:
    for name in VARIANTS:
        try:
            variant_of(name, 1.0)
        except KeyError:
            pytest.fail(f"add {name!r} to _FORMS in weighing/variants/__init__.py")


def test_every_task_has_a_preset_and_every_preset_is_a_task() -> None:
    assert tuple(PRESETS) == TASKS, f"write TASKS in options/kinds.py as {tuple(PRESETS)}"


OUTDATED = {"sentiment"}
"""Presets that have changed since `benchmarks/presets.md` was written. The next run of it empties this set."""


def test_the_page_of_the_presets_shows_the_presets() -> None:
    page = (ROOT / "benchmarks" / "presets.md").read_text(encoding="utf-8")
    meant = {task: ", ".join(f"{name}={value!r}" for name, value in PRESETS[task].items()) for task in PRESETS}
    outdated = {task for task in PRESETS if f"`task={task!r}` stands for {meant[task]}.\n" not in page}
    new = sorted(outdated - OUTDATED)
    assert not new, f"run LIKELY_DATA=... .venv/bin/python -m benchmarks.presets: it shows other options for {new}"
    assert outdated == OUTDATED, f"these are up to date, delete them from OUTDATED: {sorted(OUTDATED - outdated)}"


def test_defaults_are_allowed() -> None:
    for option in (*MODEL.values(), *READING.values(), *TUNING.values(), *SELECTING.values()):
        option.check(option.default)


def shown(hint: object) -> str:
    """An annotation as it is written."""
    return hint.__name__ if type(hint) is type else str(hint).replace("typing.", "")


def choices_of(hint: object) -> tuple[object, ...]:
    """The values of the ``Literal`` in an annotation, which may be one of several types."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(value for each in typing.get_args(hint) for value in choices_of(each))
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
