"""Scores, probabilities and predictions of texts.

| module | contents |
| --- | --- |
| `scoring.scorer` | `Scorer`: scores, probabilities and classes of texts |
| `scoring.calibration` | calibrated probabilities from scores |
| `scoring.doubt` | what remains certain if scores are only known roughly |
| `scoring.calibration_record` | the calibration of a model and its measured effect |
| `scoring.uncalibrated` | why the probabilities of a calibrated model are raw |
| `scoring.decisions` | which class is predicted, if classes have thresholds |
| `scoring.threshold_choice` | the thresholds that suit a wish, such as the F1 of a class |
| `scoring.threshold_search` | thresholds of all classes together, for the macro F1 or for costs |
| `scoring.threshold_record` | the chosen thresholds and their measured effect; the default for rare classes |
| `scoring.abstain` | when a model returns None instead of a class |
| `scoring.shift` | `Shift`: how far texts are from the training data, and class shares without labels |
| `scoring.reliability` | how far probabilities can be trusted: calibration error, bands of confidence, coverage |
| `scoring.tuning_record` | the settings that were tried while tuning, and how good each was |
| `scoring.leave_one_out` | the scores of each learned document from a model without it |
| `scoring.removals` | which documents are left out together, and what is taken out of the counts with them |
| `scoring.cross_validation` | the scores of documents from models that were trained on the other folds |
"""
