"""`Where`: an expression that texts match or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely import _native
from likely.filtering.expression import Part, RoughlyScored, Scored, check_labels, places_of
from likely.filtering.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.filtering.certainty import Certain
    from likely.model.naive_bayes import NaiveBayes
    from likely.scoring.scorer import Answers, RoughAnswers
    from likely.types import Label, Mask, Prior, Texts


@dataclass(frozen=True)
class Where:
    """An expression that texts match or not, such as ``p(good) >= 0.8 and known > 0.3``.

    It consists of comparisons (``<``, ``<=``, ``>``, ``>=``, ``==``, ``!=``; also ``0.2 < known <= 0.9``), which
    ``and``, ``or``, ``not`` and parentheses combine. They compare numbers with

    - ``p(CLASS)``: the probability of a class; a name that is not one word is quoted, as in ``p('not so good')``
    - ``probability``: the probability of the predicted label
    - ``known``: the share of the terms of the text that the model knows
    - ``terms``: the number of terms of the text
    - ``length``: the number of its characters

    or the predicted label with classes: ``label == 'good'``, ``label != good``, ``label in (good, fair)``,
    ``label not in (bad)``. If the model abstains, the label is different from all classes.

    Attributes
    ----------
    part : Part
        The expression. Its text, from `str`, is the same for expressions that differ only in spaces and quotes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["so good", "so bad"], ["good", "bad"])
    >>> where = Where.parse("p(good) >= 0.6 and known > 0")
    >>> where.matches(model, ["good", "bad", "unheard of"])
    array([ True, False, False])
    >>> Where.parse("p(good > 0.8")
    Traceback (most recent call last):
    likely.errors.ParseError: column 8 of the expression: expected ), but found '>'
    """

    part: Part

    @classmethod
    def parse(cls, text: str) -> Where:
        """The expression in a text. Raise ``ParseError`` if the text is not an expression."""
        return cls(Parser(text).parse())

    def __str__(self) -> str:
        return str(self.part)

    def check(self, labels: Sequence[Label]) -> None:
        """Raise ``UnknownClassError`` if the expression names a class that is not among these."""
        check_labels(self.part, labels)

    def of_answers(self, texts: _native.Strings, answers: Answers, labels: Sequence[Label]) -> Mask:
        """Whether each text matches, from the answers of a model with these classes: one element per text."""
        return self.part(Scored(texts, answers, places_of(labels)))

    def of_rough_answers(self, texts: _native.Strings, answers: RoughAnswers, labels: Sequence[Label]) -> Certain:
        """Whether each text certainly matches or not, from rough answers of a model with these classes."""
        return self.part.certainly(RoughlyScored(texts, answers, places_of(labels)))

    def matches(self, model: NaiveBayes, texts: Texts) -> Mask:
        """Whether each text matches, with the answers of this model: one element per text."""
        self.check(model.classes_.tolist())
        return Screen(self, model)(_native.Strings(texts))


class Screen:
    """Decides which texts match an expression. Rough answers decide most of them, and exact answers the others.

    Parameters
    ----------
    where : Where
        The expression.
    model : NaiveBayes
        The model, which has the classes that the expression names.
    prior : {"fitted", "uniform"}, mapping or None
        As for `NaiveBayes.predict`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["so good", "so bad"], ["good", "bad"])
    >>> Screen(Where.parse("p(good) > 0.5"), model)(_native.Strings(["good", "bad"]))
    array([ True, False])
    """

    MOST_OPEN = 0.25
    """If rough answers leave a larger share of the texts open, exact answers alone take less time."""

    def __init__(self, where: Where, model: NaiveBayes, prior: Prior | None = None) -> None:
        self._where, self._model, self._prior = where, model, prior
        self._labels = model.classes_.tolist()
        self._seen = self._open = 0

    def __call__(self, texts: _native.Strings) -> Mask:
        """Whether each text matches: one element per text."""
        rough = self._model._rough_answers(texts, prior=self._prior) if self._is_worth_it() else None
        if rough is None:
            return self._exactly(texts)
        certain = self._where.of_rough_answers(texts, rough, self._labels)
        is_open, found = certain.is_open(), certain.yes.copy()
        self._seen += len(found)
        self._open += int(is_open.sum())
        if is_open.any():
            found[is_open] = self._exactly(texts.chosen(is_open))
        return found

    def _is_worth_it(self) -> bool:
        return self._open <= self.MOST_OPEN * self._seen

    def _exactly(self, texts: _native.Strings) -> Mask:
        answers = self._model._predict_all(texts, prior=self._prior)
        return self._where.of_answers(texts, answers, self._labels)
