"""Text to terms: normalise, tokenise, drop stop words, stem, build n-grams.

| module | what it does |
| --- | --- |
| `analysis.analyzer` | `Analyzer`: how texts become terms; `analyze`, for one text |
| `analysis.stop_words` | the stop words and negators of each language |
| `analysis.custom_tokenizer` | tokens from a function of the user |
| `analysis.steps` | what happens to each piece of a text, for people to look at |
"""
