"""Training: a model from labelled texts, with options that suit them.

| module | contents |
| --- | --- |
| `training.train` | `train`: a model fitted to the texts of a source |
| `training.measuring` | `check`, `cross_validate`, `hold_out`, `leave_one_out`, `learning_curve` |
| `training.wish` | `Wish`: whether the caller wants options to be chosen |
"""
