"""`NaiveBayes`: the model that users hold."""
