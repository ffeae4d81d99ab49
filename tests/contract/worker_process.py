"""A real worker process in a temporary run folder: start it, send it control messages, read its events."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from support.waiting import DEADLINE_S

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import parse_line
from rl_lab.runners.foreign import OWN_FOLDERS, ForeignRunner, RunPaths
from rl_lab.runners.registry import load_runner

E = TypeVar("E", bound=events.Event)


class WorkerProcess:
    """`sent` has the events that the worker has sent so far; `wait_for` reads until a certain event arrives."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
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
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)


@contextmanager
def worker(run_dir: Path, config: dict[str, Any], **job: Any) -> Iterator[WorkerProcess]:
    """A worker with one training job, or a foreign program with its own command; killed at the end of the block."""
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
    with log.open("ab") as stderr:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, "OMP_NUM_THREADS": "1", "RL_LAB_FAKE_RUNNER": "1"},
        )
    with process:
        try:
            yield WorkerProcess(process, log)
        finally:
            process.kill()
