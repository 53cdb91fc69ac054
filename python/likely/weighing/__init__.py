"""Counts and options to weights, each formula once.

| module | what it does |
| --- | --- |
| `weighing.terms` | which terms count, and how much each |
| `weighing.variants` | the variants of naive Bayes |
| `weighing.weights` | classes and weights, as the kernel scores with them |
| `weighing.learned` | weights that were learned from all documents at once |
| `weighing.nbsvm` | how they are learned |
"""
