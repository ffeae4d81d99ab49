"""A checkpoint of a captured script as a policy: the script's own classes act, in its own Python.

The process is started by an evaluation that is confined like the script was, so it may use the same files.
"""

from __future__ import annotations

import json
import os
import subprocess
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.errors import NotReady
from rl_lab.core.job_file import PolicyInput, ScriptProgram
from rl_lab.core.own_environments import APPROVED_VERSIONS, OWN_ENVIRONMENTS
from rl_lab.worker.runner import Decision

ACTING = Path(__file__).resolve().parents[1] / "capture" / "acting.py"
ENDING_S = 2.0
WATCH = (
    "Watch the episodes it recorded, which replay without it; or export the policy as ONNX and import that."
)


def load_policy(given: PolicyInput, checkpoint: Path) -> ScriptPolicy:
    program = given.program
    if program is None or not program.script:
        raise not_playable("the lab does not know which script wrote it")
    return ScriptPolicy(program, checkpoint, given)


class ScriptPolicy:
    def __init__(self, program: ScriptProgram, checkpoint: Path, given: PolicyInput) -> None:
        self._process = subprocess.Popen(
            [program.python, *program.options, str(ACTING)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**program.env, **_own_environments()} if program.env else None,
        )
        self._end = weakref.finalize(self, _end, self._process)
        order = {
            "script": program.script,
            "args": program.args,
            "agreed": program.agreed,
            "checkpoint": str(checkpoint),
            "env_id": given.config.env_id,
            "env_kwargs": given.config.env_kwargs,
            "seed": given.config.start_seed,
        }
        answer = self._ask(order)
        if "ready" not in answer:
            self._end()
            raise not_playable(answer.get("refused") or "its process ended")
        self.notes = [str(note) for note in answer.get("notes", ())]
        """What it does not do as in its training, as sentences."""

    def act(self, observation: Any, deterministic: bool) -> Decision:
        seen = np.asarray(observation, np.float32).tolist()
        answer = self._ask({"observation": seen, "deterministic": deterministic})
        if "action" not in answer:
            raise not_playable("its process ended while it acted; the log has its words")
        action = answer["action"]
        return Decision(action if isinstance(action, int) else np.asarray(action, np.float32))

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            return {}
        try:
            found = json.loads(line)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def _own_environments() -> dict[str, str]:
    """Where the user's environments are, if this process knows it, and which of them it may execute."""
    names = (OWN_ENVIRONMENTS, APPROVED_VERSIONS)
    return {name: value for name, value in os.environ.items() if name in names}


def _end(process: subprocess.Popen[str]) -> None:
    """A process without a question left exits; one that does not is killed."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    try:
        process.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def not_playable(why: str) -> NotReady:
    return NotReady(
        f"The checkpoint of the script cannot be played: {why}.", cause="not-playable", next_step=WATCH
    )
