"""Gold labels and predictions to measures of quality.

| module | what it does |
| --- | --- |
| `evaluation.evaluation` | `Evaluation`: accuracy, precision, recall, F and the confusion matrix |
| `evaluation.table` | the table of one class against the rest: precision, recall and F |
| `evaluation.coverage` | coverage curves: what is answered, and how often that is right, at each threshold |
| `evaluation.reliability` | how far probabilities can be trusted: calibration error, Brier score, log-loss |
| `evaluation.near_copies` | `NearCopies`: judged documents that are near-copies of learned ones, and their effect |
| `evaluation.near_pairs` | which documents are near-copies of each other |
| `evaluation.fingerprints` | documents as sets of numbers, and the signatures by which near-copies are found |
| `evaluation.shift` | `Shift`: how far texts are from the training data, with a warning past stated bounds |
| `evaluation.trials` | the settings that were tried while tuning, and how good each was |
"""
