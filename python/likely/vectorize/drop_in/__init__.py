"""scikit-learn's three text vectorizers, with the same parameters and the same matrices."""
