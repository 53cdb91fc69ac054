"""`Questions`: what a model has learned. Each method calls one function with the moment of the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from likely import _native
from likely.analysis.analyzer import check_text
from likely.explanation import words
from likely.formulas import expected_collisions
from likely.weighing.terms import class_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from likely.analysis.analyzer import Analyzer
    from likely.explanation.independence import Independence
    from likely.explanation.words import Difference
    from likely.model.settled import Settled
    from likely.model.state import State
    from likely.reading.batch import Chosen
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.scoring.tuning_record import Tuning
    from likely.types import Array, Label, LabelArray, Labels, Texts
    from likely.weighing.moment import Moment

P = ParamSpec("P")
T = TypeVar("T")


class Questions:
    """The questions about what a model has learned. This class has no state of its own."""

    _state: State

    def _settle(self) -> Settled:
        raise NotImplementedError

    def _ask(self, question: Callable[Concatenate[Moment, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function of the model at this moment."""
        settled = self._settle()
        with self._state.lock:
            return question(self._state.moment(settled.rules), *args, **kwargs)

    def _ask_kept(self, question: Callable[Concatenate[Moment, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `_ask`, for a function that needs only the classes and the kept terms, not all counts."""
        settled = self._settle()
        with self._state.lock:
            return question(self._state.moment(settled.rules, whole=False), *args, **kwargs)

    @property
    def classes_(self) -> LabelArray:
        """The labels, sorted."""
        return self._ask_kept(lambda moment: moment.counts.live().array)

    @property
    def class_documents_(self) -> Array:
        """The (weighted) number of documents of each class."""
        return self._ask_kept(lambda moment: moment.counts.totals().documents[moment.counts.live().numbers])

    @property
    def class_tokens_(self) -> Array:
        """N_c: the sum of the counts of each class, whatever the weights of the classes."""
        return self._ask_kept(lambda moment: moment.terms.unweighted.class_tokens()[moment.counts.live().numbers])

    @property
    def class_weights_(self) -> Array:
        """The weight of each class, which multiplies its counts and documents: 1, unless ``class_weight`` is given.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(class_weight="balanced").fit(["good", "so good", "fun", "dull"], ["+", "+", "+", "-"])
        >>> model.class_weights_, model.class_documents_
        (array([0.66666667, 2.        ]), array([3., 1.]))
        """
        return self._ask_kept(lambda moment: class_weights(moment.counts, moment.rules))

    @property
    def log_prior_(self) -> Array:
        """Log P(c) of each class."""
        return self._ask_kept(lambda moment: moment.classes.log_prior)

    @property
    def vocabulary_(self) -> list[str]:
        """The kept terms, sorted: all terms that were learned and are neither too rare nor too frequent."""
        return self._ask_kept(lambda moment: moment.counts.native.spell(moment.terms.sorted_ids()))

    @property
    def terms_(self) -> int:
        """The number of terms that were learned."""
        return self._ask_kept(lambda moment: moment.counts.terms)

    @property
    def dropped_terms_(self) -> int:
        """The number of terms that were dropped from the model, together with their counts."""
        return self._ask_kept(lambda moment: moment.counts.dropped)

    @property
    def analysis_(self) -> Analyzer:
        """The analyzer that split the learned texts into terms."""
        return self._state.analyzer

    @property
    def collisions_(self) -> float | None:
        """The expected number of terms that share a bucket with another; None if terms have names."""
        bits = self.analysis_.hash_bits
        return expected_collisions(self.terms_, 2**bits) if bits else None

    @property
    def tuning_(self) -> Tuning | None:
        """How `likely.train` chose the options: each setting that was tried, with its results; None if it did not."""
        return self._state.tuning

    @property
    def columns_(self) -> Chosen | None:
        """The columns ``text`` and ``label`` that `likely.train` read; None if the source has no columns."""
        return self._state.columns

    @property
    def calibration_(self) -> CalibrationRecord | None:
        """The calibration of the probabilities and its measured effect; None if they are not calibrated.

        It is also None if an option was changed that the scores depend on; if only the prior was changed,
        probabilities are shifted to it. ``age`` says how much the model has learned and forgotten since.
        """
        return self._state.calibration_for(self._settle().rules)

    def knows(self, terms: list[str]) -> list[bool]:
        """Whether each term was learned and is kept.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "bad"], ["+", "-"]).knows(["good", "fun"])
        [True, False]
        """
        return self._ask_kept(words.knows, terms)

    def read_terms(self, terms: list[str]) -> list[str]:
        """Terms as the model reads them: with ``spelling='on'``, unknown words as the words that they misspell.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(spelling="on").fit(["terrible plot", "good"], ["-", "+"])
        >>> model.read_terms(["terible", "good"])
        ['terrible', 'good']
        """
        return self._ask_kept(words.read_terms, terms)

    def term_row(self, term: str) -> list[words.TermRow]:
        """Count, documents and P(term|class) of a term, one row per class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "bad"], ["+", "-"]).term_row("good")[0]
        {'class': '+', 'count': 1, 'documents': 1, 'probability': 0.4}
        """
        return self._ask(words.term_row, term)

    def counts(self, term: str) -> dict[Label, words.TermCounts]:
        """The number of occurrences of a term in each class, and the number of documents that have it.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so so good", "bad"], ["+", "-"]).counts("so")
        {'+': TermCounts(count=2, documents=1), '-': TermCounts(count=0, documents=0)}
        """
        return self._ask(words.term_counts, term)

    def counts_table(self) -> pa.Table:
        """All counts as a sorted Arrow table with the columns term, class, count, documents.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so so good", "bad"], ["+", "-"]).counts_table().to_pylist()[-1]
        {'term': 'so', 'class': '+', 'count': 2, 'documents': 1}
        """
        return self._ask(lambda moment: moment.counts.table())

    def ratio(self, term: str, a: Label | None = None, b: Label | None = None) -> words.Ratio:
        """P(term|a) / P(term|b), its logarithm, and the counts behind it.

        With two classes, ``a`` and ``b`` may be left out: they are then the second and the first class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["I am happy", "I am sad"], ["pos", "neg"])
        >>> model.ratio("happy", "pos", "neg").ratio
        2.0
        """
        return self._ask(words.ratio, term, a, b)

    def ratio_table(self, a: Label | None = None, b: Label | None = None) -> pa.Table:
        """The counts, probabilities, ratio and log-ratio of each term for two classes, as an Arrow table.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["I am happy", "I am sad"], ["pos", "neg"])
        >>> model.ratio_table("pos", "neg").column_names
        ['term', 'count_a', 'count_b', 'p_a', 'p_b', 'ratio', 'log_ratio']
        """
        return self._ask_kept(words.ratio_table, a, b)

    def top_words(self, label: Label, n: int = 10) -> list[tuple[str, float]]:
        """The ``n`` most typical terms of a class against all others, with their scores.

        The score is the logarithm of how much more often the term occurs in this class than in the others, after ten
        more occurrences were added to every term, divided between the classes as all tokens are. So neither stop
        words, which are frequent everywhere, nor words that occur once or twice come first. Only terms with a score
        above 0 are listed.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts = ["the good the fun", "the good one", "the bad one", "the bad the dull"]
        >>> model = NaiveBayes().fit(texts, ["+", "+", "-", "-"])
        >>> [term for term, _ in model.top_words("+", 2)]
        ['good', 'fun']
        """
        return self._ask_kept(words.top_words, label, n)

    def top_words_of(self, labels: list[Label], n: int = 10) -> dict[Label, list[tuple[str, float]]]:
        """The most typical terms of several classes, as `top_words` gives them for one: all counts are read once.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["good good", "bad bad"], ["+", "-"]).top_words_of(["+", "-"], 1)
        >>> {label: [term for term, _ in words] for label, words in found.items()}
        {'+': ['good'], '-': ['bad']}
        """
        return self._ask_kept(words.top_words_of, labels, n)

    def log_likelihood(self, text: str, label: Label) -> float:
        """Log P(text|class): the sum over the known words of the text. Unknown words are ignored.

        Examples
        --------
        >>> import math
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(alpha=0).fit(["a a b"], ["x"])
        >>> round(math.exp(model.log_likelihood("a b", "x")), 6)
        0.222222
        """
        from likely.explanation import language_model

        check_text(text)
        return self._ask(language_model.log_likelihood, self._count_unlabelled([text]), label)[0]

    def perplexity(self, texts: Texts, label: Label) -> float:
        """The perplexity of texts under a class as a language model: exp(-log P / N) over their known words.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> round(NaiveBayes(alpha=0).fit(["a a b b"], ["x"]).perplexity(["a b"], "x"), 6)
        2.0
        """
        from likely.explanation import language_model

        return self._ask(language_model.perplexity, self._count_unlabelled(texts), label)

    def _count_unlabelled(self, texts: Texts) -> _native.Counts:
        analyzer = self.analysis_
        return _native.Counts.count(analyzer.native, analyzer.texts(texts), None, None, self._settle().threads)

    def generate(self, label: Label, words: int, seed: int) -> str:
        """A text of random words of a class, each drawn independently with its probability P(word|class).

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(alpha=0).fit(["well well", "ill"], ["+", "-"]).generate("+", words=3, seed=1)
        'well well well'
        """
        from likely.explanation import language_model

        return self._ask(language_model.generate, label, words, seed)

    def independence(self, texts: Texts, labels: Labels | None = None, n: int = 20) -> Independence:
        """The pairs of terms that violate the naive assumption most: that terms are independent within a class.

        Among the few hundred terms that are most informative about the class, this lists the pairs that occur
        together more or less often than their frequencies in each class predict; how much of their evidence is
        counted twice; and how often the same evidence is counted on average over all terms.

        Parameters
        ----------
        texts
            The texts: learned ones, or others.
        labels : optional
            Their classes. Default: the classes that the model predicts.
        n : int
            At most this many pairs.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts = ["hong kong", "hong kong trade", "trade", "paris", "paris trade", "rome"]
        >>> labels = ["asia"] * 3 + ["europe"] * 3
        >>> found = NaiveBayes().fit(texts, labels).independence(texts, labels, n=1)
        >>> worst = found.pairs[0]
        >>> worst.a, worst.b, worst.documents, round(worst.expected, 2), round(worst.double_counted, 2)
        ('hong', 'kong', 2, 1.33, 1.61)
        """
        from likely.explanation.independence import independence

        texts = list(texts) if isinstance(texts, Iterator) else texts
        with self._state.lock:  # the classes of the texts must be those of the counts
            known = self._state.scorer(self._settle()).best(texts).tolist() if labels is None else labels
            # Only with spelling correction can a term that is not kept stand for one that is.
            ask = self._ask if self._settle().rules.spelling else self._ask_kept
            return ask(independence, texts, known, n, self._settle().threads)

    def difference(self, other: Questions, n: int = 10) -> Difference:
        """How another model differs from this one: options, documents and counts, with the ``n`` largest changes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> found = model.difference(model + NaiveBayes().fit(["good good"], ["+"]))
        >>> found.documents, found.changes
        ({'+': (1.0, 2.0)}, [Change(term='good', label='+', before=1.0, after=3.0)])
        """
        from likely.explanation.words import difference

        old, new = self._settle().values, other._settle().values
        changed = {name: (old[name], new[name]) for name in old if old[name] != new[name] and name != "threads"}
        first, second = sorted((self._state, other._state), key=id)
        with first.lock, second.lock:  # in the same order in every thread, so that no two wait for each other
            return self._ask(lambda mine: other._ask(lambda theirs: difference(mine, theirs, changed, n)))
