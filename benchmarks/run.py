"""All claims in one table: `make bench`."""

from __future__ import annotations

import importlib
import platform
import sys

from likely import _native

from benchmarks.measure import show

SCRIPTS = (
    "fit",
    "languages",
    "prepare",
    "predict",
    "leave_one_out",
    "suspects",
    "evaluate",
    "report",
    "memory",
    "learn",
    "classes",
    "budget",
    "strongest",
    "vectorize",
    "spelling",
    "interrupt",
    "store",
    "command",
    "default_model",
    "live",
    "serve",
    "filter",
    "selecting",
)


def main() -> int:
    print(f"{platform.platform()}, kernel {_native.kernels()[-1]}", flush=True)
    claims = [claim for name in SCRIPTS for claim in show(importlib.import_module(f"benchmarks.{name}").claims())]
    missed = [claim for claim in claims if not claim.passed]
    print(f"{len(claims) - len(missed)} of {len(claims)} bars passed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
