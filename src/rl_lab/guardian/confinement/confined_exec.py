"""Executes a program that may only read files: no writing, no network, no signals. Standard library only.

The order comes on stdin as launch.json would have it: argv, env, confine. The variables are part of the order and not
our own: LD_PRELOAD would load a library into this process before it is confined.
"""

from __future__ import annotations

import json
import os
import sys

from rl_lab.guardian.confinement.rules import NotConfined, confine
from rl_lab.guardian.files import Confinement, read_launch

BECOME = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from rl_lab.guardian.confinement.confined_exec import main; main()"
)
"""For `python -I -S -c`, followed by the folder that has `rl_lab`."""


def main() -> None:
    launch = read_launch(sys.stdin.buffer.read())
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        confine(launch.confine or Confinement())
        os.execve(launch.argv[0], launch.argv, launch.env or {})  # noqa: S606
    except (NotConfined, OSError) as error:
        json.dump({"trouble": getattr(error, "strerror", None) or str(error)}, sys.stdout)
