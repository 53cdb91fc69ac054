"""fastText as a filter, in its own environment: python filter_peer.py TASK FOLDER NAME."""

import io
import json
import multiprocessing
import resource
import sys
import time
from pathlib import Path

PROCESSES = 2
WANTED = {"quality": "__label__good", "language": "__label__en"}
SETTINGS = {
    # Words and pairs of words, as quality classifiers of web text are trained.
    "quality": {"wordNgrams": 2, "bucket": 2_000_000},
    # The settings of fastText's own language models: lid.176 has 16 dimensions and hierarchical softmax.
    "language": {"minn": 2, "maxn": 4, "dim": 16, "loss": "hs", "epoch": 25},
}


def train(folder, name):
    import fasttext

    model = fasttext.train_supervised(str(folder / f"{name}.txt"), thread=2, verbose=0, **SETTINGS[name])
    model.save_model(str(folder / f"{name}.bin"))
    return {}


def filter_some(folder, name, paths):
    """Filters some files, as fastText's users do: row by row."""
    import fasttext
    import zstandard

    fasttext.FastText.eprint = lambda *args, **kwargs: None
    model = fasttext.load_model(str(folder / f"{name}.bin"))
    for path in paths:
        with path.open("rb") as raw, (folder / f"{name}.peer" / path.name).open("wb") as out:
            unpacked = zstandard.ZstdDecompressor().stream_reader(raw)
            packed = zstandard.ZstdCompressor(level=3).stream_writer(out, closefd=False)
            for line in io.BufferedReader(unpacked, 1 << 20):
                text = json.loads(line)["text"].replace("\n", " ")
                labels, shares = model.predict(text)
                if labels[0] == WANTED[name] and shares[0] >= 0.8:
                    packed.write(line)
            packed.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def filter_all(folder, name):
    (folder / f"{name}.peer").mkdir(exist_ok=True)
    paths = sorted((folder / "in").glob("*.zst"))
    begun = time.perf_counter()
    with multiprocessing.Pool(PROCESSES) as pool:
        cpu = pool.starmap(filter_some, [(folder, name, paths[at::PROCESSES]) for at in range(PROCESSES)])
    return {"seconds": time.perf_counter() - begun, "cpu": sum(cpu)}


def accuracy(folder, name):
    import fasttext

    model = fasttext.load_model(str(folder / f"{name}.bin"))
    judged = json.loads((folder / "judged.json").read_text())
    right = sum(model.predict(text.replace("\n", " "))[0][0] == f"__label__{label}" for text, label in judged)
    return {"accuracy": right / len(judged)}


if __name__ == "__main__":
    task, place, what = sys.argv[1:]
    print(json.dumps({"train": train, "filter": filter_all, "accuracy": accuracy}[task](Path(place), what)))
