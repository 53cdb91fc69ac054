"""Flags that several commands share: those of the option tables, DATA, --json and --debug."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

import click

from likely.options.model_table import MODEL
from likely.options.reading_table import READING
from likely.options.selecting_table import SELECTING
from likely.options.tuning_table import TUNING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from likely.cli.values import DataValues
    from likely.options.option import Option
    from likely.options.typed import ModelOptions
    from likely.options.reading import ReadingOptions
    from likely.types import Prior

P = ParamSpec("P")
R = TypeVar("R")

WEIGH_OPTIONS = (
    "variant",
    "alpha",
    "prior",
    "class_weight",
    "spelling",
    "min_documents",
    "max_documents",
    "max_terms",
    "thresholds",
    "abstain",
    "reject_label",
    "threads",
)
"""The options that can still be changed after a model has learned."""


class NamedFile(click.Path):
    """The path of a file. ``-`` is not one: nearly everywhere else it stands for standard input or output."""

    def __init__(self) -> None:
        super().__init__(path_type=str, dir_okay=False)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # type: ignore[override]
        """The path."""
        if value == "-":
            self.fail("- stands for standard input or output, which is not possible here: name a file.", param, ctx)
        return str(super().convert(value, param, ctx))


FILE = NamedFile()
"""The path of a model file, or of another file to write."""

data_argument = click.argument("data", nargs=-1, type=click.Path(path_type=str, allow_dash=True))
"""DATA: files, globs, folders, or - for standard input. It may be missing, because --sql may replace it."""


class Share(click.FloatRange):
    """A number from 0 to 1. NaN is not one, although it is neither below 0 nor above 1."""

    name = "share"

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        return self.fail(f"{value} is not a number.", param, ctx) if math.isnan(number) else number


SHARE = Share(0, 1)
"""A share of something: from nothing to all of it."""
PART = Share(0, 1, min_open=True, max_open=True)
"""A share that is neither nothing nor all."""


class OptionValue(click.ParamType[object]):
    """A value of an option, as it is typed."""

    def __init__(self, option: Option) -> None:
        self.name = option.name
        self._option = option

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        """The value that the text stands for. It is a usage error if the value is not allowed."""
        if not isinstance(value, str):
            return value
        try:
            return self._option.read(value)
        except ValueError as error:
            told = str(error).partition(f"{self._option.name} must be ")[2] or self._option.allowed
            self.fail(f"{value!r} is not allowed: it must be {told}", param, ctx)


def _flag(option: Option, *, show_allowed: bool) -> Callable[[Callable[P, R]], Callable[P, R]]:
    names = (option.declaration, option.name)
    shown = option.default_text or _default_text(option.default)
    if "/" in option.declaration:
        return click.option(*names, default=None, help=f"{option.help}  [default: {shown}]")
    if isinstance(option.default, bool):
        return click.option(*names, is_flag=True, default=None, help=option.help)
    # A metavar such as "off|on|WORD,..." says already which values are allowed.
    allowed = f"  [{option.allowed}]" if show_allowed and not option.choices and "|" not in option.metavar else ""
    return click.option(
        *names,
        *option.aliases,
        type=click.Choice(option.choices) if option.choices else OptionValue(option),
        metavar=None if option.choices else option.metavar,
        default=None,
        help=f"{option.help}{allowed}  [default: {shown}]",
    )


def _default_text(default: object) -> str:
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)


def _flags(options: Iterable[Option], *, show_allowed: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that adds one flag per option to a command."""

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        for option in reversed([option for option in options if option.has_flag]):
            command = _flag(option, show_allowed=show_allowed)(command)
        return command

    return decorate


def model_flags(names: Iterable[str] = tuple(MODEL)) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that adds one flag per option of the model."""
    return _flags([MODEL[name] for name in names], show_allowed=True)


def reading_flags(*, without: Collection[str] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that adds one flag per option of reading, without those that have no effect on the command."""
    return _flags([option for name, option in READING.items() if name not in without])


def some_reading_flags(names: Iterable[str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that adds one flag per option of reading that is named."""
    return _flags([READING[name] for name in names])


def tuning_flags(command: Callable[P, R]) -> Callable[P, R]:
    """The command with one flag per option of tuning."""
    decorate: Callable[[Callable[P, R]], Callable[P, R]] = _flags(TUNING.values())
    return decorate(command)


def selecting_flags(command: Callable[P, R]) -> Callable[P, R]:
    """The command with one flag per option of selecting."""
    decorate: Callable[[Callable[P, R]], Callable[P, R]] = _flags(SELECTING.values())
    return decorate(command)


def output_flags(command: Callable[P, R]) -> Callable[P, R]:
    """The command with --json and --debug, which every command has."""
    command = click.option("--debug", is_flag=True, expose_value=False, help="Show where an error came from.")(
        command
    )
    return click.option("--json", is_flag=True, help="Print one JSON document instead of text for people.")(command)


def given(table: Mapping[str, Option], values: Mapping[str, object]) -> dict[str, object]:
    """The options of a table that were given to a command."""
    return {name: value for name, value in values.items() if name in table and value is not None}


def given_options(values: Mapping[str, object]) -> ModelOptions:
    """The options of the model that were given to a command."""
    return cast("ModelOptions", given(MODEL, values))


def other_prior(options: ModelOptions) -> Prior | None:
    """P(class) where the texts come from. It is removed from the options, because the model keeps its own."""
    return options.pop("prior", None)


def reading_of_flags(values: Mapping[str, object]) -> ReadingOptions:
    """How a command reads its data."""
    from likely.reading.batch import reading_of

    return reading_of(given(READING, values))


def is_plain(values: Mapping[str, object]) -> bool:
    """Whether the command trains the textbook classifier, and chooses nothing."""
    return bool(given(TUNING, values).get("plain"))


def source_of(values: DataValues, *, default: str | None = None) -> str | list[str] | None:
    """The source that DATA names: a path, several paths, or None if the query of --sql names the files."""
    data = list(values["data"])
    if values.get("sql") is not None:
        if len(data) > 1:
            raise click.UsageError("With --sql, give at most one database as DATA.")
        return data[0] if data else None
    if not data and default is None:
        raise click.UsageError("Missing argument 'DATA...'. Give a file, a folder, a glob, or - for standard input.")
    return data or [default or "-"]
