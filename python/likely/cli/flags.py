"""Flags that several commands share: those of the option table, those that say how to read, --json and --debug."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from likely.options.kinds import TASKS, Option
from likely.options.table import FORMATS, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.reading import Reading

F = TypeVar("F", bound="Callable[..., Any]")


class OptionValue(click.ParamType[Any]):
    """A value of the option table, as it is typed."""

    def __init__(self, option: Option) -> None:
        self.name = option.name
        self._option = option

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value; a usage error if it is not allowed."""
        if not isinstance(value, str):
            return value
        try:
            return self._option.read(value)
        except ValueError as error:
            told = str(error).partition(f"{self._option.name} must be ")[2] or self._option.allowed
            self.fail(f"{value!r} is not allowed: it must be {told}", param, ctx)


_METAVARS = {
    "task": "|".join(TASKS),
    "alpha": "NUMBER",
    "cost": "NUMBER",
    "interpolation": "NUMBER",
    "ngrams": "MIN,MAX",
    "char_ngrams": "MIN,MAX",
    "prior": "fitted|uniform|CLASS=SHARE,...",
    "stop_words": "CODE|FILE|auto",
    "stem": "LANGUAGE",
    "negation": "off|on|WORD,...",
    "abstain": "NUMBER|margin=NUMBER|precision=NUMBER",
}

IN_PYTHON_ONLY = ("tokenizer",)
"""Options whose values cannot be typed."""

WEIGH_OPTIONS = (
    "variant",
    "alpha",
    "prior",
    "spelling",
    "min_documents",
    "max_documents",
    "max_terms",
    "abstain",
    "threads",
)
"""The options that can still be changed when a model has learned."""


def _flag(option: Option) -> Callable[[F], F]:
    default, flag = option.default, option.name.replace("_", "-")
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
    if isinstance(default, bool):
        return click.option(f"--{flag}/--no-{flag}", default=None, help=f"{option.help}  [default: {shown.lower()}]")
    kind = click.Choice(option.choices) if option.choices else OptionValue(option)
    metavar = None if option.choices else _METAVARS.get(option.name, "N")
    allowed = "" if option.choices else f"  [{option.allowed}]"
    return click.option(
        f"--{flag}",
        type=kind,
        metavar=metavar,
        default=None,
        help=f"{option.help}{allowed}  [default: {shown}]",
    )


def model_flags(names: Iterable[str] = tuple(OPTIONS)) -> Callable[[F], F]:
    """A flag for each option of the table."""

    def decorate(command: F) -> F:
        for name in reversed([name for name in names if name not in IN_PYTHON_ONLY]):
            command = _flag(OPTIONS[name])(command)
        return command

    return decorate


def given_options(values: dict[str, Any]) -> dict[str, Any]:
    """The options of the table among a command's parameters that were given."""
    return {name: value for name, value in values.items() if name in OPTIONS and value is not None}


def other_prior(options: dict[str, Any]) -> Any:
    """P(class) where the texts come from, taken from the options that were given: the model keeps its own."""
    return options.pop("prior", None)


def reading_flags(*, labelled: bool = True) -> Callable[[F], F]:
    """The flags that say how to read data."""
    flags = [
        click.option("--text", metavar="COLUMN", help="The column with the text.  [default: guessed, and said]"),
        click.option("--label", metavar="COLUMN", help="The column with the label.  [default: guessed, and said]"),
        click.option("--sql", metavar="QUERY", help="Read what a query gives; DATA, if any, is the database."),
        click.option(
            "--read-as", type=click.Choice(FORMATS), help="The format of the data.  [default: by name, then content]"
        ),
        click.option("--header/--no-header", default=None, help="Whether CSV has one; if not, columns are 1, 2 ..."),
        click.option("--encoding", metavar="NAME", help="The encoding of CSV, JSON and lines.  [default: utf-8]"),
        click.option("--strict", is_flag=True, help="Stop at the first row that cannot be read, skip none."),
    ]
    if not labelled:
        del flags[1]

    def decorate(command: F) -> F:
        for flag in reversed(flags):
            command = flag(command)
        return command

    return decorate


def reading_of_flags(values: dict[str, Any]) -> Reading:
    """How to read, from a command's parameters."""
    from likely.reading import Reading

    return Reading(
        text=values.get("text"),
        label=values.get("label"),
        sql=values.get("sql"),
        format=values.get("read_as"),
        header=values.get("header"),
        strict=values.get("strict", False),
        encoding=values.get("encoding"),
    )


def output_flags(command: F) -> F:
    """--json and --debug, which every command has."""
    command = click.option("--debug", is_flag=True, expose_value=False, help="Show where an error came from.")(
        command
    )
    return click.option("--json", is_flag=True, help="Print one JSON document instead of text for people.")(command)


data_argument = click.argument("data", nargs=-1, type=click.Path(path_type=str, allow_dash=True))
"""DATA: files, globs, folders, or - for standard input. --sql may stand for it, so it is no error to have none."""


def source_of(values: dict[str, Any], *, default: str | None = None) -> Any:
    """What DATA stands for: a path, several, or None where a query says it all."""
    data = list(values["data"])
    if values.get("sql") is not None:
        if len(data) > 1:
            raise click.UsageError("With --sql, give at most one database as DATA.")
        return data[0] if data else None
    if not data and default is None:
        raise click.UsageError("Missing argument 'DATA...'. Give a file, a folder, a glob, or - for standard input.")
    return data or [default]


FILE = click.Path(path_type=str, dir_okay=False)
"""A model file, or another to write."""
