"""The time from Ctrl-C to the end of a long call."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from benchmarks.measure import Claim, show

SCRIPT = """
import time
from likely import NaiveBayes
texts = ["the quick brown fox jumps over the lazy dog " * 40_000] * 3000
labels = [at % 2 for at in range(len(texts))]
model = NaiveBayes(ngrams=(1, 2)).fit(["a b", "b c"], [0, 1])
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print(time.time(), flush=True)
"""


def claims() -> list[Claim]:
    return [
        Claim(f"{work}: seconds it goes on after Ctrl-C", max(latency(work) for _ in range(3)), 0.2, "", True)
        for work in ("model.fit(texts, labels)", "model.predict(texts)")
    ]


def latency(work: str) -> float:
    """Seconds from the signal to the exception."""
    command = [sys.executable, "-c", SCRIPT.format(work=work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.7)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        return float(process.stdout.readline()) - sent


if __name__ == "__main__":
    show(claims())
