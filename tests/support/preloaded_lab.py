"""The process that `forked_lab.py` forks from: imports the lab or the learners, then forks one process per request.

A request is one message with file descriptors: where to write the pid and then the exit status, a file with the
module and its arguments as JSON, and the three standard streams. A command that finds no server starts a lab, a lab
that adopts folders starts a process that reads them, and worker calls need what learners do: those are forked too, at
the request of the forked process. Commands that a test starts as real processes start real ones.
"""

from __future__ import annotations

import functools
import gc
import importlib
import itertools
import json
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rl_lab.core import run_ids

if TYPE_CHECKING:
    from support.forked_lab import ForkedProcess

FDS = 5
COMMAND_LAB = "rl_lab.api.command_lab"
READER_MAIN = "rl_lab.orchestrator.adoption.reader.__main__"
STARTS_READERS = "rl_lab.orchestrator.adoption.process"
STARTS_LABS = "rl_lab.cli.connection"
STARTS_CALLS = "rl_lab.orchestrator.worker_process"
WORKER = "rl_lab.worker.main"
CALLS = "rl_lab.worker.calls"
OF_LABS = (
    COMMAND_LAB,
    "rl_lab.api.server",
    "rl_lab.cli.client",
    "rl_lab.cli.main",
    STARTS_LABS,
    READER_MAIN,
    STARTS_READERS,
    STARTS_CALLS,
    "anyio._backends._asyncio",
    "rich.console",
    "rich.table",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)
"""The lab, and what every lab and every command imports while it runs. The runners are imported too."""
OF_LEARNERS = (
    WORKER,
    CALLS,
    "rl_lab.worker.session",
    "rl_lab.worker.rendering.simulation",
    "rl_lab.runners.sb3.learner",
    "rl_lab.runners.offline.learner",
    "pygame",
)


def preload_labs() -> None:
    for name in OF_LABS:
        importlib.import_module(name)
    from rl_lab.runners.registry import RUNNERS, load_runner

    for runner_id in RUNNERS:
        load_runner(runner_id)
    build_commands()
    build_routes()


def preload_learners() -> None:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    for name in OF_LEARNERS:
        importlib.import_module(name)


def build_commands() -> None:
    """The tree of commands: typer builds the same one in every process, from hundreds of annotations."""
    import typer.main

    from rl_lab.cli.main import app

    typer.main.get_command = functools.cache(typer.main.get_command)
    typer.main.get_command(app)


def build_routes() -> None:
    """The routes of a lab: FastAPI completes them with the first request."""
    from rl_lab.api import app, warm_up

    app.create_routes = functools.cache(app.create_routes)
    for route in app.create_routes("127.0.0.1").routes:
        warm_up.build_routes(route)


def serve(prepare: Callable[[], None], *channels: socket.socket) -> None:
    """Until the tests close their channel. `prepare` is called with the first request."""
    prepare = functools.cache(prepare)
    with selectors.DefaultSelector() as waiting:
        for channel in channels:
            waiting.register(channel, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if not isinstance(key.fileobj, socket.socket):
                    waiting.unregister(key.fileobj)
                    report_end(key.fd, *key.data)
                elif not begin(key.fileobj, waiting, prepare):
                    return


def begin(requests: socket.socket, waiting: selectors.BaseSelector, prepare: Callable[[], None]) -> bool:
    message, fds, _, _ = socket.recv_fds(requests, 1, FDS)
    if not message:
        return False
    prepare()
    answers, request, *streams = fds
    pid = os.fork()
    if pid == 0:
        os._exit(run(waiting, answers, request, streams))
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


def run(waiting: selectors.BaseSelector, answers: int, request: int, streams: list[int]) -> int:
    """In the forked process: what the interpreter does at its start, then the command."""
    for key in list(waiting.get_map().values()):
        if isinstance(key.fileobj, socket.socket):
            key.fileobj.close()
        else:
            os.close(key.fd)
            os.close(key.data[1])
    waiting.close()
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
    sys.path[:0] = [folder for folder in wanted["env"].get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.argv = ["rl-lab", *wanted["arguments"]]
    if wanted["module"] in (COMMAND_LAB, READER_MAIN, CALLS):
        os.setsid()
    if wanted["module"] == CALLS:
        Path("/proc/self/comm").write_text(wanted["arguments"][0])
    run_ids._numbers = itertools.count(secrets.randbelow(32**5))  # drawn at import: two processes differ
    gc.unfreeze()
    try:
        return call_main(wanted["module"])
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def read_request(fd: int) -> dict[str, Any]:
    with os.fdopen(fd, "rb") as file:
        file.seek(0)
        wanted: dict[str, Any] = json.load(file)
    return wanted


def call_main(module: str) -> int:
    try:
        main = importlib.import_module(module).main
        return (main(sys.argv) if module in (WORKER, CALLS) else main()) or 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


class ForkingSubprocess:
    """Takes the place of the module `subprocess` in `cli/connection.py`, which starts nothing but labs with it."""

    DEVNULL, PIPE = subprocess.DEVNULL, subprocess.PIPE

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests

    def Popen(
        self, argv: Sequence[str], *, stdin: int, stdout: int, stderr: IO[Any], start_new_session: bool
    ) -> ForkedProcess:
        assert list(argv) == [sys.executable, "-P", "-m", COMMAND_LAB] and start_new_session
        assert (stdin, stdout) == (self.DEVNULL, self.PIPE)
        reading, writing = os.pipe()
        with Path(os.devnull).open("rb") as nothing:
            streams = (nothing.fileno(), writing, stderr.fileno())
            answers = request_fork(self._requests, COMMAND_LAB, [], os.environ, streams)
        os.close(writing)
        return ForkedProcess(answers, reading)


def prepare_labs(commands: socket.socket, learners: socket.socket) -> None:
    preload_labs()
    sys.modules[STARTS_LABS].subprocess = ForkingSubprocess(commands)  # type: ignore[attr-defined]
    sys.modules[STARTS_READERS].asyncio = reading_asyncio(commands)  # type: ignore[attr-defined]
    sys.modules[STARTS_CALLS].asyncio = calling_asyncio(learners)  # type: ignore[attr-defined]
    gc.collect()
    gc.freeze()


def prepare_learners() -> None:
    preload_learners()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from support.forked_calls import calling_asyncio
    from support.forked_lab import ForkedProcess, request_fork
    from support.forked_reader import reading_asyncio

    sys.path.pop(0)  # the folder of the tests
    channel, *others = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:])
    if others:
        commands, of_commands = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        serve(lambda: prepare_labs(commands, others[0]), channel, of_commands)
    else:
        serve(prepare_learners, channel)
