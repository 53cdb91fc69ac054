"""Training: a model from labelled texts, with options that suit them.

| module | contents |
| --- | --- |
| `training.train` | `train`: reads texts, chooses options, counts, calibrates |
| `training.wish` | `Wish`: how the caller wants options to be chosen |
"""
