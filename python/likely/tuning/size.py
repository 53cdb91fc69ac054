"""The size of a model: among settings that are about as good, the one with fewer terms is taken.

Most terms of a text are rare, and rare terms say little about new texts, but they are most of the vocabulary. A model
without them is loaded and predicts faster. Terms below ``min_documents`` stay in the counts, so all sizes are judged
on the same counts, and the model can still learn and forget exactly. The option ``prefer`` decides when a setting
with fewer terms is taken:

- "balanced": its log-loss is at most 2.5 percent higher, it makes at most 3 percent more mistakes, and it is not
  significantly less accurate (McNemar 1947). A vocabulary of at most 100,000 terms is small enough.
- "small": its accuracy, and the measure that is tuned for, are at most one point lower.
- "accurate": it is better by the rule of the search (`Goal.better`), whatever the sizes.

Stems and kept punctuation make every text slower to analyze, so they are taken only if they are clearly better,
unless accuracy is preferred (`is_worth_its_time`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.scoring.tuning_record import AUTO
from likely.tuning.judge import SIGNIFICANT

if TYPE_CHECKING:
    from likely.scoring.tuning_record import Trial
    from likely.tuning.judge import Counted, Goal, Judged
    from likely.tuning.search import Search

MIN_DOCUMENTS = (2, 3, 5, 10, 20)
"""The values of ``min_documents`` to try, one after another, as long as the last one was taken."""
MORE_LOSS = 0.025
MORE_MISTAKES = 0.03
POINTS = 0.01
LESS_LOSS = 0.0125
"""Stems and punctuation are worth their time if the log-loss is lower by this share."""
SMALL = 100_000
"""A vocabulary of at most this many terms is small: to have fewer saves hardly any time."""


def smaller(search: Search, counted: Counted, best: Judged) -> Judged:
    """The best trial, or one with fewer terms that is about as good."""
    if "min_documents" in search.given:
        return best
    found = best
    for number in MIN_DOCUMENTS:
        trial = search.judge(counted, {**best.trial.options, "min_documents": number})
        if trial is None or trial.trial.terms == 0:
            return found
        if not (search.goal.better(trial, found) or _is_worth(trial, best, search.goal)):
            return found
        found = trial
    return found


def _is_worth(one: Judged, best: Judged, goal: Goal) -> bool:
    is_less_accurate = goal.prefer == "balanced" and best.surplus(one) > SIGNIFICANT
    return not is_less_accurate and is_worth(one.trial, best.trial, goal)


def is_worth_its_time(one: Judged, best: Judged, goal: Goal) -> bool:
    """Whether a better trial, whose stems or punctuation make every text slower to analyze, is clearly better."""
    if goal.prefer == "accurate" or goal.tune_for not in (AUTO, "log-loss") or one.surplus(best) > SIGNIFICANT:
        return True
    return one.trial.log_loss <= (1 - LESS_LOSS) * best.trial.log_loss


def is_worth(one: Trial, best: Trial, goal: Goal) -> bool:
    """Whether one trial has fewer terms than the best one, and is good enough to be taken instead.

    Examples
    --------
    >>> from likely.scoring.tuning_record import Trial
    >>> from likely.tuning.judge import Goal
    >>> best = Trial({}, "leave-one-out", 0.30, 0.900, 0.9, -0.30, 1_000_000)
    >>> one = Trial({"min_documents": 2}, "leave-one-out", 0.305, 0.898, 0.9, -0.305, 200_000)
    >>> [is_worth(one, best, Goal(prefer=prefer)) for prefer in ("balanced", "small", "accurate")]
    [True, True, False]
    """
    if goal.prefer == "accurate" or not one.terms or best.terms is None or one.terms >= best.terms:
        return False
    measured = [(one.accuracy, best.accuracy)]
    if goal.tune_for not in (AUTO, "log-loss"):
        measured.append((one.value, best.value))
    if goal.prefer == "small":
        return all(mine >= other - POINTS for mine, other in measured)
    more = (1 - mine <= (1 + MORE_MISTAKES) * (1 - other) for mine, other in measured)
    return best.terms > SMALL and one.log_loss <= (1 + MORE_LOSS) * best.log_loss and all(more)
