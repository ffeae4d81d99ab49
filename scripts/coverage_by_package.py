#!/usr/bin/env python3
"""Prints the share of lines that the tests ran, per package, from the data of `make coverage`; fails below 90 %."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import PurePath

from coverage import Coverage

LEAST = 90.0
BOUND = ("core", "store", "orchestrator", "api")
"""Packages that must reach it. The others run mostly in processes that the tests kill."""


def main() -> int:
    data = Coverage()
    data.load()
    lines: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path in data.get_data().measured_files():
        parts = PurePath(path).parts
        if "rl_lab" not in parts:
            continue
        package = parts[parts.index("rl_lab") + 1]
        _, statements, _, missing, _ = data.analysis2(path)
        lines[package][0] += len(statements)
        lines[package][1] += len(missing)
    short = []
    for package, (total, missing) in sorted(lines.items()):
        share = 100.0 * (total - missing) / max(1, total)
        print(f"{package:16} {share:6.1f} % of {total:6,} lines")
        if package in BOUND and share < LEAST:
            short.append(package)
    if short:
        print(f"coverage: below {LEAST:.0f} %: {', '.join(short)}", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
