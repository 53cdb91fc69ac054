"""Which terms are kept: neither too rare nor too common, and no more than so many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import OptionError
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.vectorize.drop_in.routes import Counted


@dataclass(frozen=True)
class Selection:
    """The parameters that decide it, as scikit-learn has them.

    Examples
    --------
    >>> Selection(max_df=1.0, min_df=1, max_features=None).keeps_all
    True
    """

    max_df: float
    min_df: float
    max_features: int | None

    @property
    def keeps_all(self) -> bool:
        """Whether there is nothing to leave out, whatever the documents."""
        everything = not is_whole(self.max_df) and self.max_df == 1
        return everything and self.min_df in (0, 1) and is_whole(self.min_df) and self.max_features is None

    def keep(self, counted: Counted, binary: bool) -> npt.NDArray[np.bool_] | None:
        """Which of the columns to keep, or None for all."""
        if not counted.columns():
            raise OptionError("empty vocabulary; perhaps the documents only contain stop words")
        most = self.max_df if is_whole(self.max_df) else self.max_df * len(counted)
        least = self.min_df if is_whole(self.min_df) else self.min_df * len(counted)
        if most < least:
            raise OptionError(
                f"max_df corresponds to < documents than min_df: {self.max_df!r} is at most {most:g} of "
                f"{len(counted)} documents, {self.min_df!r} at least {least:g}"
            )
        if self.keeps_all:
            return None
        documents = counted.documents()
        keep = (documents <= most) & (documents >= least)
        if self.max_features is not None and keep.sum() > self.max_features:
            keep = self._most_frequent(keep, documents if binary else counted.totals())
        if not keep.any():
            raise OptionError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        return None if keep.all() else keep

    def _most_frequent(self, keep: npt.NDArray[np.bool_], totals: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        columns = np.flatnonzero(keep)
        # numpy's default sort decides between equals, as it does for scikit-learn.
        best = (-totals[columns]).argsort()[: self.max_features]
        chosen = np.zeros(len(keep), dtype=bool)
        chosen[columns[best]] = True
        return chosen
