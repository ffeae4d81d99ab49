"""`python -m bench [name …]`: measures all figures of the lab and writes the table of docs/performance.md.

A bench is a module with `figures() -> list[Figure]`. Comparisons with other software are ratios within one session.
"""

from __future__ import annotations

import importlib
import os
import platform
import re
import sys
import time
from pathlib import Path

from bench.figures import Figure

BENCHES = (
    "sb3_overhead",
    "rewards",
    "reward_bench",
    "checkpoints",
    "serve_start",
    "ingest",
    "api_list",
    "models",
    "queue",
    "api_sse",
    "series",
    "recording",
    "frames",
    "play",
    "page",
    "study_page",
    "capture",
    "tensorboard",
    "adoption",
    "insights",
    "statistics",
    "honesty",
    "exports",
    "dataset_files",
    "sweeps",
    "studies",
    "verify",
)
PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- figures:begin -->", "<!-- figures:end -->"


def main(names: list[str]) -> int:
    if {"-h", "--help"} & set(names):
        print(__doc__, "Benches:", ", ".join(BENCHES))
        return 0
    wanted = [n for n in names if not n.startswith("-")] or list(BENCHES)
    found: list[Figure] = []
    for name in wanted:
        print(f"--- {name}", flush=True)
        started = time.monotonic()
        for figure in importlib.import_module(f"bench.{name}").figures():
            print(
                f"{'ok  ' if figure.is_met else 'MISS'} {figure.what}: {figure.measured} (target {figure.target})",
                flush=True,
            )
            found.append(figure)
        print(f"    {time.monotonic() - started:.0f} s", flush=True)
    if "--write" in names:
        write_table(found)
    return 0 if all(figure.is_met for figure in found) else 1


def write_table(found: list[Figure]) -> None:
    lines = [
        BEGIN,
        f"\nMeasured {time.strftime('%Y-%m-%d')} on {machine()}.\n",
        "| what | measured | target | met |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {f.what} | {f.measured} | {f.target} | {'yes' if f.is_met else 'no'} |" for f in found]
    text = PAGE.read_text()
    table = "\n".join([*lines, "", END])
    PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: table, text, flags=re.S))


def machine() -> str:
    return f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
