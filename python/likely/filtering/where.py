"""`Where`: an expression that texts match or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely import _native
from likely.filtering.expression import Part, Scored, check_labels, places_of
from likely.filtering.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.model.naive_bayes import NaiveBayes
    from likely.scoring.scorer import Answers
    from likely.types import Label, Mask, Texts


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

    def matches(self, model: NaiveBayes, texts: Texts) -> Mask:
        """Whether each text matches, with the answers of this model: one element per text."""
        labels = model.classes_.tolist()
        self.check(labels)
        strings = _native.Strings(texts)
        return self.of_answers(strings, model.predict_all(strings), labels)
