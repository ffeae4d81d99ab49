"""What the newest attempt of a run says about its pictures: job.json, written before its worker starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from rl_lab.runners.registry import RUNNERS, load_runner
from rl_lab.store.files.attempt_folder import newest_attempt


def draws_itself(attempt: Path) -> bool:
    """A program that creates its own environment never draws: its recordings are re-simulated."""
    try:
        job = orjson.loads((attempt / "job.json").read_bytes())
        if job["inputs"].get("exact") is not False:
            return False
        runner = job["config"].get("runner")
        return runner not in RUNNERS or not load_runner(runner).spec.capabilities.own_environment
    except (OSError, ValueError, KeyError, AttributeError):
        return False


def expected_environment(run_folder: Path) -> dict[str, Any]:
    """Id and arguments of the environment that will be drawn; empty where only the recordings can tell."""
    attempt = newest_attempt(run_folder)
    try:
        job = orjson.loads((attempt / "job.json").read_bytes()) if attempt else {}
        return {"env_id": job["env"]["id"], "env_kwargs": job["config"].get("env_kwargs") or {}}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
