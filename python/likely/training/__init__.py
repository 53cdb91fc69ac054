"""Labelled texts to a model, with options that suit them.

| module | what it does |
| --- | --- |
| `training.train` | `train`: read, choose options, count, calibrate |
| `training.tuning` | choosing options |
"""
