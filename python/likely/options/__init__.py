"""Options, each described once, as a row of a table. Arguments, flags, checks and the reference page follow from it.

| module | contents |
| --- | --- |
| `options.option` | `Option`: one row of a table |
| `options.kinds` | the kinds of values, and how they are checked |
| `options.parsing` | the values that texts on the command line stand for |
| `options.model_table` | `MODEL`: the options of a model |
| `options.reading_table` | `READING`: how a source is read |
| `options.tuning_table` | `TUNING`: what only training decides by |
| `options.selecting_table` | `SELECTING`: how documents are selected |
| `options.table` | the tables in one place, and the checks of values by name |
| `options.typed` | the same options as types, for signatures |
| `options.conflicts` | options that contradict each other |
| `options.presets` | the options that each task stands for |
| `options.configured` | an object that has the options of a model as attributes |
"""
