"""Explanations of predictions and models.

| module | what it explains |
| --- | --- |
| `explanation.explanation` | one text: its score is the prior plus the contribution of each term |
| `explanation.contrast` | how strongly each term of a text speaks for one class against another |
| `explanation.words` | the words of a model: counts, ratios, the typical words of each class |
| `explanation.language_model` | a class as a language model: likelihood, perplexity, random text |
| `explanation.comparison` | how two models differ |
| `explanation.mislabelled`, `explanation.label_noise` | documents that are probably mislabelled |
| `explanation.leaks` | which terms alone predict a class suspiciously well |
| `explanation.independence` | which terms violate the naive assumption of independence |
"""
