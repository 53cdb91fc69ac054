"""A script to compare the command line with: pandas reads, scikit-learn trains, pickle saves."""

import pickle
import sys

import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

source, target = sys.argv[1:]
if source.endswith(".csv"):
    data = pd.read_csv(source)
elif source.endswith(".jsonl"):
    data = pd.read_json(source, lines=True)
else:
    data = pd.read_parquet(source)
vectorizer = CountVectorizer()
model = MultinomialNB().fit(vectorizer.fit_transform(data["text"]), data["label"])
with open(target, "wb") as file:
    pickle.dump((vectorizer, model), file)
