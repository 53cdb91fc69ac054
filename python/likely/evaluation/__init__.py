"""Gold labels and predictions to measures of quality.

| module | what it does |
| --- | --- |
| `evaluation.evaluation` | `Evaluation`: accuracy, precision, recall, F and the confusion matrix |
| `evaluation.table` | the table of one class against the rest: precision, recall and F |
| `evaluation.coverage` | coverage curves: what is answered, and how often that is right, at each threshold |
| `evaluation.reliability` | how far probabilities can be trusted: calibration error, Brier score, log-loss |
| `evaluation.shift` | `Shift`: how far texts are from the training data, with a warning past stated bounds |
| `evaluation.comparison` | `Comparison`: how two classifiers compare on the same documents |
| `evaluation.pairing` | predictions of two classifiers, batch by batch, to a `Comparison` |
| `evaluation.paired` | McNemar's test, and paired bootstrap intervals of differences |
| `evaluation.drift` | `Drift`: whether texts have moved away from the training data |
| `evaluation.calibration_check` | whether accuracy and calibration are still those of training |
| `evaluation.trials` | the settings that were tried while tuning, and how good each was |
"""
