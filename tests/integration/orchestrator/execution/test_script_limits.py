"""Foreign programs in a real lab: how well they are fenced in is kept with the run, and limits end them in words."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, make_settings, open_lab, toy, wait_for, wait_for_event

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.foreign.isolation import isolation
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path / "home")
    return tmp_path / "home"


async def start(lab: Lab, folder: Path, code: str, ends: dict[str, int] | None = None, **params: Any) -> str:
    """A program that was looked at and agreed to."""
    script = folder / "work.py"
    script.write_text(code)
    new = NewRun(
        runner="script",
        algorithm="python",
        params={"command": [sys.executable, str(script)], **params},
        start=True,
        **(ends or {}),
    )
    preview = await lab.runs.preview_command(new)
    run = await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))
    return run.id


def test_the_run_says_how_well_it_is_fenced_in(home: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        level, note = isolation()
        async with open_lab(home) as lab:
            run_id = await start(lab, tmp_path, "")
            run = await wait_for(lab, run_id)
            said = {event.type: event for event in await lab.queries.events(run_id, limit=100)}
        assert run.isolation == level
        if level == "confined":
            assert said["confined"].level == "info"
        else:
            assert (said["not_isolated"].level, said["not_isolated"].message) == ("warning", note)

    asyncio.run(scenario())


def test_a_folder_that_grows_too_large_ends_the_run(home: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        code = "import time\nopen('big', 'wb').write(bytes(5 << 20))\ntime.sleep(600)\n"
        async with open_lab(home, script_folder_bytes=1 << 20, stop_grace_s=0.2) as lab:
            lab.execution.supervisor.limits.look_s = lab.execution.supervisor.limits.measure_s = 0.05
            run_id = await start(lab, tmp_path, code)
            event = await wait_for_event(lab, run_id, "folder-too-large")
            run = await wait_for(lab, run_id)
        assert run.status is RunStatus.failed
        assert run.reason is not None
        assert run.reason.cause == "folder-too-large"
        assert run.reason.message == event.message == "Stopped by the lab: its folder grew beyond 1.0 MB."
        assert "RL_LAB_SCRIPT_FOLDER_BYTES" in run.reason.next_step

    asyncio.run(scenario())


def test_a_disk_that_fills_up_ends_foreign_runs_only(home: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_lab(home, stop_grace_s=0.2) as lab:
            limits = lab.execution.supervisor.limits
            limits.look_s = 0.05
            run_id = await start(lab, tmp_path, "import time\ntime.sleep(600)\n")
            own = await lab.runs.create(toy(total_timesteps=10**9))
            for one in (run_id, own.id):
                await wait_for(lab, one, RunStatus.running)
            # As if the disk had filled up since: more is to stay free than there is.
            limits._settings = make_settings(home, min_free_bytes=1 << 60)
            run = await wait_for(lab, run_id)
            own = await lab.queries.get_run(own.id)
        assert run.reason is not None
        assert (run.status, run.reason.cause) == (RunStatus.failed, "disk-almost-full")
        assert (own.status, own.isolation) == (RunStatus.running, None)

    asyncio.run(scenario())


def test_too_many_processes_end_the_run(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        monkeypatch.setattr("rl_lab.orchestrator.foreign.isolation.PROCESSES", 20)
        code = (
            "import os, time\nfor _ in range(50):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)\n"
        )
        async with open_lab(home) as lab:
            run = await wait_for(lab, await start(lab, tmp_path, code))
        assert run.reason is not None
        assert (run.status, run.reason.cause) == (RunStatus.failed, "too-many-processes")
        assert run.reason.message == "It had more than 20 processes at once and was killed."

    asyncio.run(scenario())


def test_a_script_ends_politely_at_the_users_limit(home: Path, tmp_path: Path) -> None:
    """It would run for ten minutes."""
    code = "import time\ntry:\n    time.sleep(600)\nfinally:\n    print('cleaned up')\n"

    async def scenario() -> None:
        async with open_lab(home) as lab:
            lab.execution.supervisor.limits.look_s = 0.05
            run_id = await start(lab, tmp_path, code, ends={"max_seconds": 1})
            run = await wait_for(lab, run_id)
            log = (home / "runs" / run_id / "attempts" / "1" / "log.txt").read_text()
        assert (run.status, run.reason and run.reason.cause) == (RunStatus.succeeded, "time-limit")
        assert run.reason is not None and run.reason.message.startswith("Ended after 1 second, at step ")
        assert "cleaned up" in log

    asyncio.run(scenario())
