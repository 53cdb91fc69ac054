"""`Correction` and `Outcome`: what is asked for, and what was done."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from likely.types import Label

What: TypeAlias = Literal["learned", "moved", "known", "forgotten", "undone"]


@dataclass(frozen=True)
class Correction:
    """A text and its class, as somebody says.

    Attributes
    ----------
    text : str
        The text.
    label : str, int or bool
        Its class.
    source : str, optional
        Where it comes from: a person, a mailbox. Everything from one source can be forgotten at once.
    key : str, optional
        The idempotency key: a correction with the same key is made once, however often it comes.
    """

    text: str
    label: Label
    source: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What was done.

    Attributes
    ----------
    seq : int
        The number of the entry, by which it can be undone. For "known", that of the entry which has learned the text.
    what : str
        "learned", "moved" to another class, "known" (it was learned with this class before, so nothing was done),
        "forgotten" or "undone".
    digest : str
        The SHA-256 of the UTF-8 of the text.
    label, before : label or None
        The class of the text now, and before; None if it is not learned.
    """

    seq: int
    what: What
    digest: str
    label: Label | None
    before: Label | None


def digest_of(text: str) -> str:
    """The SHA-256 of the UTF-8 of a text.

    Examples
    --------
    >>> len(digest_of("good"))
    64
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
