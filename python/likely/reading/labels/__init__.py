"""Labels as they are read: what is done to them, and what is doubtful about them.

| module | contents |
| --- | --- |
| `labels.rules` | `LabelRules`: what is done to labels as they are read |
| `labels.check` | `LabelCheck`: the labels of a source, counted and settled |
| `labels.doubts` | what may be wrong with labels, and which option settles it |
| `labels.file` | a separate file of labels |
"""
