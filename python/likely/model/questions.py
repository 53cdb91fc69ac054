"""What a model knows: its classes and words, and what follows from their counts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from likely import _native
from likely.analysis.analyzer import check_text, thread_count
from likely.explanation import language_model as language
from likely.explanation import words
from likely.formulas import expected_collisions
from likely.model.learner import Learner
from likely.weighing.weights import Weights, weigh_classes

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    import pyarrow as pa

    from likely.types import Array, Label

T = TypeVar("T")


class Knowledge(Learner):
    """What can be asked of a model's counts. `NaiveBayes` adds what it says of new texts."""

    def _ask(self, question: Callable[..., T], *args: Any, alpha: float | None = None) -> T:
        """Put a question to the counts, the classes and the rules of one moment."""
        with self._lock:
            self._check_fitted()
            rules = self._rules(alpha)
            weights = self._weights
            if weights is not None and weights.rules == rules:
                return question(self._counts, weights.classes, rules, *args)
            return question(self._counts, weigh_classes(self._counts, rules), rules, *args)

    def _weigh(self, alpha: float | None = None) -> Weights:
        """The weights of the counts as they are, made anew if need be."""
        rules = self._rules(alpha)
        weights = self._weights if alpha is None else self._other_weights
        if weights is not None and weights.rules == rules:
            return weights
        with self._lock:
            self._check_fitted()
            weights = self._weights if alpha is None else self._other_weights
            if weights is None or weights.rules != rules:  # else another thread was faster
                weights = Weights(self._counts, rules)
            if alpha is None:
                self._weights = weights
            else:
                self._other_weights = weights
            return weights

    def _count_unlabelled(self, texts: Any) -> _native.Counts:
        analyzer = self._counts.analyzer
        return _native.Counts.count(analyzer.native, analyzer.texts(texts), None, None, thread_count(self.threads))

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels, sorted."""
        return self._ask(lambda counts, classes, rules: classes.array)

    @property
    def class_documents_(self) -> Array:
        """The (weighted) number of documents of each class."""
        return self._ask(lambda counts, classes, rules: counts.totals().documents[classes.columns])

    @property
    def class_tokens_(self) -> Array:
        """N_c: what the counts of each class sum to."""
        return self._ask(lambda counts, classes, rules: classes.tokens)

    @property
    def log_prior_(self) -> Array:
        """Log P(c) of each class."""
        return self._ask(lambda counts, classes, rules: classes.log_prior)

    @property
    def vocabulary_(self) -> list[str]:
        """The terms that count, sorted: all that were learned but those that are too rare or too frequent."""
        return self._ask(lambda counts, classes, rules: counts.native.spell(classes.terms.sorted_ids()))

    @property
    def terms_(self) -> int:
        """How many terms were learned."""
        return int(self._ask(lambda counts, classes, rules: counts.native.terms))

    @property
    def dropped_terms_(self) -> int:
        """How many terms were dropped when the model was saved; it has forgotten what it had learned of them."""
        return int(self._ask(lambda counts, classes, rules: counts.dropped))

    @property
    def collisions_(self) -> float | None:
        """How many terms share a bucket with another, by expectation; None where terms have names."""
        bits = self._counts.analyzer.hash_bits
        return expected_collisions(self.terms_, 2**bits) if bits else None

    def knows(self, terms: list[str]) -> list[bool]:
        """For each term, as it is counted, whether it was learned and counts.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "bad"], ["+", "-"]).knows(["good", "fun"])
        [True, False]
        """
        return self._ask(words.knows, terms)

    def read_terms(self, terms: list[str]) -> list[str]:
        """Terms, as they are counted, as they are read: with ``spelling='on'`` unknown words as those they misspell.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(spelling="on").fit(["terrible plot", "good"], ["-", "+"])
        >>> model.read_terms(["terible", "good"])
        ['terrible', 'good']
        """
        if not self._rules(None).spelling:
            return terms
        words = list(dict.fromkeys(word for term in terms for word in term.split(" ")))
        read = dict(zip(words, self._weigh().read_words(words), strict=True))
        return [" ".join(read[word] for word in term.split(" ")) for term in terms]

    def term_row(self, term: str) -> list[dict[str, Any]]:
        """A term over all classes: count, documents and P(term given class), a row a class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "bad"], ["+", "-"]).term_row("good")[0]
        {'class': '+', 'count': 1, 'documents': 1, 'probability': 0.4}
        """
        return self._ask(words.term_row, term)

    def counts(self, term: str) -> dict[Label, words.TermCounts]:
        """How often a term occurs in each class, and in how many documents.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so so good", "bad"], ["+", "-"]).counts("so")
        {'+': TermCounts(count=2, documents=1), '-': TermCounts(count=0, documents=0)}
        """
        return self._ask(words.term_counts, term)

    def counts_table(self) -> pa.Table:
        """All counts as an Arrow table, sorted: the columns term, class, count, documents.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so so good", "bad"], ["+", "-"]).counts_table().to_pylist()[-1]
        {'term': 'so', 'class': '+', 'count': 2, 'documents': 1}
        """
        return self._ask(lambda counts, classes, rules: counts.table())

    def ratio(self, term: str, a: Label | None = None, b: Label | None = None) -> words.Ratio:
        """P(term given a) / P(term given b), its logarithm, and the counts behind it.

        With two classes ``a`` and ``b`` may be left out: they are then the second and the first.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["I am happy", "I am sad"], ["pos", "neg"])
        >>> model.ratio("happy", "pos", "neg").ratio
        2.0
        """
        return self._ask(words.ratio, term, a, b)

    def ratio_table(self, a: Label | None = None, b: Label | None = None) -> pa.Table:
        """The frequency table of two classes: each term's counts, probabilities, ratio and log-ratio.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["I am happy", "I am sad"], ["pos", "neg"])
        >>> model.ratio_table("pos", "neg").column_names
        ['term', 'count_a', 'count_b', 'p_a', 'p_b', 'ratio', 'log_ratio']
        """
        return self._ask(words.ratio_table, a, b)

    def top_words(self, label: Label, n: int = 10) -> list[tuple[str, float]]:
        """The terms that speak most for a class against all others, with their scores.

        The score is the logarithm of how much more often the term occurs in this class than in the others, after
        every term has been given ten further occurrences, shared as all tokens are. So neither stop words, which are
        frequent everywhere, nor words seen once or twice come first. Only terms that speak for the class are listed.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts = ["the good the fun", "the good one", "the bad one", "the bad the dull"]
        >>> model = NaiveBayes().fit(texts, ["+", "+", "-", "-"])
        >>> [term for term, _ in model.top_words("+", 2)]
        ['good', 'fun']
        """
        return self._ask(words.top_words, label, n)

    def log_likelihood(self, text: str, label: Label) -> float:
        """Log P(text given class): the sum over the known words. Unknown ones are left out.

        Examples
        --------
        >>> import math
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(alpha=0).fit(["a a b"], ["x"])
        >>> round(math.exp(model.log_likelihood("a b", "x")), 6)
        0.222222
        """
        check_text(text)
        return self._ask(language.log_likelihood, self._count_unlabelled([text]), label, self.read_terms)[0]

    def perplexity(self, texts: Any, label: Label) -> float:
        """How surprised the class, as a language model, is by the texts: exp(-log P / N) over their known words.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> round(NaiveBayes(alpha=0).fit(["a a b b"], ["x"]).perplexity(["a b"], "x"), 6)
        2.0
        """
        return self._ask(language.perplexity, self._count_unlabelled(texts), label, self.read_terms)

    def generate(self, label: Label, words: int, seed: int) -> str:
        """Random words as the class would write them, each drawn by its probability alone.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(alpha=0).fit(["well well", "ill"], ["+", "-"]).generate("+", words=3, seed=1)
        'well well well'
        """
        return self._ask(language.generate, label, words, seed)
