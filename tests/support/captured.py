"""A script under the capture layer and a guardian, as the lab starts it, for tests."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rl_lab
from support.guarded import Guarded, guarded

START = Path(rl_lab.__file__).parent / "capture" / "start.py"
SCRIPTS = Path(__file__).parents[1] / "scripts"


class Captured:
    """Made in an empty folder: `mine` is the user's, `run` the lab's."""

    def __init__(self, folder: Path, attempt: Guarded) -> None:
        self.mine = folder / "mine"
        self.mine.mkdir(exist_ok=True)
        self.attempt = attempt
        self.run_dir = attempt.run_dir
        self.files = self.run_dir / "files"
        self.files.mkdir()

    def write(self, source: str, name: str = "script.py") -> Path:
        """A file of the user's."""
        path = self.mine / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source))
        return path

    def start(
        self,
        *words: str,
        python: str = sys.executable,
        params: dict[str, Any] | None = None,
        config: dict[str, Any] | None = None,
        **launch: Any,
    ) -> None:
        """`words` are a script's path or -m and a module, then its arguments."""
        train = {
            "kind": "train",
            "runner": "script",
            "algorithm": "python",
            **(config or {}),
            "params": {"folder": str(self.mine), **(params or {})},
        }
        job = {"run_id": self.attempt.run_id, "kind": "train", "config": train, "run_dir": str(self.run_dir)}
        path = self.attempt.folder / "job.json"
        path.write_text(json.dumps(job))
        launch.setdefault("cwd", str(self.files))
        self.attempt.start([python, str(START), str(path), "--", *words], **launch)

    def run(self, source: str, *args: str, **given: Any) -> dict[str, Any]:
        """Run a script to its end; the `finished` event."""
        self.start(str(self.write(source)), *args, **given)
        return self.finish()

    def finish(self) -> dict[str, Any]:
        self.record = self.attempt.exit()
        finished = self.attempt.events("finished")
        assert len(finished) == 1, self.attempt.log()
        return finished[0]

    def warnings(self) -> str:
        """What was said in the run's event log, line by line."""
        return "\n".join(event["message"] for event in self.attempt.events("log"))


@contextmanager
def captured(folder: Path) -> Iterator[Captured]:
    with guarded(folder / "run") as attempt:
        yield Captured(folder, attempt)
