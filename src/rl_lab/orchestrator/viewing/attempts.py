"""What the newest attempt of a run says about its pictures: job.json, written before its worker starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from rl_lab.core.job_file import read_job
from rl_lab.portable.frame_protocol import FRAME_FILE
from rl_lab.runners.registry import makes_environment
from rl_lab.store.files.attempt_folder import newest_attempt


def find_frame_file(attempt: Path) -> Path | None:
    """The newest frame of a worker that draws itself; None where recordings are re-simulated.

    A program that creates its own environment never draws.
    """
    try:
        job = read_job(attempt / "job.json")
    except (OSError, ValueError):
        return None
    if job.inputs.get("exact") is not False or makes_environment(job.config):
        return None
    return job.frames_dir / FRAME_FILE


def expected_environment(run_folder: Path) -> dict[str, Any]:
    """Id and arguments of the environment that will be drawn; empty where only the recordings can tell."""
    attempt = newest_attempt(run_folder)
    try:
        job = orjson.loads((attempt / "job.json").read_bytes()) if attempt else {}
        return {"env_id": job["env"]["id"], "env_kwargs": job["config"].get("env_kwargs") or {}}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
