"""The process that `forked_lab.py` forks from: imports the lab, then forks one `rl-lab` per request.

A request is one message with file descriptors: where to write the pid and then the exit status, a file with the
arguments as JSON, and the three standard streams.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

FDS = 5


PRELOADED = ("rl_lab.api.command_lab", "rl_lab.api.server", "rl_lab.cli.main")


def preload() -> None:
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve(requests: socket.socket) -> None:
    with selectors.DefaultSelector() as waiting:
        waiting.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is not requests:
                    waiting.unregister(key.fileobj)
                    report_end(key.fd, *key.data)
                elif not begin(requests, waiting):
                    return


def begin(requests: socket.socket, waiting: selectors.BaseSelector) -> bool:
    message, fds, _, _ = socket.recv_fds(requests, 1, FDS)
    if not message:
        return False
    answers, request, *streams = fds
    pid = os.fork()
    if pid == 0:
        os._exit(run(requests, waiting, answers, request, streams))
    for fd in (request, *streams):
        os.close(fd)
    os.write(answers, f"{pid}\n".encode())
    waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, answers))
    return True


def report_end(pidfd: int, pid: int, answers: int) -> None:
    os.close(pidfd)
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):  # nobody waits for it any more
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os.close(answers)


def run(
    requests: socket.socket, waiting: selectors.BaseSelector, answers: int, request: int, streams: list[int]
) -> int:
    """In the forked process: what the interpreter does at its start, then the command."""
    for key in list(waiting.get_map().values()):
        os.close(key.fd)
        if key.fileobj is not requests:
            os.close(key.data[1])
    waiting.close()
    requests.detach()
    os.close(answers)
    wanted = read_request(request)
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.argv = ["rl-lab", *wanted["arguments"]]
    gc.unfreeze()
    try:
        return call_main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def read_request(fd: int) -> dict[str, Any]:
    with os.fdopen(fd, "rb") as file:
        file.seek(0)
        wanted: dict[str, Any] = json.load(file)
    return wanted


def call_main() -> int:
    from rl_lab.cli.main import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of the tests' helpers
    channel = socket.socket(fileno=int(sys.argv[1]))
    preload()
    serve(channel)
