"""The main job in one minute: ``python -m likely.demo`` trains, evaluates and explains on the sample corpus."""

from __future__ import annotations

import time

from likely.model import NaiveBayes
from likely.sample import load_sample

HELD_BACK = 5  # every fifth pair of reviews


def demo() -> str:
    """The whole demonstration as text.

    Examples
    --------
    >>> "Decision:" in demo()
    True
    """
    texts, labels = load_sample()
    held_back = [(at // 2) % HELD_BACK == 0 for at in range(len(texts))]
    train = [at for at, held in enumerate(held_back) if not held]
    test = [at for at, held in enumerate(held_back) if held]
    begun = time.perf_counter()
    model = NaiveBayes().fit([texts[at] for at in train], [labels[at] for at in train])
    seconds = time.perf_counter() - begun
    evaluation = model.evaluate([texts[at] for at in test], [labels[at] for at in test])
    words = {label: ", ".join(word for word, _ in model.top_words(label, 8)) for label in model.classes_.tolist()}
    return "\n".join(
        [
            f"1. Train on {len(train)} reviews of the sample corpus ({seconds * 1000:.1f} ms)\n",
            f"   {len(model.vocabulary_):,} different words; those that speak most for each class:",
            *(f"   {label}: {top}" for label, top in words.items()),
            f"\n2. Evaluate on the {len(test)} reviews held back\n",
            str(evaluation),
            "\n3. Explain one decision, step by step\n",
            str(model.explain("Not a bad film, but the ending was a boring disappointment.")),
        ]
    )


if __name__ == "__main__":
    print(demo())
