"""The doors of the library: `NaiveBayes`, `load`, `train`. They call the rooms below and hold no maths."""
