"""`NaiveBayes`: the model that users hold, saved to a file and loaded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from likely.model.learner import Learner
from likely.model.predictions import Predictions
from likely.options.table import OPTIONS
from likely.storage import model_file
from likely.storage.prune import prune

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.storage.model_file import Saved
    from likely.storage.snapshot import Snapshot
    from likely.types import Path, Tokenizer


class NaiveBayes(Learner, Predictions):
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

    def pruned(self, *, min_documents: int = 1, max_size: int | str | None = None) -> Self:
        """The model without some of its terms; with the arguments of `save`, it is what `save` writes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.pruned(min_documents=2).vocabulary_
        ['good', 'plot']
        """
        with self._state.lock:
            self._state.check_fitted()
            snapshot, pruning = prune(self.snapshot(), min_documents, max_size)
        if snapshot.counts is self._state.counts:
            return self
        model = self._of(snapshot, self._given)
        model._state.pruning = pruning
        return model

    def save(self, path: Path, *, min_documents: int = 1, max_size: int | str | None = None) -> Saved:
        """Write the model to one file, whole; if there is an error, the file is as it was before.

        The file is a Parquet table with the columns term, class, count and documents: DuckDB, Spark, polars and
        pandas read it too. It holds the words of the training texts, but not the texts. The model itself stays as it
        is.

        Parameters
        ----------
        path : str or path-like
            By custom it ends in ``.likely``.
        min_documents : int
            Leave out terms that occur in fewer documents: they say little, and rare ones may be names or numbers.
        max_size : int or str, optional
            Leave out the least informative terms, so that the file has at most this size ('2MB', '1.5 MiB').

        Returns
        -------
        Saved
            The size of the file, the number of terms in it, and how much the terms that were left out would have told.

        Examples
        --------
        >>> import tempfile
        >>> from likely import NaiveBayes, load
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saved = model.save(f"{folder}/reviews.likely", min_documents=2)
        ...     load(f"{folder}/reviews.likely").vocabulary_
        ['good', 'plot']
        >>> saved.terms, saved.dropped_terms
        (2, 2)
        """
        with self._state.lock:
            model = self.pruned(min_documents=min_documents, max_size=max_size)
            return model_file.save(model.snapshot(), path, model._state.pruning)

    def snapshot(self) -> Snapshot:
        """All that a file of this model holds, at this moment: options, counts, calibration, tuning.

        The counts are those of the model: do not change them.
        """
        settled = self._settle()
        return self._state.snapshot(settled.values, settled.rules)

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """The model of a snapshot.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], [1, 0])
        >>> NaiveBayes.from_snapshot(model.snapshot()).predict(["good"])
        array([1])
        """
        # Which options were given is not known: those at their defaults leave room for a task.
        # The kinds differ where 1 document and the share 1.0 do.
        given = {
            name: value
            for name, value in snapshot.options.items()
            if value != OPTIONS[name].default or type(value) is not type(OPTIONS[name].default)
        }
        return cls._of(snapshot, given)

    @classmethod
    def _of(cls, snapshot: Snapshot, options: Mapping[str, Any]) -> Self:
        model = cls(**options)
        model._state.replace(snapshot.counts, snapshot.learned, snapshot.tuning)
        model._state.calibrate(snapshot.calibration, model._settle().rules)
        return model

    def __getstate__(self) -> dict[str, Any]:
        with self._state.lock:
            # The bytes of a model are the same for any number of threads.
            data = model_file.to_bytes(self.snapshot())
        return {"model": data, "threads": self.threads, "tokenizer": self.tokenizer}

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = type(self).from_snapshot(model_file.from_bytes(state["model"], state["tokenizer"]))
        vars(self).update(vars(model))
        self.threads = state["threads"]


def load(path: Path, *, tokenizer: Tokenizer | None = None) -> NaiveBayes:
    """The model of a file that `NaiveBayes.save` wrote.

    It learns, forgets and merges as the saved model would have. Anything else than such a file raises
    ``ModelFileError``: a damaged or hostile file is refused, and nothing in a file is ever run. So a model that was
    made with a ``tokenizer`` needs it again: its file only names it.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     size = model.save(f"{folder}/reviews.likely").size
    ...     load(f"{folder}/reviews.likely").predict(["fun"])
    array(['+'], dtype='<U1')
    """
    return NaiveBayes.from_snapshot(model_file.load(path, tokenizer))
