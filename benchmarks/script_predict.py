"""A script for predictions, as in `script_train.py`: CSV in, CSV out."""

import pickle
import sys

import pandas as pd

model_file, source, target = sys.argv[1:]
with open(model_file, "rb") as file:
    vectorizer, model = pickle.load(file)
data = pd.read_csv(source)
data["prediction"] = model.predict(vectorizer.transform(data["text"]))
data.to_csv(target, index=False)
