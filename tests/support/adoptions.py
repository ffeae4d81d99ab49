"""Adopts folders through a server or the command, and finds the runs that came of it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

from support.server import Server
from support.server import command as run_command
from support.waiting import wait_until


def adopt(server: Server, folder: Path, **more: Any) -> dict[str, Any]:
    """The result, once everything was looked at."""
    wanted = {"folder": str(folder), "follow": False, **more}
    answer = server.client.post("/api/adoptions", json=wanted)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/api/adoptions/{answer.json()['id']}"
    return wait_until(lambda: done(server, answer.json()["id"]), "the adoption")


def done(server: Server, adoption_id: str) -> dict[str, Any] | None:
    found = result(server, adoption_id)
    return found if found["is_done"] else None


def result(server: Server, adoption_id: str) -> dict[str, Any]:
    found: dict[str, Any] = server.client.get(f"/api/adoptions/{adoption_id}").json()
    return found


def runs(server: Server, source: Path) -> dict[str, dict[str, Any]]:
    """Those adopted from beneath a folder, by name."""
    listed = server.client.get("/api/runs", params={"limit": 200, "tag": "adopted"}).json()["items"]
    return {run["name"]: run for run in listed if run["source"]["folder"].startswith(str(source))}


def rewards(server: Server, run_id: str) -> list[float]:
    series = server.client.get(f"/api/runs/{run_id}/metrics", params={"names": "reward"}).json()
    values: list[float] = series["series"]["reward"]["value"]
    return values


def age(folder: Path, seconds: float = 7200) -> None:
    """As if nobody had written there for a while."""
    then = time.time() - seconds
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


def command(home: Path, *words: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    done = run_command(home, *words)
    assert done.returncode == expect, done.stderr
    return done
