"""`Wish`: whether the caller of training wants options to be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.options.table import TUNING
from likely.scoring.tuning_record import AUTO, BESIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

_ASKING = ("tune", "budget", "prefer", "strongest")
"""The options with which the caller asks for a choice."""


@dataclass(frozen=True)
class Wish:
    """What only training decides by. The fields are the options of `likely.options.table.TUNING`.

    Examples
    --------
    >>> Wish().completed({}), Wish().completed({"alpha": 0.5}), Wish().completed({"alpha": 0.5, "budget": "5s"})
    ({'tune': 'auto'}, {'alpha': 0.5}, {'tune': 'auto', 'alpha': 0.5, 'budget': '5s'})
    """

    plain: bool = False

    def check(self, options: Mapping[str, object]) -> None:
        """Raise ``OptionError`` for values that are not allowed or contradict each other or the options given."""
        for name, option in TUNING.items():
            option.check(getattr(self, name))
        others = [name for name in options if name not in BESIDE]
        if self.plain and (others or _is_asked(options)):
            what = others[0] if others else "choosing options"
            raise OptionError(f"plain means multinomial, alpha 1 and single words: {what} contradicts it")

    def completed(self, options: Mapping[str, object]) -> dict[str, object]:
        """The options of the model to train: with ``tune='auto'`` if options are to be chosen.

        That is so if no option is given that changes what is learned, or if the caller asked for it by ``budget``,
        ``prefer`` or ``strongest``.
        """
        given = any(name not in BESIDE for name in options)
        if self.plain or "tune" in options or (given and not _is_asked(options)):
            return dict(options)
        return {"tune": AUTO, **options}


def _is_asked(options: Mapping[str, object]) -> bool:
    return any(options.get(name) not in (None, False) for name in _ASKING)
