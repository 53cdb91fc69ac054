"""Predictions over HTTP: `likely serve`, beside an empty JSON handler and scikit-learn on the same stack.

Each is one process (Starlette, msgspec, uvicorn with h11 and uvloop), asked by wrk with 32 connections for a review
of 230 words. The empty handler decodes a request and encodes an answer, and has no checks; beside it is the rate of
the server itself, with all its checks, when it predicts nothing. It needs wrk (a package of Debian); without it,
nothing is claimed. A restart is that of a server with the same model, and with corrections of which those since the
last fold are replayed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import likely
from likely.server.keeper import Correction, Keeper

from benchmarks import corpus
from benchmarks.measure import Claim, best, show

SECONDS, ROUNDS, CONNECTIONS = 3, 3, 32
CORRECTIONS = 1_000

LIKELY = """
import sys
from likely.server.access import Limits
from likely.server.running import ServerSettings, run
run(ServerSettings(*sys.argv[1:], port=0), Limits(), lambda address: print(address, flush=True))
"""

CHECKS = (
    """
from likely.server import service
from likely.server.messages import LabelProbability, Prediction
answer = Prediction("pos", 1.0, 1.0, [LabelProbability("pos", 1.0)])
service.predictions = lambda model, texts, options, watch: [answer] * len(texts)
"""
    + LIKELY
)

OTHER = """
import pickle, socket, sys
import msgspec, uvicorn
from likely.server.messages import PredictRequest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

decode, encode = msgspec.json.Decoder(PredictRequest).decode, msgspec.json.Encoder().encode
if sys.argv[1] == "empty":
    answer = lambda asked: {}
else:
    with open(sys.argv[1], "rb") as file:
        pipeline = pickle.load(file)
    def answer(asked):
        shares = pipeline.predict_proba([asked.text])[0]
        return {"label": str(pipeline.classes_[shares.argmax()]), "probability": float(shares.max())}

async def predict(request):
    return Response(encode(answer(decode(await request.body()))), media_type="application/json")

bound = socket.socket()
bound.bind(("127.0.0.1", 0))
print(f"http://127.0.0.1:{bound.getsockname()[1]}", flush=True)
app = Starlette(routes=[Route("/", predict, methods=["POST"])])
settings = {"lifespan": "off", "log_level": "error", "access_log": False}
settings |= {"proxy_headers": False, "server_header": False}
uvicorn.Server(uvicorn.Config(app, http="h11", **settings)).run([bound])
"""


def claims() -> list[Claim]:
    if shutil.which("wrk") is None:
        return []
    texts, labels, name = corpus.load()
    text = corpus.one_review(texts)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "post.lua")
        body = json.dumps(json.dumps({"text": text}))
        script.write_text(
            f'wrk.method = "POST"\nwrk.body = {body}\nwrk.headers["Content-Type"] = "application/json"\n',
            encoding="utf-8",
        )
        model, pipeline = Path(folder, "model.likely"), Path(folder, "pipeline")
        likely.train([{"text": text, "label": label} for text, label in zip(texts, labels)]).save(model)
        _fit_pipeline(texts, labels, pipeline)
        programs = {
            "likely": (LIKELY, model),
            "checks": (CHECKS, model),
            "empty": (OTHER, "empty"),
            "sklearn": (OTHER, pipeline),
        }
        running = {name: _start(program, argument) for name, (program, argument) in programs.items()}
        try:
            figures = _measure({name: address for name, (_, address) in running.items()}, script)
        finally:
            for process, _ in running.values():
                process.kill()
                process.wait()
        restart = _restart(model, texts, labels)
    rate = {name: found[0] for name, found in figures.items()}
    rates = ", ".join(f"{each} {figure:,.0f}" for each, figure in rate.items())
    detail = f"{rates} per second; {name}"
    return [
        Claim("predict over HTTP, share of an empty handler's rate", rate["likely"] / rate["empty"], 0.55, detail),
        Claim("predict over HTTP, times scikit-learn", rate["likely"] / rate["sklearn"], 50, detail),
        Claim("predict over HTTP, p99 in milliseconds", figures["likely"][1], 15, f"{CONNECTIONS} connections", True),
        Claim("restart until it answers, seconds", restart, 1, f"{CORRECTIONS:,} corrections; {name}", True),
    ]


def _fit_pipeline(texts: list[str], labels: list[str], path: Path) -> None:
    import pickle

    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    # The terms that `likely train` chooses for reviews: words and pairs of words.
    path.write_bytes(
        pickle.dumps(make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB()).fit(texts, labels))
    )


def _start(program: str, *arguments: object) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def _restart(model: Path, texts: list[str], labels: list[str]) -> float:
    """The seconds from the start of a server that was killed after many corrections until it answers."""
    store = model.with_suffix(".store")
    with Keeper.open(model, store) as keeper:
        for at in range(0, CORRECTIONS, 100):
            rows = zip(texts[at : at + 100], labels[at : at + 100], strict=True)
            keeper.learn([Correction(f"{text} once more", label) for text, label in rows])
            if at == CORRECTIONS // 2:  # as a server would
                keeper.fold()

    def start() -> None:
        process, address = _start(LIKELY, model, store)
        assert address
        process.kill()
        process.wait()

    return best(start, ROUNDS)[0]


def _measure(addresses: dict[str, str], script: Path) -> dict[str, tuple[float, float]]:
    """The best rate, and the 99th percentile of the times in milliseconds, of several rounds in turn."""
    found: dict[str, tuple[float, float]] = dict.fromkeys(addresses, (0.0, float("inf")))
    for _ in range(ROUNDS):
        for name, address in addresses.items():
            path = "/predict" if name in ("likely", "checks") else "/"
            command = [
                "wrk",
                "-t1",
                f"-c{CONNECTIONS}",
                f"-d{SECONDS}s",
                "--latency",
                "-s",
                str(script),
                address + path,
            ]
            shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            assert "Non-2xx" not in shown, shown
            rate = float(re.search(r"Requests/sec: +([\d.]+)", shown)[1])  # type: ignore[index]
            late, unit = re.search(r"99% +([\d.]+)(us|ms|s)", shown).groups()  # type: ignore[union-attr]
            milliseconds = float(late) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[unit]
            found[name] = max(found[name], (rate, milliseconds), key=lambda each: each[0])
    return found


if __name__ == "__main__":
    show(claims())
