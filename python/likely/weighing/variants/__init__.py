"""The variants of naive Bayes, one file per formula, each written as the weights of one linear form.

::

    score_c(d) = bias_c + factor_c * sum over known terms t of v_t * (base_c + delta_tc)

| module | variants | weight of a term in a class: the logarithm of |
| --- | --- | --- |
| `variants.multinomial` | multinomial, binary (nbsvm where it needs probabilities) | P(t|c) |
| `variants.bernoulli` | bernoulli | the odds that a document of the class has the term |
| `variants.complement` | complement, complement_binary, complement_normalized | 1 / P(t|other classes) |
| `variants.form` | what they have in common | |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.weighing.variants.bernoulli import Bernoulli
from likely.weighing.variants.complement import Complement, NormalizedComplement
from likely.weighing.variants.multinomial import Multinomial

if TYPE_CHECKING:
    from likely.weighing.variants.form import Variant

LEARNED = "nbsvm"
"""The variant whose weights are learned (`likely.weighing.nbsvm`). Its probabilities are those of binary."""

OF_DOCUMENTS = ("binary", "bernoulli", "complement_binary")
"""The variants in which the value of a term in a document is 1, however often it occurs."""

_FORMS: dict[str, type[Variant]] = {
    "multinomial": Multinomial,
    "binary": Multinomial,
    "bernoulli": Bernoulli,
    "complement": Complement,
    "complement_binary": Complement,
    "complement_normalized": NormalizedComplement,
    LEARNED: Multinomial,
}


def variant_of(name: str, alpha: float) -> Variant:
    """The form of a variant with additive smoothing ``alpha``.

    Examples
    --------
    >>> type(variant_of("binary", 0.5)).__name__
    'Multinomial'
    """
    return _FORMS[name](alpha)
