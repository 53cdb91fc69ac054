"""Options, each described once as data: constructor, flags, reference and checks follow from the table.

| module | what it holds |
| --- | --- |
| `options.table` | every option: name, default, allowed values, help |
| `options.kinds` | what an option is, and the kinds of values |
| `options.conflicts` | options that contradict each other |
| `options.presets` | what each task stands for |
| `options.configured` | an object that has the options as attributes |
"""
