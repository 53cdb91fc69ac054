"""Training: a model from labelled texts, with options that suit them.

| module | contents |
| --- | --- |
| `training.train` | `train`: a model fitted to the texts of a source |
| `training.measured` | `Measured`: a model measured on held-out rows, which it then learns too |
| `training.wish` | `Wish`: whether the caller wants options to be chosen |
"""
