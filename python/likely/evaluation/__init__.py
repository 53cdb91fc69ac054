"""Gold labels and predictions to measures of quality.

| module | what it does |
| --- | --- |
| `evaluation.evaluate` | `likely.evaluate`: gold labels and predictions to an `Evaluation` |
| `evaluation.evaluation` | `Evaluation`: all measures of predictions |
| `evaluation.pairs` | how often each pair of a gold label and a prediction occurs |
| `evaluation.table` | the table of one class against the rest: precision, recall and F |
| `evaluation.averages` | macro, micro and weighted averages over the classes where a measure is defined |
| `evaluation.agreement` | Matthews correlation and Cohen's kappa |
| `evaluation.baseline` | the majority baseline, and the warning if accuracy flatters |
| `evaluation.undefined` | which measures are undefined, and why |
| `evaluation.confused` | the classes that are most often confused |
| `evaluation.mistakes` | the worst wrong predictions |
| `evaluation.judge` | `Judge`: adds what the probabilities of the documents say |
| `evaluation.probabilities` | probabilities that a user gives, checked |
| `evaluation.ranking` | areas under ROC and precision-recall curves, and top-k accuracy |
| `evaluation.curves` | the documents in the order of the score of one class: the curves and their areas |
| `evaluation.sweep` | what a threshold does, at every threshold of a grid |
| `evaluation.losses` | what the probabilities cost, grouped for intervals |
| `evaluation.grouped` | many values as a few groups, from which a bootstrap draws fast |
| `evaluation.intervals` | 95 % intervals of all measures, by the bootstrap |
| `evaluation.answers` | the gold label and the prediction of each document, if they are to be kept |
| `evaluation.plain` | an evaluation as plain data |
| `evaluation.bands` | how often a model is right when it says that it is 90 % sure |
| `evaluation.coverage` | coverage curves: what is answered, and how often that is right, at each threshold |
| `evaluation.reliability` | how far probabilities can be trusted: calibration error, Brier score, log-loss |
| `evaluation.data_check` | `DataCheck`: what was found in labelled texts that deserves a look |
| `evaluation.near_copies` | `NearCopies`: judged documents that are near-copies of learned ones, and their effect |
| `evaluation.near_pairs` | which documents are near-copies of each other |
| `evaluation.fingerprints` | documents as sets of numbers, and the signatures by which near-copies are found |
| `evaluation.shift` | `Shift`: how far texts are from the training data, with a warning past stated bounds |
| `evaluation.comparison` | `Comparison`: how two classifiers compare on the same documents |
| `evaluation.pairing` | predictions of two classifiers, batch by batch, to a `Comparison` |
| `evaluation.paired` | McNemar's test, and paired bootstrap intervals of differences |
| `evaluation.drift` | `Drift`: whether texts have moved away from the training data |
| `evaluation.calibration_check` | whether accuracy and calibration are still those of training |
| `evaluation.learning_curve` | `LearningCurve`: accuracy against the number of documents |
| `evaluation.power_law` | `PowerLaw`: how the error falls with the number of documents |
| `evaluation.trials` | the settings that were tried while tuning, and how good each was |
"""
