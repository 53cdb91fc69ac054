"""Weights of terms, computed from counts and options. Each formula is in one place.

| module | contents |
| --- | --- |
| `weighing.rules` | `Rules`: the options that turn counts into weights |
| `weighing.scales` | which terms are kept, and the scale (idf) of each, from document frequencies |
| `weighing.kept_terms` | the kept terms with their scales, which follow the counts |
| `weighing.terms` | `Terms`: the kept terms and their scales |
| `weighing.class_weights` | the weights of classes |
| `weighing.term_cells` | `TermCells`: the counts of terms in the classes that have them |
| `weighing.usual` | what share of the terms of a text is usually unknown |
| `weighing.term_values` | the value of a term in a document |
| `weighing.variants` | the variants of naive Bayes: one file per formula |
| `weighing.classes` | `Classes`: the numbers per class, such as the prior |
| `weighing.weights` | `Weights`: the weights in the kernel, which scores texts |
| `weighing.nbsvm`, `weighing.training_rows`, `weighing.training_set` | weights that are learned from all documents |
| `weighing.learned` | `Learned`: these weights |
| `weighing.moment` | `Moment`: all of this at one moment |
"""
