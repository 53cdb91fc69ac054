"""Training: a model from labelled texts, with options that suit them.

| module | contents |
| --- | --- |
| `training.train` | `train`: a model fitted to the texts of a source |
| `training.check` | `check`: what is wrong with labelled texts |
| `training.evaluations` | cross-validation, hold-out and leave-one-out of the model that training makes |
| `training.pooled` | `Pool`: one evaluation of what several models answered |
| `training.straddling` | near-copies across what was learned and what was judged |
| `training.measured` | `Measured`: a model measured on held-out rows, which it then learns too |
| `training.wish` | `Wish`: whether the caller wants options to be chosen |
"""
