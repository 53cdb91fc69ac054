"""The command line: one file a verb, which translates and calls. No maths here, and nothing heavy at start."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

import click

from likely.cli.output import BROKEN_PIPE, INTERRUPTED, Ended, explain_failure

COMMANDS = (
    "train",
    "predict",
    "explain",
    "evaluate",
    "inspect",
    "learn",
    "forget",
    "merge",
    "tokens",
    "demo",
    "doctor",
)
"""The verbs, in the order people meet them; each is a module here with a `command`."""


class Verbs(click.Group):
    """The commands, each loaded when it is asked for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; Ctrl-C and a broken pipe end it quietly, where click would have something to say."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Ended(INTERRUPTED) from error
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            raise Ended(BROKEN_PIPE) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them, or None."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"likely.cli.commands.{cmd_name}").command
        return command


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"likely {version('likely')}")
        ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def cli() -> None:
    """Naive Bayes text classification: fast, exact, and explained.

    Begin with "likely demo", or with your own data:

    \b
      likely train reviews.csv -o reviews.likely
      likely predict reviews.likely --say "a film to remember"
    """


def main() -> None:
    """Run a command, and end with 0, 1 (it ran, and the answer is no) or 2 (bad input)."""
    # Whoever closed them does not want to hear from us.
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    try:
        status = cli.main(prog_name="likely", standalone_mode=False)
        sys.stdout.flush()  # the last chance for a broken pipe
    except BaseException as error:
        status = explain_failure(error)
    # Nothing is left to do, and taking a large model apart piece by piece would only cost time.
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 0)
