"""`option`: a field of a dataclass of options, with everything that flags, checks and the reference need to know."""

from __future__ import annotations

import difflib
import textwrap
import types
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from likely.errors import LikelyError, OptionError
from likely.options.compound import PARTS
from likely.options.kinds import Kind, choice, is_truth, parse_truth

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option: a field of a dataclass of options, with its name, default, kind of values and texts.

    Attributes
    ----------
    name : str
        The name of the argument in Python.
    default : object
        The value of an option that is not given.
    kind : Kind
        The allowed values.
    help : str
        What the option does, in a line of at most 70 characters.
    details : str
        What else the reference says about it.
    group : str
        The heading of its flag in the help of a command.
    everyday : bool
        Whether ``--help`` shows its flag; ``--help-all`` shows every flag.
    flag : str
        The flag on the command line, if it does not follow from the name.
    has_flag : bool
        Whether the option can be given on the command line.
    default_text : str
        The default in the help of the command line, if it is not the value itself.
    error : type
        The class of the error for a value that is not allowed.
    """

    name: str = ""
    default: object
    kind: Kind
    help: str
    details: str = ""
    group: str = ""
    everyday: bool = False
    flag: str = ""
    has_flag: bool = True
    default_text: str = ""
    error: type[LikelyError] = OptionError

    @property
    def declaration(self) -> str:
        """The flag as click takes it; an option that is not False by default has one for True and one for False."""
        flag = self.name.replace("_", "-")
        both = self.default is True or (self.default is None and self.kind.parse is parse_truth)
        return self.flag or (f"--{flag}/--no-{flag}" if both else f"--{flag}")

    @property
    def description(self) -> str:
        """What the option does, in full."""
        return f"{self.help} {self.details}".rstrip()

    def check(self, value: object) -> None:
        """Raise ``error`` unless the value is allowed."""
        if not self.kind.check(value):
            known = self.kind.known or self.kind.choices
            close = difflib.get_close_matches(value, known, n=1) if isinstance(value, str) else []
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise self.error(f"{self.name}={value!r} is not allowed: {self.name} must be {self.kind.allowed}{hint}")

    def read(self, text: str) -> object:
        """The value that a text on the command line stands for."""
        try:
            value = self.kind.parse(text)
        except ValueError:
            value = text
        self.check(value)
        return value


def option(default: Any, help: str, kind: Kind | None = None, **more: Any) -> Any:  # noqa: A002
    """A field of a dataclass of options. Its kind follows from the annotation if that is a Literal or a bool."""
    return field(default=default, metadata={"help": help, "kind": kind, **more})


def table_of(options: type) -> dict[str, Option]:
    """The options of a dataclass by name, each a field that `option` made."""
    return {
        each.name: Option(
            name=each.name,
            default=each.default,
            **{**each.metadata, "kind": each.metadata["kind"] or _kind_of(each.type)},
        )
        for each in fields(options)
    }


def _kind_of(annotation: object) -> Kind:
    """The kind of values that an annotation means: a Literal or a bool, and None if that is in a union with it."""
    is_union = isinstance(annotation, types.UnionType) or str(get_origin(annotation)) == "typing.Union"
    parts = get_args(annotation) if is_union else (annotation,)
    or_none = type(None) in parts
    if get_origin(parts[0]) is Literal:
        return choice(get_args(parts[0]), or_none=or_none)
    if parts[0] is not bool:
        raise TypeError(f"{annotation}: write its kind")
    words = "True, False or None" if or_none else "True or False"
    return Kind(words, lambda value: (or_none and value is None) or is_truth(value), parse_truth)


ELSEWHERE = {
    "ngram_range": "ngrams",
    "binary": "variant",
    "fit_prior": "prior",
    "class_prior": "prior",
    "smoothing": "alpha",
    "n_jobs": "threads",
    "strip_accents": "accents",
    "min_df": "min_documents",
    "max_df": "max_documents",
    "max_features": "max_terms",
    "n_features": "hash_bits",
    "sublinear_tf": "weighting",
    "smooth_idf": "weighting",
    "use_idf": "weighting",
    "stemmer": "stem",
    "language": "stem",
    "C": "nbsvm",
    **{part: name for name, parts in PARTS.items() for part in parts if part != name},
}
"""The names of options in other libraries, and of the parts of options, and here."""


def check_names(name: str, names: Collection[str], others: Collection[str] = ()) -> None:
    """Raise ``OptionError`` unless a name is one of some options, with one that may be meant."""
    if name not in names:
        meant = [*names, *others]
        close = [ELSEWHERE[name]] if ELSEWHERE.get(name) in meant else difflib.get_close_matches(name, meant, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(meant)}"
        raise OptionError(f"there is no option {name!r}: {hint}")


def described(table: Mapping[str, Option], indent: str = "    ") -> str:
    """The options of a table as the section of parameters of a docstring."""
    lines = ["Parameters", "----------"]
    for each in table.values():
        lines.append(f"{each.name} : {each.kind.allowed}")
        lines += textwrap.wrap(
            each.description, 100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    return f"\n{indent}".join(lines)
