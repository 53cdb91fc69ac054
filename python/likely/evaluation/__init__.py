"""Gold labels and predictions to measures of quality.

| module | what it does |
| --- | --- |
| `evaluation.evaluation` | `Evaluation`: accuracy, precision, recall, F and the confusion matrix |
| `evaluation.reliability` | how far probabilities can be trusted: calibration error, Brier score, log-loss |
| `evaluation.trials` | the settings that were tried while tuning, and how good each was |
"""
