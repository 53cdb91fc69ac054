"""`NaiveBayes`: the public class of a model.

| module | contents |
| --- | --- |
| `model.naive_bayes` | `NaiveBayes`, with `save`; `load` |
| `model.learner` | learn, forget, merge, calibrate |
| `model.deciding` | choose the probabilities from which classes are predicted |
| `model.predictions` | predict, explain, evaluate |
| `model.questions` | questions about what a model has learned |
| `model.state` | `State`: everything that was learned |
| `model.settled` | `Settled`: what follows from the options |
| `model.learning` | `Lesson`: what is learned from labelled texts |
| `model.new_classes` | classes that a lesson would add to a model |
"""
