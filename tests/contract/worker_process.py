"""A worker process in a temporary run folder: start it, send it control messages, read its events.

It is a real `python -m rl_lab.worker`, or forked from a process that has imported the learners: importing torch and
Stable-Baselines3 takes longer than most of these trainings.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from support.forked_lab import ForkedProcess, preloaded, request_fork
from support.waiting import DEADLINE_S

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import parse_line
from rl_lab.runners.foreign import OWN_FOLDERS, ForeignRunner, RunPaths
from rl_lab.runners.registry import load_runner

E = TypeVar("E", bound=events.Event)
WORKER = "rl_lab.worker.main"


class WorkerProcess:
    """`sent` has the events that the worker has sent so far; `wait_for` reads until a certain event arrives."""

    def __init__(self, process: subprocess.Popen[bytes] | ForkedWorker, log: Path) -> None:
        self._process = process
        self._log = log
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.sent: list[Any] = []
        threading.Thread(target=self._read, daemon=True).start()

    def control(self, cmd: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"cmd": cmd}).encode() + b"\n")
        self._process.stdin.flush()

    def wait_for(self, kind: type[E], condition: Callable[[E], bool] = lambda event: True) -> E:
        """The next event of this type that meets the condition."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            event = self._next(deadline)
            assert event is not None, f"the worker exited without sending it:\n{self.log()}"
            if isinstance(event, kind) and condition(event):
                return event

    def wait_for_end(self) -> int:
        """Reads all events; returns the exit code."""
        deadline = time.monotonic() + DEADLINE_S
        while self._next(deadline) is not None:
            pass
        return self._process.wait(DEADLINE_S)

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.sent if isinstance(event, kind)]

    def log(self) -> str:
        return self._log.read_text()[-4000:]

    def _next(self, deadline: float) -> Any:
        line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
        if line is None:
            return None
        self.sent.append(parse_line(line.rstrip(b"\n")))
        return self.sent[-1]

    def _read(self) -> None:
        process = self._process
        lines = process.lines if isinstance(process, ForkedWorker) else process.stdout
        assert lines is not None
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)


class ForkedWorker(ForkedProcess):
    """Like `subprocess.Popen` with pipes."""

    def __init__(self, path: Path, env: dict[str, str], stderr: IO[bytes]) -> None:
        (reads, stdin), (stdout, writes) = os.pipe(), os.pipe()
        streams = (reads, writes, stderr.fileno())
        super().__init__(request_fork(preloaded("learners"), WORKER, [str(path)], env, streams), None)
        os.close(reads)
        os.close(writes)
        self.stdin, self.lines = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        with suppress(BrokenPipeError):
            self.stdin.close()


@contextmanager
def worker(
    run_dir: Path, config: dict[str, Any], *, is_forked: bool = False, **job: Any
) -> Iterator[WorkerProcess]:
    """A worker with one training job, or a foreign program with its own command; killed at the end of the block.

    A foreign program is never forked.
    """
    run_dir.mkdir(parents=True, exist_ok=True)
    path, log = run_dir / "job.json", run_dir / "log.txt"
    argv, cwd = [sys.executable, "-m", "rl_lab.worker", str(path)], None
    runner = load_runner(TrainConfig(**config).runner)
    if isinstance(runner, ForeignRunner):
        command = runner.command(TrainConfig(**config), RunPaths(run_dir.parent / "home", run_dir, path))
        argv, cwd = command.argv, command.cwd
        for folder in OWN_FOLDERS:
            (run_dir / folder).mkdir(exist_ok=True)
    path.write_text(
        json.dumps({"run_id": "r1", "kind": "train", "config": config, "run_dir": str(run_dir), **job})
    )
    env = {**os.environ, "OMP_NUM_THREADS": "1", "RL_LAB_FAKE_RUNNER": "1"}
    process: subprocess.Popen[bytes] | ForkedWorker
    with log.open("ab") as stderr:
        if is_forked and not isinstance(runner, ForeignRunner):
            process = ForkedWorker(path, env, stderr)
        else:
            pipe = subprocess.PIPE
            process = subprocess.Popen(argv, cwd=cwd, stdin=pipe, stdout=pipe, stderr=stderr, env=env)
    with process:
        try:
            yield WorkerProcess(process, log)
        finally:
            process.kill()
