"""Becomes another program that may read and nothing else: no writing, no network, no signals. Standard library only.

What to become is told on stdin as one JSON object: argv, env, confine (an order as `confinement.confine` reads it).
Told there, and not by our own variables: a library to load first would be loaded into us, before anything is held.
"""

from __future__ import annotations

import json
import os
import sys

from rl_lab.guardian.confinement.rules import NotConfined, confine


def main() -> None:
    told = json.load(sys.stdin)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        confine(told["confine"])
        os.execve(told["argv"][0], told["argv"], told["env"])  # noqa: S606
    except (NotConfined, OSError) as error:
        json.dump({"trouble": getattr(error, "strerror", None) or str(error)}, sys.stdout)
