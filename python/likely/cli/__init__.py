"""The command line: one file per command, which translates flags into calls. It has no maths, and starts fast.

| module | contents |
| --- | --- |
| `cli.commands` | one file per command |
| `cli.flags` | the flags that several commands share, made from the tables of options |
| `cli.data` | reading data with a progress bar |
| `cli.files` | loading and writing models and reports |
| `cli.output` | what a command prints, and its exit status |
| `cli.version` | what `likely --version` prints |
"""

from __future__ import annotations

import errno
import gc
import os
import sys
import warnings
from importlib import import_module

import click

from likely.cli.output import (
    BAD_INPUT,
    BROKEN_PIPE,
    INTERRUPTED,
    UNSAID,
    CommandEnd,
    exit_status,
    explain_failure,
    show_warning,
)

COMMANDS = (
    "check",
    "train",
    "predict",
    "select",
    "explain",
    "evaluate",
    "compare",
    "drift",
    "inspect",
    "learn",
    "forget",
    "merge",
    "export",
    "serve",
    "store",
    "tokens",
    "demo",
    "textbook",
)
"""The commands, in the order of a first use. Each is a module of `cli.commands` with a `command`."""

BY_BATCHES = ("predict",)
"""The commands that need the same memory batch after batch."""


_MANY_OBJECTS = 50_000
"""After this many new objects Python looks for those that only refer to each other."""


class Verbs(click.Group):
    """The commands. Each is imported when it is used."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. Ctrl-C and a broken pipe end it without a message."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise CommandEnd(INTERRUPTED) from error
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            raise CommandEnd(BROKEN_PIPE) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"likely.cli.commands.{cmd_name}").command
        return command


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from likely.cli.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version, kernel features and optional packages.",
)
def cli() -> None:
    """Naive Bayes text classification: fast, exact, and explained.

    Start with "likely demo", or with your own data:

    \b
      likely train reviews.csv -o reviews.likely
      likely predict reviews.likely --text "a film to remember"
    """


def main() -> None:
    """Run a command and exit with its status.

    The status is 0; 1 if the command ran and the answer is no; 2 for bad input; 3 if the command did its work, but
    could not write to standard error what it had to say about it.
    """
    # Where the caller has closed standard output, writing to it is an error.
    sys.stdout = sys.stdout or open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    warnings.showwarning = lambda message, *_: show_warning(message)
    # Modules and options are never garbage, so that to look for it among them again and again takes time for nothing.
    gc.set_threshold(_MANY_OBJECTS)
    # The kernel has threads of its own. Those of NumPy's products would only spin, and may change the last bits.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:] and sys.argv[1] in BY_BATCHES:
        from likely import _native

        _native.keep_freed_memory()  # before NumPy starts threads, because each would get memory of its own
    try:
        status = cli.main(prog_name="likely", standalone_mode=False)
        sys.stdout.flush()  # a broken pipe shows here at the latest
    except BaseException as error:
        status = explain_failure(error)
        if status == BAD_INPUT and "--exit-code" in sys.argv:  # 2 is the answer of a model that is not sure
            status = UNSAID
    # Exit at once, because it takes long to free the objects of a large model one by one.
    os._exit(exit_status(status))
