"""The flags that commands share: those of the option tables, DATA, --json and --debug, and which were given."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from likely.options.model import MODEL
from likely.options.reading import READING, TUNING

if TYPE_CHECKING:
    from likely.options.option import Option

Values: TypeAlias = dict[str, Any]
"""The arguments of a command, by name."""
Body: TypeAlias = Callable[..., None]
"""The function of a command."""

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
    "threads",
)
"""The options that can still be changed after a model has learned."""


class NamedFile(click.Path):
    """The path of a file. ``-`` is not one: nearly everywhere else it stands for standard input or output."""

    def __init__(self, *, dir_okay: bool = False) -> None:
        super().__init__(path_type=str, dir_okay=dir_okay)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # type: ignore[override]
        """The path."""
        if value == "-":
            self.fail("- stands for standard input or output, which is not possible here: name a file.", param, ctx)
        return str(super().convert(value, param, ctx))


FILE = NamedFile()
"""The path of a model file, or of another file to write."""

data_argument = click.argument("data", nargs=-1, type=click.Path(path_type=str, allow_dash=True))
"""DATA: files, globs, folders, or - for standard input. It may be missing, because --sql may replace it."""


def switch(names: str, says: str) -> Callable[[Body], Body]:
    """A decorator that adds a flag without a value; ``says`` is its help."""
    return click.option(*names.split(), is_flag=True, help=says)


def value(names: str, metavar: str | None, says: str, kind: Any = None, **more: Any) -> Callable[[Body], Body]:
    """A decorator that adds a flag with a value. Its help also has the default, if there is one."""
    default = more.get("default")
    shown = f"{default:g}" if isinstance(default, float) else default
    help_ = says if default is None else f"{says}  [default: {shown}]"
    return click.option(*names.split(), metavar=metavar, help=help_, type=kind, **more)


class Number(click.FloatRange):
    """A number in a range. NaN and infinity are none, although NaN is neither below nor above anything."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        return number if math.isfinite(number) else self.fail(f"{value} is not a number.", param, ctx)


SHARE = Number(0, 1)
"""A share of something: from nothing to all of it."""
PART = Number(0, 1, min_open=True, max_open=True)
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
            told = str(error).partition(f"{self._option.name} must be ")[2] or self._option.kind.allowed
            self.fail(f"{value!r} is not allowed: it must be {told}", param, ctx)


class Flag(click.Option):
    """A flag of an option: it has a heading in the help, and may be shown by ``--help-all`` only."""

    def __init__(self, *declarations: Any, group: str = "", everyday: bool = True, **attributes: Any) -> None:
        super().__init__(*declarations, **attributes)
        self.group = group
        self.everyday = everyday

    def short_record(self) -> tuple[str, str] | None:
        """The line of an everyday flag in ``--help``, without the list of its values."""
        if not self.everyday:
            return None
        metavar = "" if self.is_flag else self.metavar or "NAME"
        shown = f"{'/'.join([*self.opts, *self.secondary_opts])} {'VALUE' if '|' in metavar else metavar}"
        return shown.rstrip(), (self.help or "").replace("  [default: ", " [")


class Command(click.Command):
    """A command with --json and --debug; ``--help`` shows everyday flags by groups, ``--help-all`` all of them."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        debug = click.Option(["--debug"], is_flag=True, expose_value=False, help="Show where an error came from.")
        self.params += [click.Option(["--json"], is_flag=True, help="Print JSON instead of text."), debug]
        if any(isinstance(each, Flag) and not each.everyday for each in self.params):
            self.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_show_all,
                    help="Show all flags and exit.",
                )
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. It is a usage error if an option that is not a list is given twice."""
        seen: set[click.Parameter] = set()
        for each in self.make_parser(ctx).parse_args(list(args))[2]:
            if each in seen and isinstance(each, click.Option) and not each.multiple:
                raise click.UsageError(f"{each.opts[0]} is given twice: give it once.", ctx)
            seen.add(each)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags by groups, first those that only this command has."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for each in self.get_params(ctx):
            is_short = isinstance(each, Flag) and not ctx.meta.get(ALL)
            record = each.short_record() if isinstance(each, Flag) and is_short else each.get_help_record(ctx)
            if record:
                groups.setdefault(each.group if isinstance(each, Flag) else "Options", []).append(record)
        for name, records in groups.items():
            with formatter.section(name):
                formatter.write_dl(records)


ALL = "likely.help_all"
"""The key of a context that says whether its help shows every flag."""


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def option_flags(
    table: Mapping[str, Option],
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
    defaults: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Body], Body]:
    """A decorator that adds a flag per option of a table; some may have another default on this command."""
    names = [name for name in (only or table) if name not in without]

    def decorate(command: Body) -> Body:
        for name in reversed(names):
            if table[name].has_flag:
                command = _option_flag(table[name], defaults.get(name, ""))(command)
        return command

    return decorate


def _option_flag(option: Option, default: str) -> Callable[[Body], Body]:
    shown = default or option.default_text or _default_text(option.default)
    is_flag = isinstance(option.default, bool) and "/" not in option.declaration
    attributes: dict[str, Any] = {"is_flag": True} if is_flag else {}
    if not is_flag and "/" not in option.declaration:
        choices = option.kind.choices
        attributes["type"] = click.Choice(choices) if choices else OptionValue(option)
        attributes["metavar"] = None if choices else option.kind.metavar
    return click.option(
        option.declaration,
        option.name,
        cls=Flag,
        group=option.group,
        everyday=option.everyday,
        default=None,
        help=option.help if is_flag else f"{option.help}  [default: {shown}]",
        **attributes,
    )


def _default_text(default: object) -> str:
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)


def training_flags(command: Body) -> Body:
    """The command with all flags of `likely train` that say how the data is read and what is learned."""
    for table in (MODEL, READING, TUNING):
        command = option_flags(table)(command)
    return command


def given(table: Mapping[str, Option], values: Values) -> Values:
    """The options of a table that were given to a command."""
    return {name: value for name, value in values.items() if name in table and value is not None}


def refuse_flags(names: Collection[str], says: str) -> None:
    """Raise ``UsageError`` if one of these flags was given; ``says`` is the sentence, with {} for the flag."""
    context = click.get_current_context()
    for each in context.command.params:
        name = each.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(says.format(each.opts[0] if isinstance(each, click.Option) else name.upper()))
