"""Explanations of predictions and models. Each module has the computation, the result and its text.

| module | what it explains |
| --- | --- |
| `explanation.explanation` | one text: its score is the prior plus the contribution of each term |
| `explanation.arithmetic` | its calculation, written out |
| `explanation.words` | the words of a model: counts, ratios, typical words; inspect |
| `explanation.language` | a class as a language model: likelihood, perplexity, random text |
| `explanation.suspects` | documents that are probably mislabelled |
| `explanation.independence` | which terms violate the naive assumption of independence |
"""
