"""The reference package `data-selection` on some files, in the environment of the peers."""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Select documents; the argument is a JSON object."""
    from data_selection import HashedNgramDSIR

    wish = json.loads(sys.argv[1])
    dsir = HashedNgramDSIR(
        wish["raw"],
        [wish["target"]],
        cache_dir=wish["cache"],
        num_proc=wish["processes"],
        num_buckets=wish["buckets"],
        min_example_length=wish["min_words"],
    )
    dsir.fit_importance_estimator(num_tokens_to_fit="all")
    dsir.compute_importance_weights()
    dsir.resample(out_dir=wish["out"], num_to_sample=wish["number"], cache_dir=wish["cache"] + "/rows")


if __name__ == "__main__":
    main()
