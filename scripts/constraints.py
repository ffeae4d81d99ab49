#!/usr/bin/env python3
"""Writes constraints.txt from what is installed in .venv: one tested set of versions, with who needs each package.

To move to newer versions: edit the ranges in pyproject.toml, `pip install --upgrade -e '.[dev]'` into .venv, run all
tests, then run this.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

TARGET = Path(__file__).resolve().parents[1] / "constraints.txt"
LAB = "rl-lab"
NOT_OURS = {"pip", "setuptools"}
"""Part of every virtual environment, in a version of its own."""
HEADER = """\
# One tested set of versions; every install uses it (-c constraints.txt), and so does `rl-lab runners --install`.
# torch is pinned so that pip takes a CPU build where one is offered. Behind each version: the packages that need it.
# Written by scripts/constraints.py, which says how to move to newer versions.
"""
SECTIONS = {
    "": "The base install",
    "all": "The extras",
    "dev": "Tools of the tests and checks: no user needs these",
}

Needed = dict[str, set[str]]
"""Packages that need a package, by its name."""


def main() -> None:
    seen: set[str] = set()
    parts = [HEADER]
    for extra, title in SECTIONS.items():
        needed = needed_by(extra)
        parts.append(f"\n# {title}\n")
        parts += [line(name, needed[name]) for name in sorted(needed) if name not in seen | NOT_OURS]
        seen |= needed.keys()
    TARGET.write_text("".join(parts))


def needed_by(extra: str) -> Needed:
    """Every package that rl-lab with this extra brings, followed to the end."""
    found: Needed = defaultdict(set)
    waiting, done = [(LAB, ""), (LAB, extra)], set()
    while waiting:
        pair = waiting.pop()
        if pair in done:
            continue
        done.add(pair)
        for name, more in needs(*pair):
            found[name].add(pair[0])
            waiting.append((name, more))
    return found


def needs(name: str, extra: str) -> Iterator[tuple[str, str]]:
    for text in metadata.requires(name) or ():
        need = Requirement(text)
        if need.marker is None or need.marker.evaluate({"extra": extra}):
            for more in ("", *need.extras):
                yield normal(need.name), more


def line(name: str, by: set[str]) -> str:
    version = metadata.version(name).partition("+")[0]  # a build such as +cpu exists on some machines only
    return f"{name}=={version}  # {', '.join(sorted(by))}\n"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
