"""Options: each is one field of a dataclass. Constructor, flags, checks and the reference page derive from it.

| module | contents |
| --- | --- |
| `options.compound` | options with several parts, such as `entities` and `nbsvm` |
| `options.kinds` | the kinds of values, how they are checked, and how the command line writes them |
| `options.option` | `option`, which makes a field, and `Option`, what is known about it |
| `options.model` | `ModelOptions`, the presets of tasks, and options that contradict each other |
| `options.reading` | `ReadingOptions`, `TrainingOptions`, `ScaleOptions` |
"""
