"""`compare`: two models, or lists of predictions, on the same labelled texts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from likely.arrow_data import listed_texts
from likely.errors import LengthError
from likely.evaluation.pairing import Pairing
from likely.explanation.changed_words import changed_words
from likely.labels import python_label, python_labels
from likely.model.naive_bayes import NaiveBayes
from likely.reading.prediction_file import PredictionFile
from likely.reading.rows import in_memory
from likely.terminal import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from likely.evaluation.comparison import Comparison, Disagreement
    from likely.explanation.explanation import Explanation
    from likely.reading.corpus import Corpus
    from likely.types import Label, Labels, Texts


def compare(
    a: NaiveBayes | Iterable[Label | None],
    b: NaiveBayes | Iterable[Label | None],
    texts: Texts,
    labels: Labels,
    *,
    names: tuple[str, str] = ("A", "B"),
) -> Comparison:
    """How a classifier B compares with a classifier A on the same labelled texts.

    Parameters
    ----------
    a, b : NaiveBayes or iterable of labels
        Models, or their predictions: one label per text, None where a classifier abstains. Models do not abstain.
    texts, labels
        The texts and their gold labels, as for `NaiveBayes.evaluate`.
    names : (str, str)
        What the two are called.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts, labels = ["good fun", "good plot", "dull plot", "not good"], ["+", "+", "-", "-"]
    >>> words, pairs = (NaiveBayes(ngrams=(1, n)).fit(texts, labels) for n in (1, 2))
    >>> found = compare(words, pairs, ["good", "not good", "dull"], ["+", "-", "-"])
    >>> found.a.accuracy, found.b.accuracy, found.mcnemar.p_value
    (1.0, 1.0, 1.0)
    >>> compare(["+", "+", "-"], words, ["good", "not good", "dull"], ["+", "-", "-"]).mcnemar.only_second
    1
    """
    batch = in_memory(texts, labels)
    held = listed_texts(batch.texts)
    gold = python_labels(batch.labels)
    pairing = Pairing()
    pairing.add(gold, predictions(a, held), predictions(b, held), held)
    return explained(pairing.comparison(names), a, b)


def compare_corpus(
    a: NaiveBayes | PredictionFile, b: NaiveBayes | PredictionFile, corpus: Corpus, names: tuple[str, str]
) -> Comparison:
    """As `compare`, for labelled texts that the caller has opened, and for models or files of predictions."""
    models = [each for each in (a, b) if isinstance(each, NaiveBayes)]
    files = [each for each in (a, b) if isinstance(each, PredictionFile)]
    classes = models[0].classes_.tolist() if models else []
    kind = type(classes[0]) if classes else str
    corpus.expect(models[0].columns_ if models else None, classes)
    pairing = Pairing(UNSURE if files else None)
    for at, batch in enumerate(corpus):
        for file in files if not at else []:
            file.begin(corpus.chosen.text if corpus.chosen else None, kind)
        texts = batch.texts.to_pylist()
        first, second = (
            each.next(texts) if isinstance(each, PredictionFile) else predictions(each, texts) for each in (a, b)
        )
        pairing.add(list(batch.labels_as(kind)), first, second, texts)
    for file in files:
        file.check_end()
    return explained(pairing.comparison(names), a, b)


def predictions(classifier: NaiveBayes | Iterable[Label | None], texts: Sequence[str]) -> list[Label | None]:
    """The predictions of a model, which does not abstain, or those that were given."""
    if isinstance(classifier, NaiveBayes):
        answers: list[Label | None] = classifier.predict(list(texts), abstain=0).tolist()
        return answers
    if isinstance(classifier, str | bytes):
        raise LengthError("the predictions are a single text: give a model, or one label per text")
    return [None if label is None else python_label(label) for label in classifier]


def explained(comparison: Comparison, a: object, b: object) -> Comparison:
    """The comparison with the words that explain it, if both classifiers are models."""
    if not isinstance(a, NaiveBayes) or not isinstance(b, NaiveBayes):
        return comparison
    return replace(comparison, words=changed_words(_explanations(comparison.disagreements, a, b)))


def _explanations(
    documents: Iterable[Disagreement], a: NaiveBayes, b: NaiveBayes
) -> Iterator[tuple[Disagreement, Explanation, Explanation]]:
    for each in documents:
        if each.text is not None:
            yield each, a.explain(each.text), b.explain(each.text)
