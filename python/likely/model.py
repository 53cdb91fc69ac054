"""`NaiveBayes`: the model. It holds counts, and weighs them when it is asked something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.analyze import check_text, thread_count
from likely.errors import OptionError
from likely.evaluate import Evaluation, accuracy, evaluate, evaluate_batches
from likely.explain import Explanation, explain
from likely.formulas import log_posterior, possible
from likely.knowledge import Knowledge
from likely.leave_one_out import leave_one_out
from likely.option import is_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    from likely.corpus import Corpus
    from likely.formulas import Array
    from likely.prune import Kept
    from likely.store import Saved
    from likely.weigh import Classes


class NaiveBayes(Knowledge):
    """A naive Bayes text classifier: raw text in, a label out, with the arithmetic shown.

    All arguments are options of the one option table (`likely.options.OPTIONS`), by keyword only.

    Parameters
    ----------
    task : str or None
        A preset for a kind of work: it sets options that are left at their defaults, as the reference says.
    variant : {"multinomial", "binary", "bernoulli", "complement", "complement_normalized", "nbsvm"}
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

    def _score(
        self, texts: Any, alpha: float | None, reduce: Callable[[Array, Classes], Any]
    ) -> tuple[Classes, list[Any]]:
        """The classes of one moment, and what ``reduce`` made of the scores of each batch of texts."""
        weights = self._weigh(alpha)
        classes = weights.classes
        return classes, weights.score(
            classes, texts, thread_count(self.threads), lambda joint: reduce(joint, classes)
        )

    def predict(self, texts: Any, *, alpha: float | None = None) -> npt.NDArray[Any]:
        """The most probable class of each text; of equally probable ones the first in `classes_`.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            As for `fit`.
        alpha : float, optional
            Smooth with this instead of the model's alpha, for this call.

        Examples
        --------
        >>> NaiveBayes().fit(["good", "bad"], [True, False]).predict(["good", "bad bad", ""])
        array([ True, False, False])
        """
        classes, best = self._score(texts, alpha, most_probable)
        labels: npt.NDArray[Any] = classes.array[:0]
        if best:
            labels = classes.array[best[0] if len(best) == 1 else np.concatenate(best)]
        return labels

    def predict_joint_log_proba(self, texts: Any, *, alpha: float | None = None) -> Array:
        """Log P(c) + sum of log P(w given c) over the known words, a row a text, a column a class.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> np.exp(model.predict_joint_log_proba(["good"])) * [2 * 5, 2 * 4]
        array([[2., 1.]])
        """
        classes, blocks = self._score(texts, alpha, lambda joint, classes: joint)
        return np.concatenate(blocks) if blocks else np.zeros((0, len(classes.labels)))

    def predict_log_proba(self, texts: Any, *, alpha: float | None = None) -> Array:
        """Log P(c given text), a row a text, a column a class."""
        classes, blocks = self._score(texts, alpha, lambda joint, classes: log_posterior(joint, classes.log_prior))
        return np.concatenate(blocks) if blocks else np.zeros((0, len(classes.labels)))

    def predict_proba(self, texts: Any, *, alpha: float | None = None) -> Array:
        """P(c given text), a row a text, a column a class.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.predict_proba(["unheard of"])
        array([[0.5, 0.5]])
        """
        return np.exp(self.predict_log_proba(texts, alpha=alpha))

    def predict_top(self, texts: Any, n: int = 1) -> tuple[npt.NDArray[Any], Array]:
        """The most probable classes of each text, the best first, and their probabilities.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            As for `fit`.
        n : int
            How many classes; all, if there are no more.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> labels, probabilities = model.predict_top(["dull dull"], 2)
        >>> labels
        array([['-', '+']], dtype='<U1')
        >>> probabilities.round(4)
        array([[0.8621, 0.1379]])
        """
        if not is_whole(n) or n < 1:
            raise OptionError(f"n={n!r} is not allowed: n must be a whole number from 1 up")
        classes, blocks = self._score(texts, None, lambda joint, classes: most_probable_first(joint, classes, n))
        if not blocks:
            return classes.array[np.zeros((0, n), np.int64)], np.zeros((0, n))
        places, probabilities = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return classes.array[places], probabilities

    def score(self, texts: Any, labels: Any, sample_weight: Any = None) -> float:
        """The (weighted) share of texts whose predicted class is the given one."""
        return accuracy(labels, self.predict(texts), sample_weight)

    def evaluate(self, texts: Any, labels: Any = None, *, beta: float = 1.0, **reading: Any) -> Evaluation:
        """Predict the texts and compare with their labels.

        Parameters
        ----------
        texts
            Texts as for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`.
        labels : iterable of str, int or bool, optional
            Their labels.
        beta : float
            How much more recall counts than precision in F.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.evaluate(["good", "dull", "fun"], ["+", "-", "-"]).accuracy
        0.6666666666666666
        """
        if labels is not None:
            return evaluate(labels, self.predict(texts), beta=beta)
        from likely.corpus import corpus_of

        corpus = corpus_of(texts, reading)
        with corpus.told():
            return self.evaluate_corpus(corpus, beta=beta)

    def evaluate_corpus(self, corpus: Corpus, *, beta: float = 1.0) -> Evaluation:
        """As `evaluate`, of a corpus that somebody has opened."""
        kind = type(self.classes_.tolist()[0])
        pairs = ((batch.labels_as(kind), self.predict(batch.texts)) for batch in corpus)
        return evaluate_batches(pairs, beta=beta)

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
            return self._ask(explain, text, joint, self._weigh(alpha).read_words, alpha=alpha)

    def leave_one_out(self, texts: Any, labels: Any) -> Array:
        """The scores that learned documents would get from a model that never saw them, each left out in turn.

        As `predict_joint_log_proba` of a model of all other documents, but without training it: the document's own
        counts are taken from its class, the vocabulary and the prior, and words that only it had are gone. So it is
        an honest test on the training data. A class whose only document is left out is impossible.

        Parameters
        ----------
        texts, labels
            Documents that were learned, with the weight 1, and their labels.

        Examples
        --------
        >>> texts, labels = ["good fun", "good end", "bad plot", "bad joke"], ["+", "+", "-", "-"]
        >>> model = NaiveBayes().fit(texts, labels)
        >>> model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        """
        self._check_additive(
            "left out", "try it by cross-validation: fit it to some documents, evaluate it on others"
        )
        with self._lock:
            sum_rows = self._weigh().native.sum_rows
            return self._ask(leave_one_out, texts, labels, thread_count(self.threads), sum_rows)

    def keep(self, *, min_documents: int = 1, max_size: int | str | None = None) -> KeptModel:
        """What `save` would write with the same arguments: the model as it will be, to try before it is written.

        Examples
        --------
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.keep(min_documents=2).model.vocabulary_
        ['good', 'plot']
        """
        from likely.store import keep

        kept = keep(self, min_documents, max_size)
        model = self
        if kept.counts is not self._counts:
            model = type(self)(**self.get_params())
            model._start_from(kept.counts)
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
        from likely.store import save

        return save(self, path, min_documents, max_size)


@dataclass(frozen=True)
class KeptModel:
    """A model from which terms may have been dropped, not yet written."""

    model: NaiveBayes
    _kept: Kept

    def write(self, path: str | os.PathLike[str], terms: int) -> Saved:
        """Write it to a file; ``terms`` is how many there were before some were dropped."""
        from likely.store import write

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
    from likely.store import load

    model = NaiveBayes.__new__(NaiveBayes)
    load(model, path, tokenizer)
    return model


def most_probable_first(joint: Array, classes: Classes, n: int) -> tuple[Any, Array]:
    """The places of the ``n`` most probable classes in each row, the best first, and their probabilities."""
    places = np.argsort(-comparable(joint, classes), axis=1, kind="stable")[:, :n]
    probabilities = np.exp(log_posterior(joint, classes.log_prior))
    return places, np.take_along_axis(probabilities, places, axis=1)


def most_probable(joint: Array, classes: Classes) -> Any:
    """The place of the most probable class in each row; of equally probable ones the first."""
    return comparable(joint, classes).argmax(axis=1)


def comparable(joint: Array, classes: Classes) -> Array:
    """Scores that can be compared also where a text is impossible for every class."""
    return joint if classes.certain else possible(joint, classes.log_prior)
