"""What is wrong with labelled texts, before a model is trained on them: one module per kind of finding.

| module | contents |
| --- | --- |
| `check.data_check` | `check`: all findings about a source, as one `DataCheck` |
| `check.finding` | `Finding`: something that deserves a look, with examples and the command that fixes it |
| `check.sizes` | classes of too few rows, or of very different sizes |
| `check.labels` | labels that look like mistakes |
| `check.characters` | traces of a wrong encoding, control characters, lone invisible signs |
| `check.wordless` | documents without any word, or with only one |
| `check.copied` | copies, equal texts with different labels, near-copies |
| `check.leaked` | words and invisible signs that leak the label |
| `check.wrong_labels` | documents that are probably mislabelled |
"""
