"""`NaiveBayes`: the public class of a model.

| module | contents |
| --- | --- |
| `model.naive_bayes` | `NaiveBayes`, with `save`; `load` |
| `model.fitter` | fit, calibrate |
| `model.learner` | learn, forget, merge |
| `model.deciding` | choose the probabilities from which classes are predicted |
| `model.predictions` | predict, explain |
| `model.evaluating` | evaluate: compare predictions with gold labels |
| `model.shifts` | how far texts are from the training data |
| `model.comparing` | compare two models on the same texts |
| `model.drifting` | whether texts have moved away from the training data |
| `model.judging` | judge learned documents by models without them |
| `model.questions` | questions about what a model has learned |
| `model.state` | `State`: everything that was learned |
| `model.settled` | `Settled`: what follows from the options |
| `model.fitting` | what `fit` finds: chosen options, a lesson, a sample to calibrate on |
| `model.merging` | the model of the documents of two models |
| `model.learning` | `Lesson`: what is learned from labelled texts |
| `model.new_classes` | classes that a lesson would add to a model |
"""
