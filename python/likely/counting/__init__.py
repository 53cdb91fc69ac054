"""Terms and labels to counts, which are all that naive Bayes knows.

| module | what it does |
| --- | --- |
| `counting.counts` | `Counts`: count, add, subtract, select |
| `counting.arrow` | counts as an Arrow table, one row per term and class |
"""
