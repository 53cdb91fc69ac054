"""Tokens from a function of the user, in the form that the kernel reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from likely import _native
from likely.arrow_data import listed
from likely.errors import TextError

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.types import Texts

SEPARATOR = _native.SEPARATOR
"""The character between two tokens on their way to the kernel: half a surrogate pair, which no valid text has."""

WINDOW = 1000
"""A token is looked for at most this many characters after the end of the last one."""


@dataclass(frozen=True)
class CustomTokenizer:
    """A function of the user that cuts texts into tokens.

    Tokens that are empty or white space are dropped. White space within a token becomes an underscore, because a
    space joins the words of an n-gram.

    Examples
    --------
    >>> CustomTokenizer(str.split).text("so  good") == f"so{SEPARATOR}good"
    True
    """

    tokenizer: Callable[[str], Iterable[str]]

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as the function returns them, without those that are empty or white space."""
        made = self.tokenizer(text)
        found = list(made) if isinstance(made, Iterable) and not isinstance(made, str | bytes) else [made]
        for token in found:
            if not isinstance(token, str) or isinstance(made, str):
                what = "a string" if isinstance(made, str) else f"a {type(token).__name__}"
                raise TextError(
                    f"{tokenizer_name(self.tokenizer)} returned {what} for a text: it must return a list of str"
                )
        return [token for token in found if token.strip()]

    def text(self, text: str) -> str:
        """The tokens of a text, joined to one string."""
        return SEPARATOR.join(map(_without_spaces, self.tokens(text)))

    def texts(self, texts: Texts) -> Iterator[str]:
        """The tokens of each text, joined to one string per text."""
        for row, text in enumerate(_strings(texts), 1):
            if text is None:
                raise TextError(f"the text in row {row} is missing (null): fill it in or leave the row out")
            if not isinstance(text, str):
                raise TextError(f"the text in row {row} is of type {type(text).__name__}, not str")
            yield self.text(text)

    def places(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """The tokens, joined to one string, and for each of its characters the place of the token in the text.

        Upper and lower case do not matter. A token that is not found in the text, because the function changed it,
        has an empty place. It is looked for in a window only, so that the time is linear in the length of the text.
        """
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        lowered = text.lower() if len(text.lower()) == len(text) else text
        at = 0
        for token in self.tokens(text):
            wanted = token if lowered is text else token.lower()
            start = lowered.find(wanted, at, at + len(wanted) + WINDOW)
            place = (at, at) if start < 0 else (start, start + len(token))
            at = place[1]
            parts.append(_without_spaces(token))
            places += [place] * (len(parts[-1]) + 1)  # the last one is for the separator
        return SEPARATOR.join(parts), places


def _strings(texts: Texts) -> Iterator[object]:
    """The texts one by one, from every container that the kernel reads too."""
    if isinstance(texts, str | bytes | Mapping | Set) or not (
        isinstance(texts, Iterable) or hasattr(texts, "__arrow_c_stream__")
    ):
        raise TextError(f"texts is a single {type(texts).__name__}, not many texts: give a list of str")
    if hasattr(texts, "read_next_batch"):
        batches = cast("Iterable[pa.RecordBatch]", texts)
        return (text for batch in batches for text in listed(batch, "texts", TextError) or ())
    found = listed(texts, "texts", TextError)
    return iter(cast("Iterable[object]", texts if found is None else found))


def _without_spaces(token: str) -> str:
    return "_".join(token.split()) if any(map(str.isspace, token)) else token


def tokenizer_name(tokenizer: object) -> str:
    """The name under which a model file remembers a tokenizer.

    Examples
    --------
    >>> tokenizer_name(str.split)
    'builtins.str.split'
    """
    kind = type(tokenizer)
    module = getattr(tokenizer, "__module__", None) or getattr(
        getattr(tokenizer, "__objclass__", kind), "__module__", "?"
    )
    return f"{module}.{getattr(tokenizer, '__qualname__', kind.__qualname__)}"
