"""Why a text gets its class, and what a model knows.

| module | what it explains |
| --- | --- |
| `explanation.explanation` | one text: prior plus contributions make the score |
| `explanation.words` | the words of a model: counts, ratios, the words of each class |
| `explanation.language_model` | a class as a language model: likelihood, perplexity, random text |
| `explanation.comparison` | how two models differ |
| `explanation.mislabelled`, `explanation.label_noise` | documents whose label is probably wrong |
| `explanation.independence` | which terms break the naive assumption |
"""
