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
        A preset: options that suit a kind of task (the reference page lists them). Options that you give yourself
        take precedence.
    variant : str
        The variant of naive Bayes. 'multinomial' uses how often each term occurs, 'binary' only whether it occurs,
        'bernoulli' also which terms are absent. The 'complement' variants estimate each class from the documents of
        all other classes. 'nbsvm' is a linear classifier on the ratios of naive Bayes, trained on all documents at
        once.
    alpha : float
        Additive smoothing: the number that is added to every count (1 is Laplace smoothing). With 0, an unseen term
        has probability 0.
    prior : {"fitted", "uniform"} or mapping
        P(class) before the text is seen: 'fitted' is as in the training data, 'uniform' is equal for all classes, a
        mapping gives the probability of each class.
    analyzer : {"word", "char", "char_wb", "both"}
        The kind of terms: 'word' for words of any script, 'char' for characters, 'char_wb' for characters within
        words, 'both' for words and characters within words.
    ngrams : (int, int)
        The shortest and the longest n-gram: how many consecutive words or characters make a term.
    char_ngrams : (int, int)
        The shortest and the longest n-gram of characters if analyzer is 'both'.
    lowercase : bool
        Ignore case: words that differ only in case are the same term.
    accents : {"keep", "strip"}
        'strip' removes accents: 'café' and 'cafe' are then the same term.
    normalize : {"none", "nfc", "nfkc"}
        The Unicode normal form that texts are converted to: 'nfc' composes accents, 'nfkc' also replaces full-width
        letters, ligatures and similar characters by plain ones.
    punctuation : {"drop", "keep"}
        'keep' makes each punctuation mark and each symbol a term, and each emoticon such as :-) one term.
    numbers : {"keep", "mask"}
        'mask' replaces each number by its shape: 3.14 becomes the term <number:9.99>.
    urls : {"split", "keep", "mask"}
        Web addresses (https://..., www....): 'split' them into words, 'keep' each as one term, or 'mask' all of
        them as the same term.
    emails : {"split", "keep", "mask"}
        E-mail addresses: 'split' them into words, 'keep' each as one term, or 'mask' all of them as the same term.
    mentions : {"split", "keep", "mask"}
        Mentions (@name): 'split' them into words, 'keep' each as one term, or 'mask' all of them as the same term.
    hashtags : {"split", "keep", "mask"}
        Hashtags (#name): 'split' them into words, 'keep' each as one term, or 'mask' all of them as the same term.
    stop_words : str, collection of str or None
        Words to leave out: a list, a file, the list of a language (which contains no negators), or 'auto' for the
        terms that occur in more than half of all documents.
    stem : str
        The language of the Snowball stemmer, which removes endings: 'loves' and 'loved' become the same term.
    negation : str or collection of str
        Mark the words between a negator and the next punctuation mark: 'not good' becomes the terms not and
        NOT_good.
    spelling : {"off", "on"}
        'on' reads an unknown word as the known word that it misspells.
    min_documents : int or float
        Ignore terms that occur in fewer documents than this (below 1: than this share of all documents). They are
        learned all the same, so the number can be changed later.
    max_documents : int or float
        Ignore terms that occur in more documents than this (1.0 is a share: all documents). They are learned all
        the same, so the number can be changed later.
    max_terms : int or None
        Use at most this many terms: the most frequent ones, and of equally frequent ones the alphabetically first.
    hash_bits : int
        0 keeps the names of the terms. Any other number hashes the terms into 2**hash_bits buckets without names.
    tokenizer : callable or None
        A function that splits a text into tokens, for languages or rules of your own. A model file contains only
        its name.
    weighting : {"counts", "tfidf"}
        The value of a term in a document: 'counts' is how often it occurs, 'tfidf' is (1 + log tf) * log(N / df).
    tf : {"sublinear", "raw"}
        For tf-idf: 'sublinear' is 1 + log of how often the term occurs, 'raw' is how often it occurs.
    idf : {"plain", "smooth"}
        For tf-idf: 'plain' is log(N / df), 'smooth' is log((1 + N) / (1 + df)) + 1.
    norm : {"none", "l2"}
        For tf-idf and nbsvm: 'l2' scales each document to unit length. Training reads the texts twice; the model
        can then neither learn nor forget.
    loss : {"hinge", "logistic"}
        For nbsvm: the loss that training minimizes, the squared hinge loss of support vector machines or the
        logistic loss.
    cost : float
        For nbsvm: the penalty C of support vector machines. The larger it is, the more closely the training data
        are fitted.
    interpolation : float
        For nbsvm: the interpolation between naive Bayes (0) and the learned weights (1).
    document_weight : {"length", "equal"}
        How much each document contributes to the counts: 'length' in proportion to its length, 'equal' the same for
        all documents (each term is divided by the Euclidean length of its document).
    calibrate : bool
        Calibrate probabilities while training, on exact leave-one-out scores.
    abstain : float, mapping or None
        When to return None: if the best class is less probable than this number, leads by less than `margin`, or to
        reach a `precision`.
    threads : int or None
        The number of threads; None is one per processor. The results are the same for any number.

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
