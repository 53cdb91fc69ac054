"""`likely evaluate --curve`: text and JSON, options as for train, and a pipe."""

from __future__ import annotations

import json

from likely.sample import load_sample

from .conftest import Run  # noqa: TC001

TEXTS, LABELS = load_sample()
LINES = "".join(json.dumps({"text": t, "label": g}) + "\n" for t, g in zip(TEXTS, LABELS, strict=True)).encode()


def test_text_and_json_agree(run: Run) -> None:
    done = run("evaluate", "--curve", "-", "--plain", stdin=LINES)
    assert done.err.startswith("read as JSON Lines, text=text, label=label, 480 rows")
    assert max(map(len, done.out.splitlines())) <= 80
    found = run("evaluate", "--curve", "-", "--plain", "--json", stdin=LINES).json["curve"]
    assert found["of"] == 480
    assert not found["tuned"]
    assert found["advice"].split(".")[0] in " ".join(done.out.split())
    for point in found["points"]:
        assert f"{100 * point['accuracy']:.2f}%" in done.out


def test_options_as_for_train(run: Run) -> None:
    found = run("evaluate", "--curve", "-", "--variant", "bernoulli", "--alpha", "0.5", "--json", stdin=LINES).json[
        "curve"
    ]
    assert found["options"] == {"variant": "bernoulli", "alpha": 0.5}
    assert "leave plain out" in run("evaluate", "--curve", "-", "--plain", "--alpha", "2", stdin=LINES, status=2).err


def test_too_little_data(run: Run) -> None:
    done = run("evaluate", "--curve", "-", "--plain", stdin=LINES[:600].rpartition(b"\n")[0])
    assert "too few documents" in " ".join(done.out.split())
