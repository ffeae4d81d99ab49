"""Processes a script starts by multiprocessing.

Those it spawns run its file again from the start: what stood in for a package there must do so here.
They look in `absent/` last, so that whatever is installed comes first. Nothing is captured in them.
"""

from __future__ import annotations

import functools
import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

ABSENT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wandb_standin", "absent")


def tap_spawn(module: ModuleType, session: Session) -> None:
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


def tap_forkserver(module: ModuleType, session: Session) -> None:
    """A fork server is asked for processes through a socket: a script that may connect none gets spawned ones.

    Both begin with a fresh interpreter and are handed the same; Stable-Baselines3 and Python 3.14 take the fork server
    unless told otherwise.
    """
    from rl_lab.capture.taps.descriptors import can_connect

    if not can_connect():
        from multiprocessing import popen_spawn_posix

        module.Popen = popen_spawn_posix.Popen  # type: ignore[attr-defined]
