"""Packages whose version decides about the numbers of a training, compared with those a run was made with. Pure."""

from __future__ import annotations

from collections.abc import Callable

from rl_lab.core.reproduction.snapshots import NUMERIC, Snapshot


def changed_packages(recorded: Snapshot, version_of: Callable[[str], str | None]) -> list[str]:
    """ "torch 2.8.0 → 2.9.1"; packages that the run did not have are not compared."""
    names = [name for name in NUMERIC if recorded.packages.get(name)]
    now = {name: version_of(name) for name in names}
    return [
        f"{name} {recorded.packages[name]} → {now[name] or 'not installed'}"
        for name in names
        if str(recorded.packages[name]) != now[name]
    ]
