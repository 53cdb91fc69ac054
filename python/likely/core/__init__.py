"""The model: text to terms, terms to counts, counts to weights, weights to scores and decisions, and the model file.

Read `core.counts` first: the counts are the model, and everything else follows from them.
"""
