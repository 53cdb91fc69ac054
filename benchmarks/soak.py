"""The long measurements of the server in one table: a part of `make soak`."""

from __future__ import annotations

import importlib
import platform
import sys

from benchmarks.measure import show

SCRIPTS = ("soak_restart", "soak_follow", "soak_abuse", "soak_memory")


def main() -> int:
    print(platform.platform(), flush=True)
    claims = [claim for name in SCRIPTS for claim in show(importlib.import_module(f"benchmarks.{name}").claims())]
    missed = [claim for claim in claims if not claim.passed]
    print(f"{len(claims) - len(missed)} of {len(claims)} bars passed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
