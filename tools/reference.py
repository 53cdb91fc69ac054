"""Write the reference page of options and commands from the code: ``python tools/reference.py [--check]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from likely.cli import COMMANDS, cli
from likely.cli.flags import ALL
from likely.options.model import MODEL, PRESETS
from likely.options.reading import READING, SELECTING, TUNING, Format
from likely.reading.formats import NAMES

if TYPE_CHECKING:
    from likely.options.option import Option

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "reference.md"
WIDTH = 100


def page() -> str:
    """The whole page."""
    parts = [
        "# Reference",
        "This page is made from the code by `make docs`.",
        "## Options of a model",
        "Each is an argument of `likely.NaiveBayes` and `likely.train`, a flag of `likely train`, and saved in the "
        "model file.",
        option_table(MODEL),
        "## Options of reading",
        "Each is an argument of `likely.train`, and of `learn`, `forget` and `evaluate` of a model if they read a "
        "source; and a flag of every command that reads data.",
        option_table(READING),
        "## Options of tuning",
        "Each is an argument of `likely.train` and a flag of `likely train`. It says how the options of the "
        "model are chosen.",
        option_table(TUNING),
        "## Options of selecting",
        "Each is an argument of `likely.select` and a flag of `likely select`. [selecting.md](selecting.md) says "
        "what they are good for.",
        option_table(SELECTING),
        "## Presets",
        "The options that `task` stands for. Every option that you give takes precedence, also if you give its "
        "default. `benchmarks/presets.md` shows why these options were chosen.",
        preset_table(),
        "## Formats",
        "The values of `format` (`--input-format`). Without it, the name of a file determines its format, or else "
        "its content. Every format can be compressed (`.gz`, `.bz2`, `.zst`).",
        "\n".join(f"- `{name}`: {NAMES[name]}" for name in get_args(Format)),
        "## Commands",
        "The exit status is 0; or 1 if the command ran and the answer is no; or 2 for bad input, with a line that "
        "says what to do; or 3 if the command did its work, but could not write its notes to standard error.",
        help_of("likely", cli),
        *(section(name) for name in COMMANDS),
    ]
    return "\n\n".join(parts) + "\n"


def option_table(table: dict[str, Option]) -> str:
    """A table in Markdown with one row per option."""
    rows = ["| option | flag | default | allowed | |", "| --- | --- | --- | --- | --- |"]
    for each in table.values():
        flag = f"`{each.declaration.partition('/')[0]}`" if each.has_flag else ""
        rows.append(f"| `{each.name}` | {flag} | {default(each)} | {each.kind.allowed} | {each.description} |")
    return "\n".join(rows)


def default(option: Option) -> str:
    """The default of an option, and what it stands for."""
    return f"`{option.default!r}`" + (f" ({option.default_text})" if option.default_text else "")


def preset_table() -> str:
    """A table in Markdown with one row per task."""
    rows = ["| task | options |", "| --- | --- |"]
    for task, options in PRESETS.items():
        meant = ", ".join(f"{name}={value!r}" for name, value in options.items())
        rows.append(f"| `{task}` | `{meant}` |")
    return "\n".join(rows)


def section(name: str, group: click.Group = cli) -> str:
    """The section of a command, with its help; a group is followed by its commands."""
    command = group.get_command(click.Context(group), name.rsplit(maxsplit=1)[-1])
    if command is None:
        raise LookupError(name)
    below = (
        [section(f"{name} {each}", command) for each in command.commands] if isinstance(command, click.Group) else []
    )
    return "\n\n".join([f"### likely {name}\n\n{help_of(f'likely {name}', command)}", *below])


def help_of(name: str, command: click.Command) -> str:
    """The help of a command, as it is printed."""
    context = click.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    context.meta[ALL] = True
    return f"```\n{command.get_help(context)}\n```"


def main() -> int:
    """Write the page and return 0. With --check, return 1 if the page is not up to date."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE} is not up to date: run make docs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
