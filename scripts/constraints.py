#!/usr/bin/env python3
"""Writes constraints.txt from what is installed in .venv: one tested set of versions, with who needs each package;
then requirements/, the same set with the hashes of its files.

To move to newer versions: edit the ranges in pyproject.toml, `pip install --upgrade -e '.[dev]' --group setup` into
.venv, run this, then all tests.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib import metadata
from itertools import product
from pathlib import Path

from locks import write_locks
from packaging.markers import Environment, default_environment
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "constraints.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LAB = "rl-lab"
NOT_OURS = {"pip", "setuptools"}
"""Part of every virtual environment, in a version of its own."""
HEADER = """\
# One tested set of versions; every install uses it (-c constraints.txt), and so does `rl-lab runners --install`.
# torch is pinned so that pip takes a CPU build where one is offered. Behind each version: the packages that need it.
# requirements/ has the same versions with the hashes of their files; scripts/setup.sh installs from there.
# Written by scripts/constraints.py, which says how to move to newer versions.
"""
SECTIONS = {
    ("",): "The base install",
    ("all",): "The extras",
    ("dev",): "Tools of the tests and checks: no user needs these",
    ("setup",): "What installs the lab itself from its sources",
}
"""Extras and dependency groups of pyproject.toml, and the title of what they add."""
RUN = ("sb3", "box2d", "scripts", "hub", "offline", "datasets", "setup")
DEV = ("dev", "setup")
"""What the profiles of setup.sh install."""
NODE = "node"
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = (
    ("linux", "Linux", "x86_64"),
    ("linux", "Linux", "aarch64"),
    ("darwin", "Darwin", "arm64"),
)
"""The machines that one set of versions has to serve."""

Needed = dict[str, set[str]]
"""Packages that need a package, by its name."""


def main() -> None:
    seen: set[str] = set()
    parts = [HEADER]
    for extras, title in SECTIONS.items():
        needed = needed_by(extras)
        parts.append(f"\n# {title}\n")
        parts += [line(name, needed[name]) for name in sorted(needed) if name not in seen | NOT_OURS]
        seen |= needed.keys()
    TARGET.write_text("".join(parts))
    write_locks(ROOT / "requirements", run=pins(RUN), dev=pins(DEV), node=pinned_in(NODE))


def pins(extras: tuple[str, ...]) -> dict[str, str]:
    """Versions by package; stops the program unless every machine needs the same packages."""
    wanted = needed_by(extras).keys() - NOT_OURS
    for machine in machines():
        if different := (needed_by(extras, machine).keys() - NOT_OURS) ^ wanted:
            where = f"Python {machine['python_version']} on {machine['sys_platform']} {machine['platform_machine']}"
            sys.exit(
                f"{where} needs other packages: {', '.join(sorted(different))}. Next: give them a marker here."
            )
    return {name: version_of(name) for name in wanted}


def pinned_in(group: str) -> dict[str, str]:
    needs = map(Requirement, PROJECT["dependency-groups"][group])
    return {normal(need.name): next(iter(need.specifier)).version for need in needs}


def machines() -> Iterator[Environment]:
    for python, (platform, system, machine) in product(PYTHONS, PLATFORMS):
        found = default_environment()
        found.update(python_version=python, python_full_version=f"{python}.0")
        found.update(sys_platform=platform, platform_system=system, platform_machine=machine)
        yield found


def needed_by(extras: tuple[str, ...], machine: Environment | None = None) -> Needed:
    """Every package that rl-lab with these extras brings to a machine (this one), followed to the end."""
    found: Needed = defaultdict(set)
    waiting, done = [(LAB, ""), *((LAB, extra) for extra in extras)], set()
    while waiting:
        pair = waiting.pop()
        if pair in done:
            continue
        done.add(pair)
        for name, more in needs(*pair, machine or default_environment()):
            if name != LAB:
                found[name].add(pair[0])
            waiting.append((name, more))
    return found


def needs(name: str, extra: str, machine: Environment) -> Iterator[tuple[str, str]]:
    for text in own_needs(extra) if name == LAB else metadata.requires(name) or ():
        need = Requirement(text)
        if need.marker is None or need.marker.evaluate({**machine, "extra": extra}):
            for more in ("", *need.extras):
                yield normal(need.name), more


def own_needs(extra: str) -> list[str]:
    """From pyproject.toml, not from what is installed: that may be older."""
    if not extra:
        return list(PROJECT["project"]["dependencies"])
    return list((PROJECT["project"]["optional-dependencies"] | PROJECT["dependency-groups"])[extra])


def line(name: str, by: set[str]) -> str:
    return f"{name}=={version_of(name)}  # {', '.join(sorted(by))}\n"


def version_of(name: str) -> str:
    return metadata.version(name).partition("+")[0]  # a build such as +cpu exists on some machines only


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
