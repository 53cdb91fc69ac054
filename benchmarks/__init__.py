"""Speed and memory against peers: ratios measured in one run."""
