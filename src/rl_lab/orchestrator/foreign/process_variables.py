"""The variables a foreign program sees: the lab's allow-list, a home of its own, and what the user gave."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rl_lab.core.commands import Command
from rl_lab.orchestrator.worker_calls import worker_variables
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
"""Folders below the run's scratch folder, so that nothing of the user's own is read or changed by accident."""


def scratch_folders(run_dir: Path) -> dict[str, Path]:
    return {name: run_dir / SCRATCH / folder for name, folder in PRIVATE.items()}


def drop_scratch(run_dir: Path) -> None:
    """Caches and temporary files of a program that has ended; whatever matters is in its other folders."""
    with suppress(OSError):
        remove_tree(run_dir / SCRATCH)


def program_variables(
    command: Command, run_dir: Path, more: Mapping[str, str], user_base: str | None
) -> dict[str, str]:
    """Everything the program will see; what the user gave wins."""
    kept = worker_variables()
    # Set for the lab's own workers; a script keeps the threads it would have by itself.
    if "OMP_NUM_THREADS" not in os.environ:
        kept.pop("OMP_NUM_THREADS", None)
    else:
        kept["OMP_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"]
    private = {name: str(folder) for name, folder in scratch_folders(run_dir).items()}
    # Packages installed for this user alone are found below the home folder, which is another one now.
    packages = {"PYTHONUSERBASE": user_base} if user_base else {}
    return {**kept, **packages, **private, **command.env, **more}
