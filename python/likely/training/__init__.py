"""Training: options are chosen, documents are counted, probabilities are calibrated. `training.fit` is the way in."""
