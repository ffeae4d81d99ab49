"""A guardian with its worker, as the orchestrator starts them, for tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rl_lab.guardian.processes import find_survivors, kill_survivors
from support.waiting import DEADLINE_S, wait_until


class Guarded:
    """One attempt under `run_dir`; run ids are unique, so survivors of another test are not found."""

    def __init__(self, run_dir: Path, attempt: int = 1) -> None:
        self.run_dir = run_dir
        self.attempt = attempt
        self.run_id = f"test{os.getpid()}-{abs(hash(run_dir)) % 10**9}"
        self.folder = run_dir / "attempts" / str(attempt)
        self.folder.mkdir(parents=True)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, argv: list[str], **launch: Any) -> None:
        env = {**os.environ, "RL_LAB_ATTEMPT": f"{self.run_id}/{self.attempt}", "OMP_NUM_THREADS": "1"}
        given = {"argv": argv, "cwd": "/", "env": env, "stop_grace_s": 60, "kill_grace_s": 60, **launch}
        (self.folder / "launch.json").write_text(json.dumps(given))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rl_lab.guardian", str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def start_python(self, code: str, **launch: Any) -> None:
        self.start([sys.executable, "-u", "-c", code], **launch)

    def start_job(self, config: dict[str, Any], *, launch: dict[str, Any] | None = None, **job: Any) -> None:
        """A real worker with a training job of the fake runner, unless `config` says otherwise."""
        train = {"kind": "train", "runner": "fake", "algorithm": "toy", "env_id": "fake/Toy-v0", **config}
        given = {
            "run_id": self.run_id,
            "attempt": self.attempt,
            "kind": "train",
            "config": train,
            "run_dir": str(self.run_dir),
            **job,
        }
        path = self.folder / "job.json"
        path.write_text(json.dumps(given))
        self.start([sys.executable, "-m", "rl_lab.worker", str(path)], **(launch or {}))

    def command(self, name: str) -> None:
        fd = os.open(self.folder / "control", os.O_WRONLY | os.O_NONBLOCK)
        os.write(fd, json.dumps({"cmd": name}).encode() + b"\n")
        os.close(fd)

    def journal(self) -> bytes:
        return b"".join(path.read_bytes() for path in sorted((self.folder / "journal").glob("*.jsonl")))

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Whole and valid lines only, of one kind or of all."""
        events = [_event_of(line) for line in self.journal().rpartition(b"\n")[0].split(b"\n")]
        return [event for event in events if event and kind in (None, event["type"])]

    def wait_for_event(self, kind: str, **fields: Any) -> dict[str, Any]:
        def find() -> dict[str, Any] | None:
            fitting = (e for e in self.events(kind) if all(e.get(k) == v for k, v in fields.items()))
            return next(fitting, None)

        return wait_until(find, f"a {kind} event with {fields}")

    def wait_for_text(self, text: bytes) -> None:
        wait_until(lambda: text in self.journal(), f"{text!r} in the journal")

    def exit(self) -> dict[str, Any]:
        """The exit record, once the guardian has ended; asserts that nobody is left."""
        assert self.process is not None
        self.process.wait(DEADLINE_S)
        assert find_survivors(self.run_id, self.attempt) == []
        record: dict[str, Any] = json.loads((self.folder / "exit.json").read_bytes())
        return record

    def log(self) -> str:
        return (self.folder / "log.txt").read_text("utf-8", "replace")

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(DEADLINE_S)
        kill_survivors(self.run_id, self.attempt)


def _event_of(line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) and "type" in event else {}


@contextmanager
def guarded(run_dir: Path, attempt: int = 1) -> Iterator[Guarded]:
    running = Guarded(run_dir, attempt)
    try:
        yield running
    finally:
        running.close()
