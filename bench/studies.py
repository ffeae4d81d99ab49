"""A study from the command to its verdict: 20 seeds of CartPole with turbo, on a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from typing import Any

from bench.figures import Figure, at_most

SEEDS = 20
LIMIT_S = 600
COMMAND = (
    *("train", "CartPole-v1", "--runner", "turbo", "--algorithm", "ppo", "--until", "solved"),
    *("--seeds", str(SEEDS), "--json"),
)


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as home:
        # The list of environments is made once per home; its time is that of `serve_start`.
        _run(home, "envs", "--json")
        started = time.monotonic()
        study = json.loads(_run(home, *COMMAND))
        seconds = time.monotonic() - started
        runs = json.loads(_run(home, "runs", "--study", study["id"], "--limit", "200", "--json"))["items"]
    assert study["counts"]["succeeded"] == SEEDS and study["comparison"] is not None, study["reason"]
    for line in _shares(study, runs, seconds):
        print(f"    {line}", flush=True)
    return [
        at_most(f"study of {SEEDS} seeds of CartPole (turbo, solved), command to verdict", seconds, 25, " s")
    ]


def _shares(study: dict[str, Any], runs: list[dict[str, Any]], seconds: float) -> list[str]:
    """Where the time goes: before the first run, in the workers, outside of them."""
    trained = sum(run["progress"]["elapsed_s"] for run in runs)
    alive = sum(_seconds(run["started_at"], run["ended_at"]) for run in runs)
    inside = _seconds(study["created_at"], study["ended_at"])
    return [
        f"command before and after the study: {seconds - inside:.1f} s; the study: {inside:.1f} s",
        f"first run starts after {_seconds(study['created_at'], min(r['started_at'] for r in runs)):.1f} s",
        f"per run: {alive / len(runs):.2f} s of a process, {trained / len(runs):.2f} s of them training",
    ]


def _seconds(begin: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()


def _run(home: str, *words: str) -> str:
    environment = {**os.environ, "RL_LAB_HOME": home}
    done = subprocess.run(
        [sys.executable, "-m", "rl_lab.cli.main", *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    return done.stdout
