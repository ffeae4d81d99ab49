"""A real Lab in the test's own process, with the fake runner and a catalogue that is asked for once a session."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rl_lab.core.run_events import RunEvent
from rl_lab.core.runs import FINAL, Run, RunStatus
from rl_lab.orchestrator.bus import events_topic, status_topic
from rl_lab.orchestrator.home import make_home
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.settings import Settings
from support.catalogues import put_catalogue
from support.waiting import DEADLINE_S, wait_until_async


def furnish(home: Path) -> None:
    """Puts the catalogue into a home, so that no test waits for it."""
    os.environ["RL_LAB_FAKE_RUNNER"] = "1"
    make_home(home)
    put_catalogue(home)


def make_settings(home: Path, **changes: Any) -> Settings:
    quick = {"home": home, "min_free_bytes": 0, "stop_grace_s": 60.0, "kill_grace_s": 60.0, "max_running": 4}
    return Settings(**{**quick, **changes})


@asynccontextmanager
async def open_lab(home: Path, **changes: Any) -> AsyncIterator[Lab]:
    lab = Lab(make_settings(home, **changes))
    await lab.start()
    try:
        yield lab
    finally:
        await end_all(lab)
        await lab.close()


async def end_all(lab: Lab) -> None:
    """Nothing a test started outlives it."""
    for run_id in list(lab.execution.supervisor.live):
        lab.execution.supervisor.control(run_id, "kill")
    await wait_until_async(lambda: not lab.execution.supervisor.live, "the guardians to end")


def toy(**changes: Any) -> NewRun:
    """A run of the fake runner; params may be given directly."""
    fields = {name: changes.pop(name) for name in list(changes) if name in NewRun.model_fields}
    known = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "seed": 1, "start": True}
    known["total_timesteps"] = 2000
    return NewRun(**{**known, **fields, "params": changes})


async def wait_for(lab: Lab, run_id: str, *wanted: RunStatus) -> Run:
    """The run once it is in one of these states, or in any final one when none is named."""
    states = frozenset(wanted) or FINAL
    try:
        async with asyncio.timeout(DEADLINE_S):
            with lab.context.bus.subscribe([status_topic(run_id)]) as changes:
                while True:
                    run = await lab.queries.get_run(run_id)
                    if run.status in states:
                        return run
                    if run.status in FINAL:
                        raise AssertionError(f"wanted {sorted(states)}, but it {run.status}: {run.reason}")
                    await changes.take()
    except TimeoutError:
        raise AssertionError(await describe_wait(lab, run_id)) from None


async def describe_wait(lab: Lab, run_id: str) -> str:
    """What a run was doing when a test lost its patience."""
    run = await lab.queries.get_run(run_id)
    said = [f"{event.type}: {event.message}" for event in await lab.queries.events(run_id, limit=500)]
    return "\n".join([f"still {run.status} at step {run.progress.timestep}, attempt {run.attempt}", *said])


async def wait_for_step(lab: Lab, run_id: str, timestep: int) -> Run:
    async with asyncio.timeout(DEADLINE_S):
        with lab.context.bus.subscribe([status_topic(run_id)]) as changes:
            while True:
                run = await lab.queries.get_run(run_id)
                if run.progress.timestep >= timestep:
                    return run
                assert run.status not in FINAL, run.reason
                await changes.take()


async def wait_for_event(lab: Lab, run_id: str, type: str) -> RunEvent:
    async with asyncio.timeout(DEADLINE_S):
        with lab.context.bus.subscribe([events_topic(run_id)]) as changes:
            while True:
                for event in await lab.queries.events(run_id, limit=500):
                    if event.type == type:
                        return event
                await changes.take()
