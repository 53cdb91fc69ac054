"""`NaiveBayes`: the class of users. It trains, explains and evaluates with the functions of the rooms below."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, cast

from likely import _native
from likely.arrow_data import listed_texts
from likely.core import file as model_file
from likely.core.analyzer import check_text
from likely.core.calibration import Measures, calibrate, calibrated_on, measured
from likely.core.decisions import ChosenThresholds, ThresholdChoice, Unseen, are_given, threshold_choice
from likely.core.model import Model
from likely.core.state import CountedTexts, check_classes, count_texts
from likely.core.terms import check_class_weight
from likely.core.weights import ModelSettings
from likely.errors import LikelyError, ModelFileError, OptionError
from likely.explanation import language, words
from likely.explanation.explanation import Explanation, explain
from likely.labels import python_labels
from likely.model.routing import routed
from likely.options.model import MODEL, OF_TUNING
from likely.options.option import described
from likely.options.reading import OF_LEARNING
from likely.reading.rows import Sample, repeats_of
from likely.training.sample import Sampler

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.core.counts import Counts
    from likely.core.file import Snapshot
    from likely.core.leave_one_out import LeftOut
    from likely.core.tuning_record import Tuning
    from likely.evaluation.drift import Drift
    from likely.evaluation.evaluation import Evaluation, Mistake
    from likely.explanation.independence import Independence
    from likely.explanation.suspects import Suspects
    from likely.reading.corpus import Corpus
    from likely.report.live.export import Exported
    from likely.training.fit import Fitted, TrainingSource
    from likely.types import (
        Abstain,
        Array,
        Groups,
        Label,
        Labels,
        Path,
        Places,
        Plain,
        Prior,
        Rows,
        SampleWeight,
        Source,
        TextRows,
        Texts,
        Thresholds,
        Tokenizer,
    )

WORDS = 8
"""At most this many words are named that spoke for a mistake."""


class NaiveBayes(Model):
    """A naive Bayes text classifier, which predicts the classes of texts and explains its predictions.

    All arguments are keyword-only.

    {parameters}

    Examples
    --------
    >>> model = NaiveBayes().fit(["good fun", "very good", "dull plot"], ["+", "+", "-"])
    >>> model.predict(["a good plot", "how dull"])
    array(['+', '-'], dtype='<U1')
    >>> model.learn(["no fun at all"], ["-"]).predict(["all the fun"])
    array(['-'], dtype='<U1')
    """

    def fit(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Learn from labelled texts. Everything that was learned before is forgotten.

        With the option ``tune``, the options that were not given are chosen first, as `likely.train` does; `tuning_`
        lists what was tried. A clone of the model chooses again, so cross-validation tunes inside each fold.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            One label per text, all of one type.
        sample_weight : iterable of numbers >= 0, optional
            The weight of each document: 2 is the same as giving it twice. A document of weight 0 is ignored.
        groups : iterable, optional
            The group of each document: its author, thread or source. Tuning and calibration judge a document by a
            model without its whole group.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        >>> from likely.sample import load_sample
        >>> NaiveBayes(tune="auto").fit(*load_sample()).variant
        'binary'
        """
        values = self._options_with({})
        calibrates, tunes = self._given.get("calibrate"), values["tune"] is not None
        thresholds = cast("Thresholds | None", values["thresholds"])
        if not (tunes or calibrates) and (thresholds is None or are_given(thresholds)):
            settled = ModelSettings.of(values)
            return self._take(count_texts(settled, texts, labels, sample_weight), settled)
        from likely.training.fit import Documents

        documents = Documents.held(texts, labels, sample_weight, groups)
        return self._fit_documents(documents, calibrates=calibrates if tunes else bool(calibrates), decides=tunes)

    def _take(
        self, counted_texts: CountedTexts, settled: ModelSettings, chosen: Mapping[str, object] = MappingProxyType({})
    ) -> Self:
        """Take over what was learned with these options, some of which may have been chosen."""
        check_classes(counted_texts.counts.index.labels, settled)
        check_class_weight(counted_texts.counts.index.labels, settled.rules.class_weight)
        self._state.replace(*counted_texts)
        self._hold(self._given, dict(chosen))
        self._settled = settled
        if are_given(self.thresholds):
            _ = self.thresholds_  # they are checked thereby: each class must exist
        return self

    def _fit_counts(self, counts: Counts) -> Self:
        """As `fit`, for counts that were made elsewhere, with the options of this model. Nothing is chosen."""
        return self._take(CountedTexts(counts), ModelSettings.of(self._options_with({})))

    def _fit_documents(self, source: TrainingSource, *, calibrates: bool | None, decides: bool) -> Self:
        """As `fit`, for a source of documents; ``calibrates`` and ``decides`` are those of `training.fit`."""
        from likely.training.fit import fit

        found = fit(source, self._given, calibrates=calibrates, decides=decides)
        return self._take_fitted(found, found.chosen, found.tuning)

    def _fit_again(self, source: TrainingSource) -> Self:
        """Fit the model to other documents with the options that it has: nothing is chosen again.

        It is calibrated again if it was calibrated. `tuning_` still says how its options were chosen.
        """
        from likely.training.fit import fit

        untuned = {name: MODEL[name].default for name in ("tune", *OF_TUNING)}
        calibrates = (self.calibrate or None) if self.calibration_ is not None else False
        decides = self._state.threshold_choice is not None
        found = fit(source, {**self._options(), **untuned}, calibrates=calibrates, decides=decides)
        return self._take_fitted(found, self._chosen, self._state.tuning)

    def _take_fitted(self, found: Fitted, chosen: Mapping[str, object], tuning: Tuning | None) -> Self:
        settled = ModelSettings.of(self._options_with(chosen))
        self._take(found.counted_texts, settled, chosen)
        self._state.tuning = tuning
        self._state.repeats = None if found.sample is None else repeats_of(found.sample)
        if found.calibration is not None:
            self._state.calibrate(found.calibration, settled.rules)
        if found.thresholds is not None:
            given = ChosenThresholds(found.thresholds.thresholds, self.thresholds, settled.rules)
            self._state.decide(given, found.thresholds)
        return self

    @property
    def tuning_(self) -> Tuning | None:
        """The record of tuning, with the results of each setting that was tried; None if nothing was tuned."""
        return self._state.tuning

    @property
    def threshold_choice_(self) -> ThresholdChoice | None:
        """The measured effect of choosing thresholds while training; None if none were chosen."""
        return self._state.threshold_choice

    def fit_calibration(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Calibrate probabilities on learned documents.

        From then on `predict_proba` returns P(c|text) ~ exp(tau * score / (length ** gamma * spread ** delta)). The
        parameters minimize the log-loss of the scores of `leave_one_out` (with variant nbsvm, of cross-validation).
        The scores of `predict_joint_log_proba` do not change. The calibration is valid until an option is changed
        that the scores depend on, other than the prior: from then on probabilities are raw, with a
        ``TrainingWarning``. Calibrate again if the model has learned or forgotten many documents since, as
        ``calibration_.age`` says.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: all of them, or a few thousand.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes().fit(texts, labels).fit_calibration(texts, labels)
        >>> model.calibration_.after["log_loss"] < model.calibration_.before["log_loss"]
        True
        """
        self._calibrate_by(*self._judged(texts, labels, sample_weight, groups))
        return self

    def _calibrate_on(self, sample: Sample) -> Measures:
        """As `fit_calibration`, on a sample of learned documents; returns the measures of what was before."""
        from likely.core.cross_validation import judged_sample

        found = self.calibration_
        left, gold = self._ask(judged_sample, self._settle().threads, sample)
        self._calibrate_by(left, gold)
        return measured(None if found is None else found.calibration, left, gold)

    def _calibrate_by(self, left: LeftOut, gold: Places) -> None:
        settled = self._settle()
        self._state.calibrate(calibrate(left, gold, settled.threads), settled.rules)

    def fit_thresholds(
        self,
        texts: Texts,
        labels: Labels,
        wish: Thresholds | None = None,
        *,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Choose decision thresholds (`thresholds_`) on learned documents.

        The documents' probabilities come from `leave_one_out` (with variant nbsvm, of cross-validation),
        calibrated if the model is: calibrate first. The thresholds are valid until an option is changed that the
        scores depend on. Their effect is in `threshold_choice_`.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: all of them, or some thousands.
        wish : str or mapping, optional
            What to choose thresholds for, as the option ``thresholds``; by default this option. If it is None too,
            only a class that would hardly ever be predicted gets a threshold: that with its best F1, as far as the
            accuracy does not suffer.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes(thresholds="precision:positive=0.9", calibrate=True).fit(texts, labels)
        >>> list(model.thresholds_)
        ['positive']
        >>> model.fit_thresholds(texts, labels, "f1:positive").threshold_choice_.documents
        480
        """
        wanted = self.thresholds if wish is None else wish
        MODEL["thresholds"].check(wanted)
        for given in (wanted, self.thresholds):
            if are_given(given):
                raise OptionError(
                    f"thresholds={given!r} are given, so there is nothing to choose: set the option to None"
                )
        left, gold = self._judged(texts, labels, sample_weight, groups)
        settled = self._settle()
        record = self._state.calibration_for(settled.rules)
        unseen = Unseen.of(left, gold, record.calibration if record else None, self.classes_.tolist())
        choice = threshold_choice(wanted, unseen, weighted=self.class_weight is not None)
        self._state.decide(ChosenThresholds(choice.thresholds, self.thresholds, settled.rules), choice)
        return self

    def leave_one_out(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Array:
        """The scores of learned documents, each from a model without it: one row per text, one column per class.

        They are equal to `predict_joint_log_proba` of a model that was trained on all other documents, but no model
        is trained: the counts of the document are subtracted from its class, from the vocabulary and from the prior.
        So this is an unbiased test on the training data. A class whose only document is left out is impossible.

        Parameters
        ----------
        texts, labels
            Documents that were learned, and their labels. Copies among them, which have the same terms equally
            often, are left out together.
        sample_weight : iterable of numbers, optional
            The weight with which each document was learned. Default: 1.
        groups : iterable, optional
            The group of each document, such as its author: all its documents are left out together.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts, labels = ["good fun", "good end", "bad plot", "bad joke"], ["+", "+", "-", "-"]
        >>> model = NaiveBayes().fit(texts, labels)
        >>> model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        >>> model.classes_[model.leave_one_out(texts, labels, groups=["a", "b", "a", "b"]).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        """
        self._check_can_leave_out()
        return self._judged(texts, labels, sample_weight, groups)[0].joint

    def suspects(
        self,
        texts: Texts,
        labels: Labels,
        n: int | None = None,
        *,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Suspects:
        """Learned documents that are probably mislabelled, worst first, with the terms that contradict the label.

        Each document is judged by its leave-one-out scores. A share of the labels is assumed to be wrong at random;
        that share, like the calibration of the scores, is the one that makes the labels most probable. The better
        the model, the more it finds: tune it first.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: preferably all of them.
        n : int, optional
            At most this many. Default: the number with the best expected F1, which is about the number of wrong
            labels.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> labels[7] = "positive"  # it was negative
        >>> worst = NaiveBayes().fit(texts, labels).suspects(texts, labels)[0]
        >>> worst.row, worst.suggested, worst.terms[0][0]
        (7, 'negative', 'broken')
        """
        from likely.explanation.suspects import suspects

        self._check_can_leave_out()
        return self._ask(suspects, texts, labels, n, self._settle().threads, sample_weight, groups)

    def _sample_corpus(self, corpus: Corpus) -> Sample:
        """Documents of a corpus to calibrate on; their labels are converted to the type of this model's labels."""
        corpus.expect(self._state.columns, self._state.counts.live().labels, weighted=True)
        sampler = Sampler(calibrated_on(self.variant))
        for batch in corpus.training_batches(self._kind):
            sampler.add(batch)
        return sampler.sample()

    def explain(self, text: str) -> Explanation:
        """Explain why a text gets its class: the prior and the contribution of each term, which add up to the score.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> explanation = model.explain("good, unheard-of fun")
        >>> explanation.unknown
        ['unheard', 'of']
        >>> [(e.term, e.count) for e in explanation.terms]
        [('good', 1), ('fun', 1)]
        """
        check_text(text)
        if self._settle().rules.tfidf:
            self._read_rest()  # it has the terms that the weighting ignores
        with self._state.lock:
            weights = self._state.weights(self._settle().rules)
            return explain(self._state.moment_of(weights), text, self._scorer(), self._threshold(None))

    def knows(self, terms: list[str]) -> list[bool]:
        """Tell whether each term was learned and is kept.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "bad"], ["+", "-"]).knows(["good", "fun"])
        [True, False]
        """
        return self._ask_kept(words.knows, terms)

    def _read_terms(self, terms: list[str]) -> list[str]:
        """Terms as the model reads them: with ``spelling='on'``, unknown words as the words that they misspell."""
        return self._ask_kept(words.read_terms, terms)

    def _term_row(self, term: str) -> list[Plain]:
        """Count, documents and P(term|class) of a term, one row per class."""
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
        return self._top_words_of([label], n)[label]

    def _top_words_of(self, labels: list[Label], n: int = 10) -> dict[Label, list[tuple[str, float]]]:
        """The most typical terms of several classes, as `top_words` gives them for one: all counts are read once."""
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
        check_text(text)
        return self._ask(language.log_likelihood, self._count_unlabelled([text]), label)[0]

    def perplexity(self, texts: Texts, label: Label) -> float:
        """The perplexity of texts under a class as a language model: exp(-log P / N) over their known words.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> round(NaiveBayes(alpha=0).fit(["a a b b"], ["x"]).perplexity(["a b"], "x"), 6)
        2.0
        """
        return self._ask(language.perplexity, self._count_unlabelled(texts), label)

    def _count_unlabelled(self, texts: Texts) -> _native.Counts:
        analyzer = self.analysis_
        return _native.Counts.count(analyzer.native, [(analyzer.texts(texts), None, None)], self._settle().threads)

    def generate(self, label: Label, words: int, seed: int) -> str:
        """A text of random words of a class, each drawn independently with its probability P(word|class).

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(alpha=0).fit(["well well", "ill"], ["+", "-"]).generate("+", words=3, seed=1)
        'well well well'
        """
        return self._ask(language.generate, label, words, seed)

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

    def score(self, texts: Texts | Rows, labels: Labels, sample_weight: SampleWeight | None = None) -> float:
        """The accuracy: the (weighted) share of texts whose predicted class is the gold label."""
        from likely.evaluation.evaluate import accuracy

        return accuracy(labels, self.predict(texts, abstain=0), sample_weight)

    def evaluate(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        *,
        beta: float = 1.0,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        keep: bool = False,
        **reading: object,
    ) -> Evaluation:
        """Predict all texts, and compare the predictions with the gold labels.

        Parameters
        ----------
        texts
            Texts as for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`.
        labels : optional
            The gold labels.
        beta : float
            The weight of recall relative to precision in the F-measure.
        prior : {"fitted", "uniform"} or mapping, optional
            As for `predict`.
        abstain : float or mapping, optional
            As for `predict`, but by default the model does not abstain, even if it has the option ``abstain``.
        keep : bool
            Whether the evaluation keeps texts, probabilities and predictions (`Evaluation.answers`), for reports and
            comparisons. Without it, only the texts of the ten worst mistakes are kept.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> evaluation = model.evaluate(["good", "dull", "fun"], ["+", "-", "-"])
        >>> evaluation.accuracy, [(mistake.row, mistake.words[0][0]) for mistake in evaluation.mistakes]
        (0.6666666666666666, [(2, 'fun')])
        """
        if labels is not None:
            rows = listed_texts(self._texts(cast("Texts", texts)))
            return self._evaluate([(rows, python_labels(labels))], beta=beta, prior=prior, abstain=abstain, keep=keep)
        from likely.reading.corpus import corpus_of

        for name in OF_LEARNING:
            if name in reading:
                raise OptionError(f"{name} has no effect on an evaluation, which learns nothing: leave it out")
        corpus = corpus_of(cast("Source", texts), reading)
        corpus.part = "test"
        with corpus.reporting():
            return self._evaluate_corpus(corpus, beta=beta, prior=prior, abstain=abstain, keep=keep)

    def _evaluate_corpus(self, corpus: Corpus, **how: Any) -> Evaluation:
        """As `evaluate`, for a corpus that the caller has opened."""
        classes = self._scorer().classes.labels
        kind = type(classes[0])
        corpus.expect(self._state.columns, classes)
        batches = ((batch.texts, batch.labels_as(kind)) for batch in corpus)
        return self._evaluate(batches, **how)

    def _evaluate(
        self,
        batches: Iterable[tuple[TextRows, Labels]],
        *,
        beta: float = 1.0,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        keep: bool = False,
    ) -> Evaluation:
        from likely.evaluation.evaluate import Judge

        scorer = self._scorer().remembering()  # one for all batches: the model may learn meanwhile
        judge, watch = Judge(scorer.classes.labels, beta=beta, keep=keep), self._watch(prior=prior)
        threshold = None if abstain is None else self._threshold(abstain)
        for texts, labels in batches:
            found = scorer.answers(texts, prior=prior, threshold=threshold, watch=watch)
            judge.see(labels, found.log_probabilities, found.places, texts)
        return judge.evaluation(watch.shift(), self._words_for)

    def _words_for(self, mistake: Mistake) -> list[tuple[str, float]]:
        """The words of a mistake that spoke most for the prediction against the gold label."""
        found, said, gold = self.explain(mistake.text or ""), mistake.predicted, mistake.gold
        if not {said, gold} <= set(found.classes):  # the model has forgotten one meanwhile
            return []
        pairs = ((each.word, each.contribution[said] - each.contribution[gold]) for each in found.terms)
        return sorted((pair for pair in pairs if pair[1] > 0), key=lambda pair: -pair[1])[:WORDS]

    def report(
        self,
        path: Path,
        texts: Texts | Source,
        labels: Labels | None = None,
        *,
        title: str | None = None,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        **reading: object,
    ) -> Evaluation:
        """Evaluate the model on labelled texts, and write the results as one HTML page. The evaluation is returned.

        The page needs nothing but itself: it opens from disk, without a network. It has the measures with their
        intervals, the confusion matrix with documents whose words are highlighted, curves, the worst errors, labels
        that are probably wrong, typical words, and a form to try the model. Parts of the texts are in the page.

        Parameters
        ----------
        path : path
            The file to write. An existing file is replaced, whole or not at all.
        texts, labels, prior, abstain, **reading
            As for `evaluate`.
        title : str, optional
            The title of the page. The page has no date: the same model and the same texts always give the same bytes.

        Examples
        --------
        >>> import tempfile
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(f"{folder}/report.html", ["good", "so dull"], ["+", "-"], title="Reviews").accuracy
        1.0
        """
        from likely.report.material import About, check_place, name_of_source, write_report

        check_place(path)
        how = cast("dict[str, Any]", reading)
        evaluation = self.evaluate(texts, labels, prior=prior, abstain=abstain, keep=True, **how)
        data = None if labels is not None else name_of_source(texts)
        write_report(self, evaluation, path, About(title, data=data))
        return evaluation

    def drift(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        *,
        prior: Prior | None = None,
        **reading: object,
    ) -> Drift:
        """Detect drift: compare texts with the training data, by checks with stated bounds.

        The checks are the share of unknown terms, the shares of the classes, and the share of the frequent terms that
        are more or less frequent than in training; with labels, also the accuracy. Texts in files
        are read once, and only a sample of them is kept.

        Parameters
        ----------
        texts
            Texts as for `predict`; or a source as for `likely.train`, whose labels are read if it has the column that
            the model was trained on.
        labels : optional
            The gold labels, if they are known.
        prior : {"fitted", "uniform"} or mapping, optional
            As for `predict`.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes(calibrate=True).fit(texts[:240], labels[:240])
        >>> model.drift(texts[240:], labels[240:]).is_drifted
        False
        >>> found = model.drift(["Das Wetter bleibt morgen trocken und warm."] * 30)
        >>> [check.name for check in found.checks if check.is_drifted]
        ['unknown terms', 'class shares', 'moved terms']
        """
        from likely.evaluation.drift import drift_of_texts

        return drift_of_texts(self, texts, labels, prior, reading)

    def export(self, path: Path, *, max_size: int | str | None = None, title: str | None = None) -> Exported:
        """Write the model for the browser: a page to try it in, or a module for other programs.

        Both work without Python, server and network. With the exported terms, they give the same labels as `predict`,
        and the probabilities agree to 1e-9.

        Parameters
        ----------
        path : str or path-like
            The path of a page, which ends in ``.html``, or of a folder, which becomes a JavaScript module for npm.
        max_size : int or str, optional
            Write only the most informative terms, to keep the compressed model below this size (1.2 MB).
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
        from likely.report.live.export import export

        with self._state.lock:
            self._state.check_fitted()
            return export(self._snapshot(), os.fspath(path), max_size, title)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            return routed(self, name)

    def _repr_html_(self) -> str:
        from likely.report.pages import model_html

        return model_html(self)


def load(path: Path, *, tokenizer: Tokenizer | None = None) -> NaiveBayes:
    """Load the model in a file that `NaiveBayes.save` wrote.

    It learns, forgets and merges as the saved model would. Any other file, even a damaged or malicious one, raises
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
        return NaiveBayes._from_snapshot(snapshot)
    except LikelyError as error:  # such as counts that its options would not have made
        raise ModelFileError(f"cannot load {os.fspath(path)!r}: it is not a valid model: {error}") from None


# An option is described once, in its table; `help(NaiveBayes)` shows it too.
NaiveBayes.__doc__ = (NaiveBayes.__doc__ or "").replace("{parameters}", described(MODEL))
