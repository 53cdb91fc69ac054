"""How a command ends: what it prints, and its exit status."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

NO = 1
"""It ran, and the answer is no."""
BAD_INPUT = 2
"""It could not run: bad input."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""
BROKEN_PIPE = 141
"""Nobody reads on, as shells count it."""


def emit(document: Any, text: str | Callable[[], str]) -> None:
    """Print a result: the JSON document if --json was given, else the text."""
    if wants_json():
        click.echo(to_json(document))
    else:
        click.echo(text if isinstance(text, str) else text())


def answer_no() -> None:
    """End the command: it ran, and the answer is no."""
    click.get_current_context().exit(NO)


def wants_json() -> bool:
    """Whether the command was called with --json."""
    return bool(click.get_current_context().params.get("json"))


def to_json(document: Any) -> str:
    """A document on one line; ASCII only, so no text can steer a terminal."""
    return json.dumps(document, allow_nan=False)


def note(text: str) -> None:
    """Tell people, on standard error, what they may want to know besides the result."""
    click.echo(text, err=True)


def figure(number: float) -> float:
    """A number of documents or tokens: whole where it is.

    Examples
    --------
    >>> figure(3.0), figure(0.5)
    (3, 0.5)
    """
    return int(number) if number.is_integer() else number


def is_debugging() -> bool:
    """Whether tracebacks are wanted."""
    return "--debug" in sys.argv or bool(os.environ.get("LIKELY_DEBUG"))


class Ended(BaseException):
    """A command was ended from outside, and there is nothing to say."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def explain_failure(error: BaseException) -> int:
    """Say in one line why a command failed, and return the exit status."""
    if isinstance(error, Ended | BrokenPipeError):
        # What is left in the buffer has nowhere to go.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error.status if isinstance(error, Ended) else BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED
    if isinstance(error, SystemExit | click.exceptions.Exit):  # completion ends with the former
        return int(getattr(error, "exit_code", getattr(error, "code", 0)) or 0)
    if is_debugging():
        import traceback

        traceback.print_exception(error)
        return BAD_INPUT
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    click.echo(f"likely: {_message(error)}", err=True)
    return BAD_INPUT


def _message(error: BaseException) -> str:
    from likely.errors import LikelyError
    from likely.terminal import printable

    if isinstance(error, LikelyError):
        return printable(" ".join(str(error).split("\n")))
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return printable(f"{where}{error.strerror}")
    if isinstance(error, MemoryError):
        return "not enough memory"
    return printable(
        f"something went wrong that should not have ({type(error).__name__}: {error}). "
        "Run it again with --debug to see where, and tell us"
    )
