"""Measures of quality. Each module has the computation, the result and its text.

| module | what it does |
| --- | --- |
| `evaluation.evaluate` | `likely.evaluate`: gold labels, predictions and probabilities to an `Evaluation` |
| `evaluation.evaluation` | `Evaluation`: all measures of predictions |
| `evaluation.measures` | precision, recall, F, their averages, Matthews correlation and kappa from counted pairs |
| `evaluation.intervals` | 95% intervals of all measures, by the bootstrap |
| `evaluation.ranking` | ROC and precision-recall curves and the areas below them, top-k accuracy, thresholds |
| `evaluation.compare` | `likely.compare`: how two classifiers compare on the same documents |
| `evaluation.drift` | `Drift`: whether texts have moved away from the training data |
| `evaluation.check` | `DataCheck`: what is wrong with labelled texts |
| `evaluation.curve` | `LearningCurve`: accuracy against the number of documents |
| `evaluation.cross_validation` | evaluations of what training makes, without a test set |
"""
