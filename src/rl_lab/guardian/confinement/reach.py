"""Whether another user can use some files: asked of the kernel, as that user. Standard library only.

`main` reads {"uid", "gid", "paths": [[path, access], …]} and prints {"refused": [path, …], "trouble": text}.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, NoReturn

from rl_lab.guardian.confinement.privileges import become_user

TIME_S = 10


def main() -> None:
    asked = json.load(sys.stdin)
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        _answer_as_user(asked, theirs)
    os.close(theirs)
    with os.fdopen(ours) as answers:
        answer = json.loads(answers.readline() or '{"refused": [], "trouble": "it did not answer"}')
    try:
        # A guardian must be able to kill what runs as that user.
        os.kill(pid, signal.SIGKILL)
    except PermissionError as error:
        answer["trouble"] = f"its processes cannot be killed: {error.strerror}"
    print(json.dumps(answer))


def _answer_as_user(asked: dict[str, Any], out: int) -> NoReturn:
    answer: dict[str, Any] = {"refused": [], "trouble": ""}
    try:
        signal.alarm(TIME_S)
        become_user(asked["uid"], asked["gid"])
        answer["refused"] = [path for path, access in asked["paths"] if not os.access(path, access)]
    except OSError as error:
        answer["trouble"] = f"the user cannot be changed: {error.strerror}"
    os.write(out, json.dumps(answer).encode() + b"\n")
    signal.pause()
    os._exit(0)
