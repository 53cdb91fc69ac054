"""The three text vectorizers of scikit-learn: the same parameters, the same matrices.

| module | what it does |
| --- | --- |
| `parameters`, `parameterized` | the parameters, their defaults and checks; parameters as attributes |
| `term_rules` | how a document becomes terms; `ngrams` and `characters` hold the parts |
| `engines` | who counts: the kernel, or Python functions (`python_counting`) |
| `vocabulary`, `selection` | the terms that have columns, and which terms are kept |
| `sparse` | matrices of scipy |
| `count`, `tfidf`, `hashing` | the three vectorizers |
"""
