"""The environment variables of a foreign program: the lab's allow-list, a private home, and the user's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rl_lab.core.commands import Command
from rl_lab.orchestrator.worker_variables import worker_variables
from rl_lab.runners.foreign import SCRATCH
from rl_lab.store.files.folder_trees import remove_tree

PRIVATE = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "MPLCONFIGDIR": "matplotlib",
}
"""Folders below the run's scratch folder, so that no file of the user is read or changed by accident."""


def scratch_folders(run_dir: Path) -> dict[str, Path]:
    return {name: run_dir / SCRATCH / folder for name, folder in PRIVATE.items()}


def cache_folders(run_dir: Path) -> dict[str, str]:
    """The same without a home, for one of the lab's own workers: its packages may be in the user's."""
    return {name: str(folder) for name, folder in scratch_folders(run_dir).items() if name != "HOME"}


def remove_scratch(run_dir: Path) -> None:
    """Deletes the caches and temporary files of a program that has ended; its results are in other folders."""
    with suppress(OSError):
        remove_tree(run_dir / SCRATCH)


def program_variables(
    command: Command, run_dir: Path, more: Mapping[str, str], user_base: str | None
) -> dict[str, str]:
    """All variables of the program; those of the user win."""
    kept = worker_variables()
    # Set for the lab's own workers only; a captured script has its own in `command.env`, see `threads.py`.
    if "OMP_NUM_THREADS" not in os.environ:
        kept.pop("OMP_NUM_THREADS", None)
    else:
        kept["OMP_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"]
    private = {name: str(folder) for name, folder in scratch_folders(run_dir).items()}
    # Packages installed with `pip --user` are found below HOME, which is replaced here.
    packages = {"PYTHONUSERBASE": user_base} if user_base else {}
    return {**kept, **packages, **private, **command.env, **more}
