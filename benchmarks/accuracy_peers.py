"""The accuracies of scikit-learn, run in the environment of the peers: python accuracy_peers.py WORK TASK.json."""

import json
import sys
import time

ALPHAS = (1.0, 0.1, 0.01)
RANGES = ((1, 1), (1, 2))


def settings():
    """Thirty settings of naive Bayes. BernoulliNB gives the same for counts and for tf-idf, so it has counts only."""
    from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

    for ngrams in RANGES:
        for alpha in ALPHAS:
            yield ngrams, "count", BernoulliNB(alpha=alpha)
            for weights in ("count", "tfidf"):
                yield ngrams, weights, MultinomialNB(alpha=alpha)
                yield ngrams, weights, ComplementNB(alpha=alpha)


def split(task):
    """The accuracies on a test split: the classifier of the lecture notes, the best of thirty settings, an SVM."""
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    values = {(ngrams, "count"): count(task, ngrams) for ngrams in RANGES}
    values |= {(ngrams, "tfidf"): tfidf(values[ngrams, "count"]) for ngrams in RANGES}
    labels, truth = task["labels"], task["test_labels"]

    def accuracy(model, kind):
        train, test = values[kind]
        return float((model.fit(train, labels).predict(test) == truth).mean())

    plain = MultinomialNB().fit(values[(1, 1), "count"][0], labels)
    figures = {
        "classes": plain.classes_.tolist(),
        "log_probabilities": plain.predict_log_proba(values[(1, 1), "count"][1]).tolist(),
        "LinearSVC": accuracy(LinearSVC(), ((1, 2), "tfidf")),
    }
    if task["grid"]:
        tried = [
            (accuracy(model, (ngrams, weights)), f"{model}, {weights}, {ngrams}")
            for ngrams, weights, model in settings()
        ]
        figures["best"], figures["setting"] = max(tried, key=lambda each: each[0])
        figures["settings"] = len(tried)
    return figures


def count(task, ngrams):
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(ngram_range=ngrams)
    return vectorizer.fit_transform(task["texts"]), vectorizer.transform(task["test_texts"])


def tfidf(pair):
    """The matrix of TfidfVectorizer, computed from counts."""
    from sklearn.feature_extraction.text import TfidfTransformer

    weigher = TfidfTransformer().fit(pair[0])
    return tuple(weigher.transform(each) for each in pair)


def seconds(task):
    """The time of one fit with pairs of words, the best of several runs."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    found = []
    for _ in range(task["times"]):
        begun = time.perf_counter()
        MultinomialNB().fit(CountVectorizer(ngram_range=(1, 2)).fit_transform(task["texts"]), task["labels"])
        found.append(time.perf_counter() - begun)
    return {"seconds": min(found)}


def folds(task):
    """The predictions of rows by models that have not seen their fold; rows of fold -1 are only trained on.

    All rows are counted once; a model then gets the columns that its training rows have, as if it had counted them.
    """
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    options = {**task["vectorizer"], "ngram_range": tuple(task["vectorizer"].get("ngram_range", (1, 1)))}
    most = options.pop("max_features", None)
    counts = CountVectorizer(**options).fit_transform(task["texts"]).tocsr()
    labels, parts = np.array(task["labels"]), np.array(task["folds"])
    predicted = np.full(len(labels), "", dtype=object)
    for part in sorted(set(task["folds"]) - {-1}):
        inside, outside = counts[parts != part], counts[parts == part]
        frequent = np.argsort(-np.asarray(inside.sum(axis=0)).ravel(), kind="stable")[:most]
        kept = np.sort(frequent[np.asarray(inside.sum(axis=0)).ravel()[frequent] > 0])
        model = MultinomialNB(**task["model"]).fit(inside[:, kept], labels[parts != part])
        predicted[parts == part] = model.predict(outside[:, kept])
    return {"predicted": predicted.tolist()}


def version(_):
    import sklearn

    return {"version": sklearn.__version__}


WORKS = {"version": version, "split": split, "seconds": seconds, "folds": folds}

if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as source:
        print(json.dumps(WORKS[sys.argv[1]](json.load(source))))
