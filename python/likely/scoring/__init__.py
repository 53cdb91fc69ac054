"""Weights and texts to scores, probabilities and decisions.

| module | what it does |
| --- | --- |
| `scoring.calibration` | scores to calibrated probabilities |
| `scoring.calibration_record` | what a model remembers of its calibration |
| `scoring.abstain` | when a model does not answer |
| `scoring.class_shares` | the shares of the classes in texts without labels |
| `scoring.leave_one_out` | the score of each learned document from a model without it |
"""
