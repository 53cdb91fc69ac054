"""Training: a model from labelled texts, with options that suit them.

| module | contents |
| --- | --- |
| `training.train` | `train`: reads texts, chooses options, counts, calibrates |
| `training.measured` | `Measured`: a model measured on held-out rows, which it then learns too |
| `training.wish` | `Wish`: how the caller wants options to be chosen |
"""
