"""kill -9 of the lab at every instant of a resume and of a rewind: the run then equals one that was not stopped."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.labs import furnish, open_lab, toy, wait_for
from support.waiting import DEADLINE_S

from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import artifacts, runs
from rl_lab.store.telemetry.recorded_events import read_events

pytestmark = pytest.mark.chaos

SCRIPT = Path(__file__).parents[2] / "support" / "mortal_lab.py"
SETTINGS = {"total_timesteps": 4000, "checkpoint_every": 400, "evaluate_after": 0}


class Ended(NamedTuple):
    """What a run left, without what depends on the clock."""

    telemetry: Any
    lines: list[dict[str, Any]]
    """Of metrics.jsonl."""
    checkpoints: dict[tuple[int | None, str | None], str]
    """Contents by step and role."""
    files: set[str]
    summary: Any
    progress: tuple[int, int]
    starts: int


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("step", [None, 800])
def test_a_lab_killed_at_any_instant_of_a_resume_loses_and_doubles_nothing(
    tmp_path: Path, step: int | None
) -> None:
    origin = tmp_path / "origin"
    furnish(origin)
    whole, run_id, choice = asyncio.run(prepare(origin, step))
    instant, wrong = 0, []
    while True:
        instant += 1
        home = tmp_path / str(instant)
        shutil.copytree(origin, home, symlinks=True, ignore=shutil.ignore_patterns("control"))
        died_at = resume_until(home, run_id, choice, instant)
        found = asyncio.run(end(home, run_id))
        if found != whole:
            names = [name for name in Ended._fields if getattr(found, name) != getattr(whole, name)]
            wrong.append((instant, died_at, names))
        shutil.rmtree(home)
        if not died_at:
            break
    assert instant > 20, "the instants are those of the whole resume"
    assert wrong == []


def resume_until(home: Path, run_id: str, choice: ResumeChoice, instant: int) -> str:
    """Where the lab was killed; empty when the run ended before that instant."""
    command = [sys.executable, str(SCRIPT), str(home), run_id, choice.model_dump_json(), str(instant)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.returncode in (0, -9), done.stderr
    return done.stdout.strip()


async def prepare(home: Path, step: int | None) -> tuple[Ended, str, ResumeChoice]:
    """An unbroken run, and a killed one with the choice of where it is to be resumed."""
    async with open_lab(home) as lab:
        whole = await lab.runs.create(toy(**SETTINGS))
        run = await lab.runs.create(toy(**SETTINGS, kill_at=2900))
        run = await wait_for(lab, run.id, RunStatus.failed)
        await wait_for(lab, whole.id, RunStatus.succeeded)
        await heal(lab, run)
        saved = await lab.context.db.read(lambda conn: artifacts.list_of_kinds(conn, run.id, ["checkpoint"]))
        at = next((one.id for one in saved if one.timestep == step and one.role != "best"), None)
        return await ended(lab, whole.id), run.id, ResumeChoice(checkpoint=at, rewind=step is not None)


async def heal(lab: Lab, run: Run) -> None:
    """The same run without its fault, as if the cause of the kill had been removed."""
    assert run.config.kind == "train"
    healed = run.config.model_copy(update={"params": {**run.config.params, "kill_at": 0}})
    await lab.context.db.write(lambda conn: runs.put_config(conn, run.id, healed))


async def end(home: Path, run_id: str) -> Ended:
    """What the run has left when the next lab is done with it; a resume that was not accepted is asked for again."""
    async with open_lab(home) as lab:
        run = await lab.queries.get_run(run_id)
        if run.status is RunStatus.failed and run.attempt == 1:
            await lab.runs.resume(run_id, ResumeChoice())
        await wait_for(lab, run_id, RunStatus.succeeded)
        return await ended(lab, run_id)


async def ended(lab: Lab, run_id: str) -> Ended:
    run = await lab.queries.get_run(run_id)
    folder = lab.context.folders.find(run_id)
    saved = await lab.context.db.read(lambda conn: artifacts.list_of_kinds(conn, run_id, ["checkpoint"]))
    told = [json.loads(line) for line in folder.metrics_jsonl.read_text().splitlines()]
    events = await lab.queries.events(run_id, limit=500)
    return Ended(
        telemetry=read_events(folder.telemetry, 10**9),
        lines=[{name: value for name, value in line.items() if name not in ("t", "fps")} for line in told],
        checkpoints={(one.timestep, one.role): one.sha256 for one in saved},
        files={path.name for path in (folder.path / "checkpoints").iterdir()}
        ^ {Path(one.path).name for one in saved},
        summary=run.summary,
        progress=(run.progress.episodes, run.progress.timestep),
        starts=sum(event.type == "run_starting" for event in events) - run.attempt,
    )
