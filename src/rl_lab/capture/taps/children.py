"""Processes that a script starts with multiprocessing.

A spawned process imports the script's file again, so a stand-in for a package must exist there too. `absent/` is last
on its sys.path, so that an installed package is preferred. Nothing is captured in child processes.
"""

from __future__ import annotations

import functools
import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

ABSENT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wandb_standin", "absent")


def tap_spawn(module: ModuleType, session: CaptureSession) -> None:
    if session.params.get("wandb", "stand-in") != "stand-in":
        return
    prepare = module.get_preparation_data

    @functools.wraps(prepare)
    def prepared(*args: Any, **kwargs: Any) -> Any:
        data = prepare(*args, **kwargs)
        if "wandb" in session.stood_in:
            data["sys_path"] = [*data.get("sys_path", ()), ABSENT]
        return data

    module.get_preparation_data = prepared  # type: ignore[attr-defined]


def tap_forkserver(module: ModuleType, session: CaptureSession) -> None:
    """A fork server is reached through a socket: a script that may not connect sockets gets spawned processes.

    Both start with a fresh interpreter and get the same data; Stable-Baselines3 and Python 3.14 use the fork server
    by default.
    """
    from rl_lab.capture.taps.descriptors import can_connect

    if not can_connect():
        from multiprocessing import popen_spawn_posix

        module.Popen = popen_spawn_posix.Popen  # type: ignore[attr-defined]
