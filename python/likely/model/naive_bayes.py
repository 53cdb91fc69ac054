"""`NaiveBayes`: the public class of a model, with `save` and `load`."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypedDict

from likely.errors import LikelyError, ModelFileError
from likely.model.learner import Learner
from likely.model.reporting import Reporting
from likely.options.table import OPTIONS
from likely.scoring.decisions import Chosen
from likely.storage import model_file
from likely.storage.prune import prune

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from likely.reports.live.export import Exported
    from likely.storage.model_file import Saved
    from likely.storage.snapshot import Snapshot
    from likely.types import Label, Path, Tokenizer


class _Pickled(TypedDict):
    """The state of a model in a pickle: the bytes of its file, and the options as they were given."""

    model: bytes
    given: dict[str, Any]


class NaiveBayes(Learner, Reporting):
    """A naive Bayes text classifier, which predicts the classes of texts and explains its predictions.

    All arguments are keyword-only; they are the options of `likely.options.table.MODEL`.

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
    class_weight : {"balanced", "sqrt_balanced"} or mapping, optional
        The weights of the classes: every document counts as many times as its class weighs. 'balanced' makes rare
        classes weigh as much as frequent ones, 'sqrt_balanced' takes the square roots of these weights; in a
        mapping, a class without a weight has the weight 1.
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
    tune : str or None
        Choose the options that are not given while training, by this measure. 'auto' chooses the best log-loss among
        the settings whose accuracy is not significantly below the best one.
    budget : str, float or None
        About how long choosing options may take, such as 30s or 2m.
    prefer : {"balanced", "small", "accurate"}
        While options are chosen: 'balanced' takes fewer terms if the model is about as good, 'small' takes the
        fewest terms that cost at most one point of accuracy, 'accurate' takes the best model, whatever its size.
    strongest : bool
        Also try variant 'nbsvm', which takes longer to train; the model can then neither learn nor forget.
    calibrate : bool or None
        Calibrate probabilities while training, on exact leave-one-out scores. None calibrates if options are chosen,
        and if it is possible.
    thresholds : mapping, str or None
        The probability from which a class is predicted, also if another class is more probable. Training chooses it
        for an F1, for a precision or for the lowest cost, if you say so; by default `train` does it for a class that
        would hardly ever be predicted. An empty mapping (or none) turns that off.
    abstain : float, mapping or None
        When to return None: if the best class is less probable than this number, leads by less than `margin`, or to
        reach a `precision`.
    reject_label : str, int, bool or None
        What to return instead of None if the model abstains: a label that no class has, of the type of the labels.
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

    def pruned(self, *, min_documents: int = 1, max_size: int | str | None = None) -> Self:
        """The model without some of its terms: the one that `save` writes with the same arguments.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])
        >>> model.pruned(min_documents=2).vocabulary_
        ['good', 'plot']
        """
        with self._state.lock:
            self._state.check_fitted()
            whole = self.snapshot()
            snapshot, pruning = prune(whole, min_documents, max_size)
        if snapshot is whole:
            return self
        model = self._of(snapshot, self._given, self._chosen)
        model._state.pruning = pruning
        return model

    def save(self, path: Path, *, min_documents: int = 1, max_size: int | str | None = None) -> Saved:
        """Write the model to a file. If there is an error, a file that was there before is unchanged.

        The file is a Parquet table with the columns term, class, count and documents, which DuckDB, Spark, polars and
        pandas read too. It contains the words of the training texts, but not the texts. The model in memory does not
        change.

        Parameters
        ----------
        path : str or path-like
            The path of the file, which usually ends in ``.likely``.
        min_documents : int
            Leave out terms that occur in fewer documents. Rare terms add little, and may be names or numbers.
        max_size : int or str, optional
            Leave out the least informative terms, so that the file has at most this size ('2MB', '1.5 MiB').

        Returns
        -------
        Saved
            The size of the file, the number of terms in it, and how much information was left out.

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
            self._state.tell_raw(self._settle().rules)  # the file will not have the calibration
            return model_file.save(model.snapshot(), path, model._state.pruning)

    def export(self, path: Path, *, max_size: int | str | None = None, title: str | None = None) -> Exported:
        """Write the model for the browser: a page in which anybody can try it, or a module for other programs.

        Both work without Python, server and network. With the terms that are written, the labels are those of
        `predict`, and the probabilities agree to 1e-9.

        Parameters
        ----------
        path : str or path-like
            The path of a page, which ends in ``.html``, or of a folder, which becomes a JavaScript module for npm.
        max_size : int or str, optional
            Write only the most informative terms, so that the compressed model has at most this size (1.2 MB).
        title : str, optional
            The title of the page, or the name of the module. Default: the name of the file or folder.

        Examples
        --------
        >>> import tempfile
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.export(f"{folder}/demo.html").terms
        3
        """
        from likely.reports.live.export import export

        with self._state.lock:
            self._state.check_fitted()
            return export(self.snapshot(), os.fspath(path), max_size, title)

    def snapshot(self, *, whole: bool = True) -> Snapshot:
        """Everything that a file of this model holds, as it is now: options, counts, calibration, tuning.

        A snapshot does not change if the model learns later. With ``whole=False`` its counts may be only those of the
        kept terms, which are enough to score texts, and a large model file need not be read whole.
        """
        settled = self._settle()
        chosen = tuple(name for name in OPTIONS if name in self._chosen)
        return self._state.snapshot(settled.values, settled.rules, chosen, whole=whole)

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
        options, free = snapshot.options, snapshot.chosen
        given = {name: value for name, value in options.items() if name not in free and _is_given(name, snapshot)}
        own = replace(snapshot, counts=snapshot.counts.frozen())  # the model learns, the snapshot does not change
        return cls._of(own, given, {name: options[name] for name in free})

    @classmethod
    def _of(cls, snapshot: Snapshot, given: Mapping[str, object], chosen: Mapping[str, object]) -> Self:
        model = cls._with(given, chosen)
        model._state.replace(snapshot.counts, snapshot.learned, snapshot.tuning, snapshot.rest)
        rules, prior = model._settle().rules, snapshot.calibrated_prior
        model._state.calibrate(snapshot.calibration, rules if prior is None else replace(rules, prior=prior))
        if snapshot.thresholds is not None:
            model._state.decide(Chosen(dict(snapshot.thresholds), model.thresholds), model._settle().rules)
        return model.remember_columns(snapshot.columns)

    def plot_top_words(self, labels: Sequence[Label] | None = None, n: int = 10) -> Figure:
        """The most typical words of classes as bars, by matplotlib (`pip install 'likely[plot]'`); it is not shown.

        Parameters
        ----------
        labels : sequence of labels, optional
            The classes. Default: the largest ones.
        n : int
            At most this many words per class, with their scores as in `top_words`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> figure = NaiveBayes().fit(["good good", "bad bad"], ["+", "-"]).plot_top_words()
        >>> [panel.get_title() for panel in figure.axes]
        ['+', '-']
        """
        from likely.model.overview import words_figure

        return words_figure(self, labels, n)

    def _repr_html_(self) -> str:
        from likely.model.overview import notebook_html

        return notebook_html(self)

    def __getstate__(self) -> _Pickled:
        with self._state.lock:
            # The bytes of a model are the same for any number of threads.
            data = model_file.to_bytes(self.snapshot())
        return {"model": data, "given": self._given}

    def __setstate__(self, state: _Pickled) -> None:
        given = dict(state["given"])
        snapshot = model_file.from_bytes(state["model"], given.get("tokenizer"))
        if "stop_words" in given:  # it may be a file, which the model no longer needs
            given["stop_words"] = snapshot.options["stop_words"]
        chosen = {name: snapshot.options[name] for name in snapshot.chosen}
        vars(self).update(vars(self._of(snapshot, given, chosen)))


def _is_given(name: str, snapshot: Snapshot) -> bool:
    """Whether an option that tuning was not free to choose counts as given.

    If tuning has chosen, all others that change what is learned were given. Otherwise a snapshot does not tell:
    options with default values are then taken as not given, so that a task that is set later can change them. The
    types are compared because 1 document is not the share 1.0.
    """
    if snapshot.chosen:
        from likely.model.fitting import KEPT_ASIDE

        if name not in KEPT_ASIDE:
            return True
    value, default = snapshot.options[name], OPTIONS[name].default
    return value != default or type(value) is not type(default)


def load(path: Path, *, tokenizer: Tokenizer | None = None) -> NaiveBayes:
    """The model in a file that `NaiveBayes.save` wrote.

    It learns, forgets and merges as the saved model would. Any other file, also a damaged or malicious one, raises
    ``ModelFileError``. A file contains no code: if the model was trained with a ``tokenizer``, the file has only its
    name, and the function must be given again.

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
    return loaded(path, model_file.load(path, tokenizer))


def loaded(path: Path, snapshot: Snapshot) -> NaiveBayes:
    """The model of the snapshot that was read from a file."""
    try:
        return NaiveBayes.from_snapshot(snapshot)
    except LikelyError as error:  # such as counts that its options would not have made
        raise ModelFileError(f"cannot load {os.fspath(path)!r}: it is not a valid model: {error}") from None
