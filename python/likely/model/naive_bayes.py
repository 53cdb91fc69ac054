"""`NaiveBayes`: the model. It holds counts, and weighs them when it is asked something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likely.analysis.analyzer import check_text
from likely.evaluation.evaluation import Evaluation, Judge, accuracy, evaluate_batches
from likely.explanation.explanation import Explanation, explain
from likely.labels import python_labels
from likely.model.examiner import Examiner

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    from likely.reading import Corpus
    from likely.storage import Saved
    from likely.storage.prune import Kept


class NaiveBayes(Examiner):
    """A naive Bayes text classifier: raw text in, a label out, with the arithmetic shown.

    All arguments are options of the one option table (`likely.options.OPTIONS`), by keyword only.

    Parameters
    ----------
    task : str or None
        A preset for a kind of work: it sets options that are left at their defaults, as the reference says.
    variant : str
        Which naive Bayes: 'multinomial' counts a term each time it occurs, 'binary' once a document,
        'bernoulli' also where it is absent; 'complement' asks which other classes it speaks against; 'nbsvm' is
        a linear classifier on naive Bayes's ratios, learned from all documents at once.
    alpha : float
        Added to every count (Laplace's smoothing is 1); with 0 an unseen term has probability 0.
    prior : {"fitted", "uniform"} or mapping
        P(class) before the text is seen: as in the training data, equal for all, or given.
    analyzer : {"word", "char", "char_wb", "both"}
        What a text is cut into: words of any script, characters, characters within words, or words and those.
    ngrams : (int, int)
        How many words or characters in a row make a term: the shortest and the longest.
    char_ngrams : (int, int)
        How many characters in a row make a term beside the words, where analyzer is 'both'.
    lowercase : bool
        Whether words that differ only in case are one term.
    accents : {"keep", "strip"}
        Whether 'café' and 'cafe' are two terms, or one.
    normalize : {"none", "nfc", "nfkc"}
        Unicode's normal form that texts are brought to: 'nfc' composes accents, 'nfkc' also makes full-width
        letters, ligatures and the like plain.
    punctuation : {"drop", "keep"}
        Whether punctuation marks and symbols are terms, each one, and emoticons such as :-) as a whole.
    numbers : {"keep", "mask"}
        Whether a number is a term as it is, or as its shape: 3.14 as <number:9.99>.
    urls : {"split", "keep", "mask"}
        Addresses of the web (https://..., www....): 'split' into words, 'keep' as one term, or 'mask' as one
        term for all of them.
    emails : {"split", "keep", "mask"}
        Addresses of mail: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    mentions : {"split", "keep", "mask"}
        @names: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    hashtags : {"split", "keep", "mask"}
        #names: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them.
    stop_words : str, collection of str or None
        Words that are left out: those of a list, of a language (negators are not among them), or 'auto' for
        terms in more than half of all documents.
    stem : str
        The language whose endings are cut off words (Snowball's stemmers), so that 'loves' and 'loved' are
        one term.
    negation : str or collection of str
        Whether words after a negator, up to the next punctuation, are terms of their own: 'not good' as not,
        NOT_good.
    spelling : {"off", "on"}
        Whether an unknown word is read as the known one that it misspells.
    min_documents : int or float
        Terms in fewer documents do not count (a share if below 1); they are learned all the same.
    max_documents : int or float
        Terms in more documents do not count (1.0 is a share: all of them); they are learned all the same.
    max_terms : int or None
        Only so many terms count, the most frequent ones; of equally frequent ones the first in the alphabet.
    hash_bits : int
        0 to keep the names of terms; else they are counted in 2**hash_bits buckets, without names.
    tokenizer : callable or None
        A function that cuts texts into tokens, for languages or rules of your own; a model file names it.
    weighting : {"counts", "tfidf"}
        What a term counts in a document: its occurrences, or tf-idf, (1 + log tf) * log(N / df).
    tf : {"sublinear", "raw"}
        For tf-idf: whether tf is 1 + log of the occurrences, or their number.
    idf : {"plain", "smooth"}
        For tf-idf: whether idf is log(N / df), or log((1 + N) / (1 + df)) + 1.
    norm : {"none", "l2"}
        For tf-idf and nbsvm: whether all documents have the same length. That reads the texts twice, and nothing
        can be learned on or forgotten.
    loss : {"hinge", "logistic"}
        For nbsvm: the loss that is made least, the squared hinge of support vector machines or the logistic one.
    cost : float
        For nbsvm: what an error costs, measured by the size of the weights (C of support vector machines).
    interpolation : float
        For nbsvm: how far learned weights go from their mean: 1 all the way, 0 for naive Bayes.
    document_weight : {"length", "equal"}
        How much a document counts in learning: the more the longer it is, or all the same, each term over the
        (Euclidean) length of its document.
    calibrate : bool
        Whether learning also fits probabilities that mean something, from what each document would have got
        from a model without it.
    abstain : float, mapping or None
        When to give no class: below a probability of the best one, or a margin to the next, or so that a
        share of the answers is right.
    threads : int or None
        How many threads work at once, None for one a processor; the results are the same for any number.

    Examples
    --------
    >>> model = NaiveBayes().fit(["good fun", "very good", "dull plot"], ["+", "+", "-"])
    >>> model.predict(["a good plot", "how dull"])
    array(['+', '-'], dtype='<U1')
    >>> model.learn(["no fun at all"], ["-"]).predict(["all the fun"])
    array(['-'], dtype='<U1')
    """

    def score(self, texts: Any, labels: Any, sample_weight: Any = None) -> float:
        """The (weighted) share of texts whose predicted class is the given one."""
        return accuracy(labels, self.predict(texts, abstain=0), sample_weight)

    def evaluate(
        self, texts: Any, labels: Any = None, *, beta: float = 1.0, prior: Any = None, **reading: Any
    ) -> Evaluation:
        """Predict the texts, abstaining from none, and compare with their labels.

        Parameters
        ----------
        texts
            Texts as for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`.
        labels : iterable of str, int or bool, optional
            Their labels.
        beta : float
            How much more recall counts than precision in F.
        prior : {"fitted", "uniform"} or mapping, optional
            As for `predict`.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.evaluate(["good", "dull", "fun"], ["+", "-", "-"]).accuracy
        0.6666666666666666
        """
        if labels is not None:
            return self._evaluate([(texts, python_labels(labels))], beta, prior)
        from likely.reading import corpus_of

        corpus = corpus_of(texts, reading)
        with corpus.told():
            return self.evaluate_corpus(corpus, beta=beta, prior=prior)

    def evaluate_corpus(self, corpus: Corpus, *, beta: float = 1.0, prior: Any = None) -> Evaluation:
        """As `evaluate`, of a corpus that somebody has opened."""
        kind = type(self.classes_.tolist()[0])
        return self._evaluate(((batch.texts, batch.labels_as(kind)) for batch in corpus), beta, prior)

    def _evaluate(self, batches: Iterable[tuple[Any, Any]], beta: float, prior: Any) -> Evaluation:
        judge = Judge(self.classes_)
        pairs = (
            (labels, judge.predicted(self.predict_log_proba(texts, prior=prior), labels)) for texts, labels in batches
        )
        return judge.completed(evaluate_batches(pairs, beta=beta))

    def explain(self, text: str, *, alpha: float | None = None) -> Explanation:
        """Why a text gets its class: the sum, word by word.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> explanation = model.explain("good, unheard-of fun")
        >>> explanation.unknown
        ['unheard', 'of']
        >>> [(e.term, e.count) for e in explanation.terms]
        [('good', 1), ('fun', 1)]
        """
        check_text(text)
        with self._lock:
            joint = self.predict_joint_log_proba([text], alpha=alpha)
            explanation = self._ask(explain, text, joint, self._weigh(alpha).read_words, alpha=alpha)
            if alpha is not None or self.calibration_ is None:
                return explanation
            probabilities = self.predict_proba([text])[0].tolist()
            return replace(explanation, calibrated=dict(zip(explanation.classes, probabilities, strict=True)))

    def keep(self, *, min_documents: int = 1, max_size: int | str | None = None) -> KeptModel:
        """What `save` would write with the same arguments: the model as it will be, to try before it is written.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.keep(min_documents=2).model.vocabulary_
        ['good', 'plot']
        """
        from likely.storage import keep

        kept = keep(self, min_documents, max_size)
        model = self
        if kept.counts is not self._counts:
            model = type(self)(**self.get_params())
            model._start_from(kept.counts)
            model._set_calibrated(self._calibrated_for(self._rules(None)))
            model._tuning = self._tuning
        return KeptModel(model, kept)

    def save(
        self, path: str | os.PathLike[str], *, min_documents: int = 1, max_size: int | str | None = None
    ) -> Saved:
        """Write the model to one file, which is then there whole or, on an error, as it was before.

        The file is a Parquet table with the columns term, class, count and documents: DuckDB, Spark, polars and
        pandas read it too. It holds no training text, but single words of it. The model itself stays as it is.

        Parameters
        ----------
        path : str or path-like
            By custom it ends in ``.likely``.
        min_documents : int
            Leave out terms that occur in fewer documents: they say little, and rare ones may be names or numbers.
        max_size : int or str, optional
            Leave out the least informative terms so that the file has at most so many bytes ('2MB', '1.5 MiB').

        Returns
        -------
        Saved
            The size of the file, how many terms are in it, and what those that are not would have said.

        Examples
        --------
        >>> import tempfile
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saved = model.save(f"{folder}/reviews.likely", min_documents=2)
        ...     load(f"{folder}/reviews.likely").vocabulary_
        ['good', 'plot']
        >>> saved.terms, saved.dropped_terms
        (2, 2)
        """
        from likely.storage import save

        return save(self, path, min_documents, max_size)


@dataclass(frozen=True)
class KeptModel:
    """A model from which terms may have been dropped, not yet written."""

    model: NaiveBayes
    _kept: Kept

    def write(self, path: str | os.PathLike[str], terms: int) -> Saved:
        """Write it to a file; ``terms`` is how many there were before some were dropped."""
        from likely.storage import write

        return write(self._kept, path, terms)


def load(path: str | os.PathLike[str], *, tokenizer: Callable[[str], Iterable[str]] | None = None) -> NaiveBayes:
    """The model of a file that `NaiveBayes.save` wrote.

    It learns, forgets and merges on as the saved one would have. ``ModelFileError`` for anything else than such a
    file: what is damaged or made to do harm is refused, and nothing in a file is ever run. So a model that was made
    with a ``tokenizer`` needs it to be given again: its file only names it.

    Examples
    --------
    >>> import tempfile
    >>> model = NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     size = model.save(f"{folder}/reviews.likely").size
    ...     load(f"{folder}/reviews.likely").predict(["fun"])
    array(['+'], dtype='<U1')
    """
    from likely.storage import load

    model = NaiveBayes.__new__(NaiveBayes)
    load(model, path, tokenizer)
    return model
