"""`Option`: one row of a table of options."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.errors import LikelyError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Option:
    """One option: its name, its default, what it means, and how its values are checked.

    Attributes
    ----------
    name : str
        The name of the argument in Python.
    default : object
        The value of an option that is not given.
    allowed : str
        The allowed values, in words.
    help : str
        What the option does.
    is_allowed : callable
        Whether a value is allowed.
    parse : callable
        The value that a text on the command line stands for.
    choices : tuple of str
        All allowed values, if they are a few strings.
    known : tuple of str
        Values that may be meant by a misspelled one.
    metavar : str
        The placeholder of a value in the help of the command line.
    flag : str
        The flag on the command line, if it does not follow from the name.
    aliases : tuple of str
        Further flags for the same option.
    has_flag : bool
        Whether the option can be given on the command line.
    default_text : str
        The default in the help of the command line, if it is not the value itself.
    error : type
        The class of the error for a value that is not allowed.

    Examples
    --------
    >>> from likely.options.table import OPTIONS
    >>> from likely.options.reading_table import READING
    >>> OPTIONS["alpha"].default
    1.0
    >>> OPTIONS["lowercase"].declaration, READING["format"].declaration
    ('--lowercase/--no-lowercase', '--input-format')
    """

    name: str
    default: object
    allowed: str
    help: str
    is_allowed: Callable[[object], bool]
    parse: Callable[[str], object] = str
    choices: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    metavar: str = "N"
    flag: str = ""
    aliases: tuple[str, ...] = ()
    has_flag: bool = True
    default_text: str = ""
    error: type[LikelyError] = OptionError

    @property
    def declaration(self) -> str:
        """The flag as click takes it; an option that is True or False has one flag for each."""
        if self.flag:
            return self.flag
        flag = self.name.replace("_", "-")
        return f"--{flag}/--no-{flag}" if isinstance(self.default, bool) else f"--{flag}"

    def check(self, value: object) -> None:
        """Raise ``error`` unless the value is allowed."""
        if not self.is_allowed(value):
            hint = _hint(value, self.known or self.choices)
            raise self.error(f"{self.name}={value!r} is not allowed: {self.name} must be {self.allowed}{hint}")

    def read(self, text: str) -> object:
        """The value that a text on the command line stands for.

        Examples
        --------
        >>> from likely.options.table import OPTIONS
        >>> OPTIONS["ngrams"].read("1,2"), OPTIONS["prior"].read("spam=0.2,ham=0.8")
        ((1, 2), {'spam': 0.2, 'ham': 0.8})
        """
        try:
            value = self.parse(text)
        except ValueError:
            value = text
        self.check(value)
        return value


def _hint(value: object, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(value, known, n=1) if isinstance(value, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def choice(name: str, choices: tuple[str, ...], help_: str) -> Option:
    """An option with a few values. The first one is the default."""

    def is_allowed(value: object) -> bool:
        return isinstance(value, str) and value in choices

    return Option(name, choices[0], one_of(choices), help_, is_allowed, choices=choices)


def one_of(choices: tuple[str, ...]) -> str:
    """The choices in words.

    Examples
    --------
    >>> print(one_of(("split", "keep", "mask")))
    'split', 'keep' or 'mask'
    """
    *first, last = map(repr, choices)
    return f"{', '.join(first)} or {last}"


def treatment(name: str, what: str) -> Option:
    """An option for tokens that contain several words, such as web addresses."""
    help_ = f"{what}: 'split' them into words, 'keep' each as one term, or 'mask' all of them as the same term."
    return choice(name, ("split", "keep", "mask"), help_)


def table_of(*options: Option) -> dict[str, Option]:
    """The options by name."""
    return {option.name: option for option in options}
