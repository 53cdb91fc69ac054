"""The times of the peers, in their own environment: python peers.py TASK CORPUS.json RUNS."""

import json
import sys
import time
from functools import partial


def best(work, times):
    found, result = float("inf"), None
    for _ in range(times):
        begun = time.perf_counter()
        result = work()
        found = min(found, time.perf_counter() - begun)
    return found, result


def sklearn_fit(texts, labels, ngrams, times):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    def fit():
        vectorizer = CountVectorizer(ngram_range=ngrams)
        return vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), labels)

    return best(fit, times)


def fit(corpus, runs):
    return {
        "unigrams": sklearn_fit(corpus["texts"], corpus["labels"], (1, 1), runs)[0],
        "bigrams": sklearn_fit(corpus["texts"], corpus["labels"], (1, 2), runs)[0],
    }


def predict(corpus, runs):
    texts, one = corpus["texts"], [corpus["one"]]
    vectorizer, model = sklearn_fit(texts, corpus["labels"], (1, 1), 1)[1]
    figures = {
        "sklearn": best(lambda: model.predict(vectorizer.transform(texts)), runs)[0],
        "sklearn one": best(lambda: [model.predict(vectorizer.transform(one)) for _ in range(200)], runs)[0] / 200,
    }
    try:
        import fasttext
    except ImportError:
        return figures
    lines = [text.replace("\n", " ") for text in texts]
    with open(corpus["scratch"], "w", encoding="utf-8") as out:
        out.writelines(f"__label__{label} {line}\n" for label, line in zip(corpus["labels"], lines))
    fast = fasttext.train_supervised(corpus["scratch"], epoch=1, thread=2, verbose=0)
    line = corpus["one"].replace("\n", " ")
    figures["fasttext"] = best(lambda: fast.predict(lines), runs)[0]
    figures["fasttext one"] = best(lambda: [fast.predict(line) for _ in range(500)], runs)[0] / 500
    return figures


def memory(field):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def vectorize(corpus, runs):
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer

    texts, one = corpus["texts"], [corpus["one"]]
    bigrams = CountVectorizer(ngram_range=(1, 2))
    bigrams.fit_transform(texts[:10])
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    start = memory("VmRSS")
    bigrams.fit_transform(texts)
    figures = {"peak": memory("VmHWM") - start}
    works = {
        "CountVectorizer.fit_transform, unigrams": CountVectorizer().fit_transform,
        "CountVectorizer.fit_transform, uni+bigrams": bigrams.fit_transform,
        "CountVectorizer.fit_transform, char_wb 2-4": CountVectorizer(
            analyzer="char_wb", ngram_range=(2, 4)
        ).fit_transform,
        "TfidfVectorizer.fit_transform, uni+bigrams": TfidfVectorizer(ngram_range=(1, 2)).fit_transform,
        "HashingVectorizer.transform": HashingVectorizer().transform,
    }
    # Each run takes many seconds, so two runs are enough.
    figures |= {work: best(partial(run, texts), min(runs, 2))[0] for work, run in works.items()}
    fitted = CountVectorizer().fit(texts)
    figures["one review"] = best(lambda: [fitted.transform(one) for _ in range(200)], runs)[0] / 200
    return figures


def count(corpus, runs):
    from sklearn.feature_extraction.text import CountVectorizer

    # Each run takes seconds, so two runs are enough.
    vectorizer = CountVectorizer(**corpus["settings"])
    return {"seconds": best(partial(vectorizer.fit_transform, corpus["texts"]), min(runs, 2))[0]}


def linear_svc(corpus, runs):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    def train():
        vectorizer = TfidfVectorizer(ngram_range=(1, 2))
        return vectorizer, LinearSVC().fit(vectorizer.fit_transform(corpus["texts"]), corpus["labels"])

    # Each run takes many seconds, so few runs are enough.
    seconds, (vectorizer, model) = best(train, 1)
    predicting, _ = best(lambda: model.predict(vectorizer.transform(corpus["texts"])), min(runs, 2))
    return {"train": seconds, "predict": predicting}


def whole(corpus, runs):
    """Each peer's recipe for text as its documentation gives it: train, predict a test split, predict one text."""
    return {name: recipe(corpus) for name, recipe in {"scikit-learn": nb, "fastText": fast, "river": stream}.items()}


def timed(corpus, fit, predict, one):
    train, _ = best(lambda: fit(corpus["texts"], corpus["labels"]), 2)
    test, found = best(lambda: predict(corpus["asked"]), 2)
    single, _ = best(lambda: [one(corpus["one"]) for _ in range(200)], 3)
    right = sum(left == str(gold) for left, gold in zip(found, corpus["gold"]))
    return {"train": train, "predict": test, "one": single / 200, "accuracy": right / len(found)}


def nb(corpus):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(), MultinomialNB())
    return timed(corpus, model.fit, model.predict, lambda text: model.predict([text]))


def fast(corpus):
    import fasttext

    found = []

    def fit(texts, labels):
        with open(corpus["scratch"], "w", encoding="utf-8") as out:
            out.writelines(f"__label__{label} {' '.join(text.split())}\n" for label, text in zip(labels, texts))
        # The last recipe of fastText's tutorial on text classification.
        found[:] = [fasttext.train_supervised(corpus["scratch"], lr=1.0, epoch=25, wordNgrams=2, thread=2, verbose=0)]

    def predict(texts):
        return [
            label[0].removeprefix("__label__") for label in found[0].predict([" ".join(t.split()) for t in texts])[0]
        ]

    return timed(corpus, fit, predict, lambda text: predict([text]))


def stream(corpus):
    from river.feature_extraction import BagOfWords
    from river.naive_bayes import MultinomialNB

    found = []

    def fit(texts, labels):
        found[:] = [BagOfWords(lowercase=True) | MultinomialNB()]
        for text, label in zip(texts, labels):
            found[0].learn_one(text, label)

    def predict(texts):
        return [found[0].predict_one(text) for text in texts]

    return timed(corpus, fit, predict, lambda text: predict([text]))


TASKS = {
    "count": count,
    "fit": fit,
    "linear_svc": linear_svc,
    "predict": predict,
    "vectorize": vectorize,
    "whole": whole,
}

if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as source:
        print(json.dumps(TASKS[sys.argv[1]](json.load(source), int(sys.argv[3]))))
