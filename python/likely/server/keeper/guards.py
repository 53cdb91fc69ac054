"""`Guards`: limits on what may be learned, so that a client with the right to learn cannot spoil a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likely.errors import GuardError
from likely.server.keeper.rates import OwnRates
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Collection

    from likely.server.keeper.rates import Rates
    from likely.types import Label


@dataclass(frozen=True)
class Guards:
    """Limits on what may be learned.

    Attributes
    ----------
    classes : int
        A new class is refused if there are as many.
    label_bytes : int
        The longest label, in bytes of UTF-8.
    name_bytes : int
        The longest source and the longest idempotency key, in bytes of UTF-8.
    rate : float or None
        How many corrections per second each sender may make on average; None is any number.
    burst : int
        How many each sender may make at once.
    rates : Rates
        What each sender has left; processes may share it.

    Examples
    --------
    >>> Guards(label_bytes=4).check_label("spam")
    >>> Guards(label_bytes=4).check_label("spams")
    Traceback (most recent call last):
    likely.errors.GuardError: the label 'spams' has 5 bytes, and at most 4 are allowed
    """

    classes: int = 1_000
    label_bytes: int = 256
    name_bytes: int = 256
    rate: float | None = None
    burst: int = 100
    rates: Rates = field(default_factory=OwnRates, repr=False, compare=False)

    def check_label(self, label: Label) -> None:
        """Raise ``GuardError`` if a label is empty or too long."""
        size = len(str(label).encode("utf-8", "surrogatepass"))
        if not size:
            raise GuardError("the label is empty: name a class")
        if size > self.label_bytes:
            shown = printable(str(label)[:40]) + ("…" if len(str(label)) > 40 else "")
            raise GuardError(f"the label {shown!r} has {size} bytes, and at most {self.label_bytes} are allowed")

    def check_name(self, name: str | None, what: str) -> None:
        """Raise ``GuardError`` if a source or a key is too long; ``what`` says which it is."""
        size = 0 if name is None else len(name.encode("utf-8", "surrogatepass"))
        if size > self.name_bytes:
            raise GuardError(f"the {what} has {size} bytes, and at most {self.name_bytes} are allowed")

    def check_class(self, label: Label, known: Collection[Label]) -> None:
        """Raise ``GuardError`` if a label would be one class too many."""
        if label not in known and len(known) >= self.classes:
            raise GuardError(
                f"{printable(str(label))!r} would be a new class, and there are {len(known)}, as many as are allowed"
            )

    def take(self, sender: str | None, corrections: int) -> None:
        """Count the corrections of a sender; ``GuardError`` if there are too many at this time."""
        if self.rate is None:
            return
        wait = self.rates.take(sender, corrections, self.rate, self.burst)
        if wait > 0:
            raise GuardError(
                f"there are too many corrections: {self.rate:g} per second and {self.burst} at once are allowed. Try "
                f"again in {wait:.1f} seconds",
                wait,
            )
