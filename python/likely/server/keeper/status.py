"""`KeeperStatus`: what a keeper says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeeperStatus:
    """What a keeper says about itself.

    Attributes
    ----------
    documents : float
        The (weighted) number of documents that the model has learned, with those of its base.
    classes : int
        The number of its classes.
    seq, folded : int
        The last entry that the model in memory contains, and the last one that is folded into a file.
    can_learn : bool
        Whether it learns and forgets.
    why_not : str or None
        Why it does not, as a sentence.
    durability : str
        What an acknowledged correction survives: "sync" is a loss of power; "none" without a store.
    """

    documents: float
    classes: int
    seq: int
    folded: int
    can_learn: bool
    why_not: str | None
    durability: str
