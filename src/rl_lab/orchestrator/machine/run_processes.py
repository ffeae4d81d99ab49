"""Processor time and memory of each live run of this lab: its guardian and all processes below it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from rl_lab.orchestrator.execution.live_attempt import LiveAttempt

if TYPE_CHECKING:
    import psutil  # type: ignore[import-untyped]

FRESH_S = 1.0


class RunUsage(BaseModel):
    run_id: str
    processes: int
    cpu_s: float
    """Processor time so far."""
    memory_bytes: int


class RunProcesses:
    """Reading process trees costs milliseconds, so many viewers share one reading a second."""

    def __init__(self, live: Callable[[], Collection[LiveAttempt]]) -> None:
        self._live = live
        self._pids: dict[str, int] = {}
        """Guardians by the path of their attempt."""
        self._read_at = float("-inf")
        self._found: list[RunUsage] = []

    def read(self) -> list[RunUsage]:
        if time.monotonic() - self._read_at >= FRESH_S:
            self._found, self._read_at = self._measure(list(self._live())), time.monotonic()
        return self._found

    def _measure(self, live: Collection[LiveAttempt]) -> list[RunUsage]:
        guardians = self._find_guardians(live)
        return [_usage(one.run_id, guardians[path]) for one in live if (path := _path(one)) in guardians]

    def _find_guardians(self, live: Collection[LiveAttempt]) -> dict[str, psutil.Process]:
        """By the path of the attempt. All processes are searched only for guardians that an earlier lab started."""
        import psutil

        pids = {_path(one): one.guardian_pid or self._pids.get(_path(one)) for one in live}
        found = {path: process for path, pid in pids.items() if (process := _guardian(path, pid)) is not None}
        missing = pids.keys() - found.keys()
        for process in psutil.process_iter(["cmdline", "uids"]) if missing else ():
            path = (process.info["cmdline"] or [""])[-1]
            if path in missing and _is_guardian(path, process.info["cmdline"], process.info["uids"]):
                found[path] = process
        self._pids = {path: process.pid for path, process in found.items()}
        return found


def _path(live: LiveAttempt) -> str:
    return str(live.attempt.path)


def _guardian(path: str, pid: int | None) -> psutil.Process | None:
    """None when the pid is unknown, or belongs to another process by now."""
    import psutil

    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        return process if _is_guardian(path, process.cmdline(), process.uids()) else None
    except psutil.Error:
        return None


def _is_guardian(path: str, words: Sequence[str], uids: Any) -> bool:
    """Of this very attempt, started by this user: any process may have the path on its command line."""
    return (
        list(words[-3:]) == ["-m", "rl_lab.guardian", path] and uids is not None and uids.real == os.getuid()
    )


def _usage(run_id: str, guardian: psutil.Process) -> RunUsage:
    import psutil

    cpu_s, memory, count = 0.0, 0, 0
    for process in _tree(guardian):
        try:
            times = process.cpu_times()
            memory += process.memory_info().rss
        except psutil.Error:
            continue
        cpu_s += times.user + times.system
        count += 1
    return RunUsage(run_id=run_id, processes=count, cpu_s=round(cpu_s, 2), memory_bytes=memory)


def _tree(guardian: psutil.Process) -> list[psutil.Process]:
    import psutil

    try:
        return [guardian, *guardian.children(recursive=True)]
    except psutil.Error:
        return []
