"""What a command prints, and its exit status."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING

import click

from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable

NO = 1
"""The status of a command that ran, and whose answer is no."""
BAD_INPUT = 2
"""The status of a command that could not run, because its input is bad."""
UNSAID = 3
"""The status of a command that did its work, but could not write to standard error what it had to say."""
INTERRUPTED = 130
"""The status after Ctrl-C, as in shells."""
BROKEN_PIPE = 141
"""The status after a broken pipe, as in shells."""


def emit(document: object, text: str | Callable[[], str]) -> None:
    """Print the result: the JSON document if --json was given, otherwise the text."""
    if wants_json():
        click.echo(to_json(document))
    else:
        click.echo(text if isinstance(text, str) else text())


def answer_no() -> None:
    """End the command with the status for the answer no."""
    click.get_current_context().exit(NO)


def wants_json() -> bool:
    """Whether the command was called with --json."""
    return bool(click.get_current_context().params.get("json"))


def to_json(document: object) -> str:
    """The document as JSON on one line. It is ASCII only, so that no text can control a terminal."""
    return json.dumps(document, allow_nan=False)


_unsaid: list[str] = []
"""The messages that could not be written."""


def note(text: object) -> None:
    """Print one line for people on standard error. If the disk is full or nobody reads it, the command goes on."""
    try:
        click.echo(printable(text), err=True)
    except OSError:
        _unsaid.append(str(text))


def exit_status(status: object) -> int:
    """The status of a command that returned this; another one if it could not say what it had to."""
    return status if isinstance(status, int) and status else UNSAID if _unsaid else 0


def show_warning(message: Warning | str) -> None:
    """Print a warning as a message for people, without the line of code that it comes from."""
    note(" ".join(str(message).split()))


def figure(number: float) -> float:
    """A number of documents or tokens, as an int if it is whole.

    Examples
    --------
    >>> figure(3.0), figure(0.5)
    (3, 0.5)
    """
    return int(number) if number.is_integer() else number


class CommandEnd(BaseException):
    """A command was ended from outside, so there is no message."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def explain_failure(error: BaseException) -> int:
    """The exit status of a command that failed. The reason is printed in one line."""
    if isinstance(error, CommandEnd | BrokenPipeError):
        # The rest of the buffer cannot be written anywhere.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error.status if isinstance(error, CommandEnd) else BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED
    if isinstance(error, SystemExit | click.exceptions.Exit):  # shell completion raises SystemExit
        return int(getattr(error, "exit_code", getattr(error, "code", 0)) or 0)
    if "--debug" in sys.argv or os.environ.get("LIKELY_DEBUG"):
        import traceback

        for line in "".join(traceback.format_exception(error)).rstrip().split("\n"):
            note(line)
        return BAD_INPUT
    if isinstance(error, click.ClickException):
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    note(f"likely: {_message(error)}")
    return BAD_INPUT


def _message(error: BaseException) -> str:
    from likely.errors import LikelyError

    if isinstance(error, LikelyError):
        return " ".join(str(error).split("\n"))
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    if isinstance(error, MemoryError):
        return "not enough memory"
    return (
        f"this is a bug in `likely` ({type(error).__name__}: {error}). "
        "Run the command again with --debug to see where, and report it"
    )
