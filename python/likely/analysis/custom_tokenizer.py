"""Tokens that a function of the user's makes, as the kernel reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from likely.errors import TextError

SEPARATOR = "\udfff"
"""What stands between tokens on their way to the kernel: half a surrogate pair, which no text should have."""

WINDOW = 1000
"""So many characters on from the last token the next one is looked for."""


@dataclass(frozen=True)
class Given:
    """A tokenizer, and what becomes of its tokens.

    Empty tokens and white space are dropped; white space within a token becomes an underscore, because a space joins
    the words of an n-gram.

    Examples
    --------
    >>> Given(str.split).text("so  good") == f"so{SEPARATOR}good"
    True
    """

    tokenizer: Callable[[str], Iterable[str]]

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as the tokenizer gives them, without those that are empty or white space."""
        made = self.tokenizer(text)
        found = list(made) if isinstance(made, Iterable) and not isinstance(made, str | bytes) else [made]
        for token in found:
            if not isinstance(token, str) or isinstance(made, str):
                what = "a string" if isinstance(made, str) else f"a {type(token).__name__}"
                raise TextError(
                    f"{tokenizer_name(self.tokenizer)} gave {what} for a text: it must give a list of str"
                )
        return [token for token in found if token.strip()]

    def text(self, text: str) -> str:
        """The tokens of a text as one string."""
        return SEPARATOR.join(map(_without_spaces, self.tokens(text)))

    def texts(self, texts: Any) -> Iterator[str]:
        """The same of many texts."""
        for row, text in enumerate(_strings(texts)):
            if text is None:
                raise TextError(f"the text in row {row} is missing (null): fill it in or leave the row out")
            if not isinstance(text, str):
                raise TextError(f"the text in row {row} is of type {type(text).__name__}, not str")
            yield self.text(text)

    def places(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """The tokens as one string, and for each character of it the place of its token in the text.

        A token that does not stand in the text, in either case, because the tokenizer changed it, has a place of no
        length; it is looked for only so far on, so that time is linear.
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
            places += [place] * (len(parts[-1]) + 1)  # and one for what stands behind it
        return SEPARATOR.join(parts), places


def _strings(texts: Any) -> Iterator[Any]:
    """The texts one by one, of all that the kernel reads too."""
    if isinstance(texts, str | bytes | Mapping | Set) or not (
        isinstance(texts, Iterable) or hasattr(texts, "__arrow_c_stream__")
    ):
        raise TextError(f"texts is a single {type(texts).__name__}, not many texts: give a list of str")
    if hasattr(texts, "read_next_batch"):
        return (text for batch in texts for text in batch.column(0).to_pylist())
    if hasattr(texts, "to_pylist"):
        return iter(texts.to_pylist())
    if not isinstance(texts, Iterable):
        import pyarrow as pa

        return iter(pa.chunked_array(texts).to_pylist())
    return iter(texts)


def _without_spaces(token: str) -> str:
    return "_".join(token.split()) if any(map(str.isspace, token)) else token


def tokenizer_name(tokenizer: Any) -> str:
    """The name by which a model file remembers a tokenizer.

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
