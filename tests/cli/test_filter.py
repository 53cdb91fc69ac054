"""`likely predict --where`: rows that match, many files, kills."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

from .conftest import COMMAND, Run

KILLS = int(os.environ.get("LIKELY_KILLS", "25")) // 5
ROWS = '{"id":1,"text":"good fun"}\n{"id":2,"text":"dull"}\nno\n{"id":3,"text":"fun"}\n'


def test_matching_rows_to_standard_output(run: Run, model: Path) -> None:
    found = run("predict", model, "--where", "p(pos) > 0.5", "--only-matching", stdin=ROWS.encode())
    assert found.out.splitlines() == [ROWS.splitlines()[0], ROWS.splitlines()[3]]


def test_a_column_says_which_rows_match(run: Run, model: Path) -> None:
    found = run("predict", model, "--where", "p(pos) > 0.5", stdin=ROWS.encode())
    assert [json.loads(line)["matches"] for line in found.out.splitlines()] == [True, False, None, True]


def test_files_to_files(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "web" / name).write_text(ROWS)
    args = ["predict", model, "web/*.jsonl", "--where", "label == pos", "--only-matching", "-o", "kept/"]
    found = run(*args)
    assert found.out.startswith("kept 4 of 8 rows (50.0%), 2 files, 2 rows could not be read, ")
    assert found.out.rstrip().endswith(" MB/s")
    assert (tmp_path / "kept/a.jsonl").read_text().count("\n") == 2
    again = run(*args, "--json").json
    assert (again["files"], again["already"], again["kept"], again["unread"]) == (0, 2, 4, {})
    refused = run("predict", model, "web", "--where", "label == neg", "--only-matching", "-o", "kept", status=2)
    assert "the expression has changed" in refused.err
    other = run("predict", model, "web", "--where", "label == neg", "-o", "kept", "--overwrite")
    assert other.out.startswith("kept 2 of 8 rows")


def test_without_a_slash_several_files_become_one(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "web" / name).write_text(ROWS)
    rule = ("--where", "label == pos", "--only-matching", "-o")
    for at, data in enumerate((["web/*.jsonl"], ["web/a.jsonl", "web/b.jsonl"], ["web"])):
        run("predict", model, *data, *rule, f"kept{at}")
        assert (tmp_path / f"kept{at}").read_text().count("\n") == 4


def test_a_filter_does_not_read_what_it_has_written(run: Run, model: Path, tmp_path: Path) -> None:
    for folder, data in {"web": "web", "glob": "glob/**/*.jsonl"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.jsonl").write_text(ROWS)
        for already in (0, 1):
            found = run("predict", model, data, "--where", "label == pos", "-o", f"{folder}/kept/", "--json").json
            assert (found["files"], found["already"]) == (1 - already, already)


def test_a_file_that_has_the_new_column_is_told(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.jsonl").write_text(ROWS)
    (tmp_path / "web" / "b.jsonl").write_text('{"text":"good","prediction":"x"}\n')
    found = run("predict", model, "web", "--where", "label == pos", "-o", "kept/", status=1)
    assert (
        "not written: web/b.jsonl already has a column 'prediction': name the new one with --prediction-column"
        in found.err
    )
    assert found.out.startswith("kept 2 of 4 rows")
    assert (tmp_path / "kept" / "a.jsonl").exists()


def test_flags_that_do_not_fit(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(ROWS)
    assert "give --where" in run("predict", model, "a.jsonl", "--only-matching", status=2).err
    assert "with --where" in run("predict", model, "a.jsonl", "-o", "kept/", status=2).err
    assert "needs a folder" in run("predict", model, "a.jsonl", "--overwrite", status=2).err
    wrong = run("predict", model, "a.jsonl", "--where", "p(pos) >", "-o", "kept/", status=2)
    assert "column 9 of the expression: the end is not expected here" in wrong.err


def finished(folder: Path) -> int:
    return len(list(folder.glob("[0-9].jsonl")))


def test_after_kills_the_bytes_are_those_of_an_undisturbed_run(run: Run, model: Path, tmp_path: Path) -> None:
    rows = "".join(f'{{"id": {at}, "text": "good {at} dull {at % 7} fun {at % 3}"}}\n' for at in range(60_000))
    (tmp_path / "web").mkdir()
    for at in range(6):
        (tmp_path / "web" / f"{at}.jsonl").write_text(rows[at:])
    args = ["predict", model, "web/*.jsonl", "--where", "p(pos) > 0.5", "--only-matching", "-o"]
    run(*args, "whole/")
    left = []
    for wanted in range(KILLS):
        process = subprocess.Popen([COMMAND, *map(str, args), "killed/"], cwd=tmp_path, stdout=-3, stderr=-3)
        while process.poll() is None and finished(tmp_path / "killed") < wanted:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        process.wait()
        left.append(finished(tmp_path / "killed"))
    run(*args, "killed/")
    for at in range(6):
        whole = (tmp_path / "whole" / f"{at}.jsonl").read_bytes()
        assert (tmp_path / "killed" / f"{at}.jsonl").read_bytes() == whole
    assert min(left) < 6, "no kill came before the end: the machine is faster than this test thinks"
    assert sorted(each.name for each in (tmp_path / "killed").iterdir()) == sorted(
        each.name for each in (tmp_path / "whole").iterdir()
    )


def test_a_folder_and_a_file_say_the_same(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("review\ngood fun\nso dull, it is\nunheard of\n")
    expression = ("--where", "p(pos) > 0.5")
    one = run("predict", model, "a.csv", *expression, "-o", "one.csv").err
    folder = run("predict", model, "a.csv", *expression, "-o", "out/").err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "out" / "a.csv").read_bytes()
    for line in ("a.csv row 2 (line 3): not as many fields as the header", "of the terms are unknown"):
        assert line in one
        assert line in folder
