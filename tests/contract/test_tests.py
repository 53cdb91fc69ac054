"""Every module that decides something has a test file of its name in its room, or is named here with the reason."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
UNIT = ROOT / "tests" / "unit"

ELSEWHERE: dict[str, str] = {
    "cli.changing": "a front door, which tests/cli/test_learn.py and test_forget.py go through",
    "cli.flags": "a front door, which tests/cli/test_train.py goes through",
    "cli.model_files": "a front door, which tests/cli/test_odd_files.py goes through",
    "cli.output": "a front door, which tests/cli/test_odd_files.py goes through",
    "cli.progress": "a front door, which tests/cli/test_train.py goes through",
    "cli.report_files": "a front door, which tests/cli/test_report.py goes through",
    "cli.values": "types only, which tests/contract/test_options.py compares with the flags",
    "errors": "names only, which tests/contract/test_contract.py checks",
    "evaluation.answers": "fields only, which tests/unit/evaluation/test_evaluate.py fills",
    "filtering.pipeline": "tests/unit/filtering/test_files.py goes through every step",
    "options.model_table": "a table, which tests/unit/options/test_table.py checks row by row",
    "options.reading_table": "a table, which tests/contract/test_options.py checks",
    "options.selecting_table": "a table, which tests/unit/selecting/test_settings.py checks",
    "options.tuning_table": "a table, which tests/contract/test_options.py checks",
    "options.typed": "types only, which tests/contract/test_options.py compares with the tables",
    "reports.overview": "types only, which mypy checks",
    "reports.rows.csv": "tests/unit/reports/rows/test_predictions.py writes every format",
    "reports.rows.jsonl": "tests/unit/reports/rows/test_predictions.py writes every format",
    "reports.rows.parquet": "tests/unit/reports/rows/test_predictions.py writes every format",
    "reports.rows.unchanged": "tests/unit/filtering/test_files.py copies rows of every format",
    "reports.rows.writer": "tests/unit/reports/rows/test_predictions.py writes every format",
    "sample": "the sample corpus, which most tests read",
    "scoring.leave_one_out.equal": "tests/property/test_leave_one_out.py compares it with a model without the text",
    "scoring.leave_one_out.kinds": "tests/property/test_leave_one_out.py compares it with a model without the text",
    "scoring.leave_one_out.outside": "tests/property/test_leave_one_out.py compares it with a model without the text",
    "scoring.leave_one_out.scores": "tests/property/test_leave_one_out.py compares it with a model without the text",
    "selecting.parquet_rows": "tests/unit/selecting/test_writing.py writes every format",
    "selecting.weighing": "tests/property/test_importance_weights.py compares it with the definition",
    "client.answers": "fields, which tests/unit/client/test_client.py reads from a real server",
    "client.async_client": "tests/unit/client/test_client.py asks a real server with both clients",
    "server.http.app": "tests/server/test_http.py and tests/server/test_http_access.py ask a real server",
    "server.http.asgi": "types only, which mypy checks",
    "server.http.content": "fields only, which tests/server/test_http.py sees as headers",
    "server.http.direct_protocol": "tests/server/test_http_direct.py asks a real server in pieces and in a row",
    "server.http.docs_page": "tests/server/test_http.py loads the page",
    "server.http.handlers.evaluation": "tests/server/test_http_files.py asks a real server",
    "server.http.handlers.pooling": "tests/server/test_http_files.py asks a real server",
    "server.http.handlers.health": "tests/server/test_http.py asks a real server",
    "server.http.handlers.inference": "tests/server/test_http.py asks a real server",
    "server.http.handlers.learning": "tests/server/test_http.py asks a real server",
    "server.http.handlers.looking": "tests/server/test_http.py asks a real server",
    "server.http.handlers.pages": "tests/server/test_http.py asks a real server",
    "server.http.handlers.predicting": "tests/server/test_http.py asks a real server",
    "server.http.limits": "numbers, which tests/server/test_http_abuse.py exceeds",
    "server.http.messages": "types, by which tests/server/test_http.py is answered and refused",
    "server.http.protocol": "tests/server/test_http_abuse.py is slow, large and malformed",
    "server.http.service": "tests/server/test_http.py asks a real server",
    "server.keeper.status": "fields only, which tests/unit/server/keeper/test_keeper.py reads",
    "server.workers": "tests/server/test_http_workers.py starts, kills and ends real processes",
    "server.running": "tests/server/test_http.py starts and ends real servers",
    "spark.frame": "tests/spark/test_training.py counts and samples with it",
    "types": "aliases only, which mypy checks",
    "weighing.variants.bernoulli": "tests/unit/weighing/variants/test_form.py has the formula of every variant",
    "weighing.variants.complement": "tests/unit/weighing/variants/test_form.py has the formula of every variant",
    "weighing.variants.multinomial": "tests/unit/weighing/variants/test_form.py has the formula of every variant",
}
"""Modules without a test file of their name, and where they are tested."""


def modules() -> dict[str, Path]:
    """The modules of the package by their dotted names, and where their tests belong."""
    found = {}
    for module in sorted(PACKAGE.rglob("*.py")):
        if module.stem not in ("__init__", "__main__"):
            inner = module.relative_to(PACKAGE)
            name = ".".join(inner.with_suffix("").parts)
            is_command = inner.parts[:2] == ("cli", "commands")
            folder = ROOT / "tests" / "cli" if is_command else UNIT / inner.parent
            if inner.parts[0] == "spark":  # they share a session of Spark
                folder = ROOT / "tests" / inner.parent
            found[name] = folder / f"test_{inner.stem}.py"
    return found


def test_every_module_has_tests() -> None:
    missing = {name: path for name, path in modules().items() if not path.exists() and name not in ELSEWHERE}
    fixes = "\n".join(f"write {path.relative_to(ROOT)} for likely.{name}" for name, path in missing.items())
    assert not missing, f"{fixes}\nor name the module in ELSEWHERE with the reason"


def test_exceptions_are_needed() -> None:
    paths = modules()
    gone = sorted(set(ELSEWHERE) - set(paths))
    assert not gone, f"these modules do not exist, delete them from ELSEWHERE: {gone}"
    tested = sorted(name for name in ELSEWHERE if paths[name].exists())
    assert not tested, f"these have a test file of their name, delete them from ELSEWHERE: {tested}"


def test_a_reason_that_names_a_test_names_one_that_exists() -> None:
    for name, reason in ELSEWHERE.items():
        for word in reason.replace(",", " ").split():
            if word.startswith("tests/"):
                assert (ROOT / word).exists(), f"{name}: {word} does not exist"


def test_every_room_of_tests_is_a_room_of_the_package() -> None:
    for folder in (path for path in UNIT.rglob("*") if path.is_dir() and path.name != "__pycache__"):
        room = PACKAGE / folder.relative_to(UNIT)
        assert room.is_dir(), f"{folder.relative_to(ROOT)} has tests, but likely has no such room: move them"


def test_every_test_file_says_what_it_is_about() -> None:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        assert path.read_text(encoding="utf-8").startswith('"""'), f"{path.relative_to(ROOT)}: begin with a sentence"
