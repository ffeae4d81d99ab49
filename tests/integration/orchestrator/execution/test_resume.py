"""Resuming an ended run from any of its checkpoints: what must be agreed to, and what the run has afterwards."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InvalidInput, MoveRefused, NotReady
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.orchestrator.jobs import verify
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import artifacts, runs
from rl_lab.store.telemetry.recorded_events import ExpectedEvents, read_events


async def checkpoints(lab: Lab, run_id: str) -> dict[int, Artifact]:
    """By step."""
    found = await lab.context.db.read(lambda conn: artifacts.list_of_kinds(conn, run_id, ["checkpoint"]))
    return {one.timestep or 0: one for one in found if one.role != "best"}


def telemetry(home: Path, run: Run) -> ExpectedEvents:
    return read_events(home / "runs" / run.id / "telemetry.db", 10**6)


async def killed(lab: Lab) -> Run:
    """A run with checkpoints every 400 steps that was killed after step 1,500."""
    run = await lab.runs.create(toy(total_timesteps=2000, checkpoint_every=400, kill_at=1500))
    return await wait_for(lab, run.id, RunStatus.failed)


def test_a_run_resumed_from_an_older_checkpoint_equals_one_that_was_not_stopped(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            whole = await lab.runs.create(toy(total_timesteps=2000, checkpoint_every=400))
            run = await killed(lab)
            assert run.progress.timestep > 1200
            saved = await checkpoints(lab, run.id)
            assert sorted(saved) == [400, 800, 1200]
            await lab.context.db.write(lambda conn: artifacts.pin(conn, saved[1200].id))

            older = ResumeChoice(checkpoint=saved[400].id)
            with pytest.raises(NotReady, match=r"drops .* steps and .* episodes") as refused:
                await lab.runs.resume(run.id, older)
            assert f"{run.id}@400 --rewind" in str(refused.value.next_step)
            with pytest.raises(InvalidInput, match="no such checkpoint"):
                await lab.runs.resume(run.id, ResumeChoice(checkpoint="nothing"))

            # The same run without its fault, as if the cause of the kill had been removed.
            await _heal(lab, run)
            answers = await asyncio.gather(
                *(lab.runs.resume(run.id, older.model_copy(update={"rewind": True})) for _ in range(2)),
                return_exceptions=True,
            )
            assert sorted(type(answer) for answer in answers if isinstance(answer, Exception)) == [
                MoveRefused
            ]
            ended = await wait_for(lab, run.id, RunStatus.succeeded)
            unbroken = await wait_for(lab, whole.id, RunStatus.succeeded)
            assert telemetry(home, ended) == telemetry(home, unbroken)
            assert (ended.progress.episodes, ended.progress.timestep) == (
                unbroken.progress.episodes,
                unbroken.progress.timestep,
            )
            assert ended.summary == unbroken.summary
            kept = await lab.context.db.read(lambda conn: artifacts.get(conn, saved[1200].id))
            assert kept.sha256 == saved[1200].sha256, "a pinned checkpoint of a dropped step stays as it was"

    asyncio.run(story())


def test_a_damaged_checkpoint_or_other_versions_are_refused_with_what_to_do(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await killed(lab)
            saved = await checkpoints(lab, run.id)
            folder = home / "runs" / run.id
            (folder / saved[1200].path).write_text("torn")
            with pytest.raises(NotReady, match="step 1,200 is missing, torn or altered") as refused:
                await lab.runs.resume(run.id, ResumeChoice())
            assert f"`rl-lab resume {run.id}@800 --rewind`" in str(refused.value.next_step)

            lacking = {"parts": [{"path": "checkpoints/replay/rows.npz", "sha256": "0"}]}
            replayed = saved[800].model_copy(update={"data": lacking})
            await lab.context.db.write(lambda conn: artifacts.upsert(conn, replayed))
            with pytest.raises(NotReady, match=r"rows\.npz of its replay buffer is missing") as refused:
                await lab.runs.resume(run.id, ResumeChoice(checkpoint=saved[800].id, rewind=True))
            step = str(refused.value.next_step)
            assert f"`rl-lab resume {run.id}@800 --rewind --inexact`" in step
            assert f"step 400 can be resumed exactly: `rl-lab resume {run.id}@400 --rewind`" in step
            await lab.context.db.write(lambda conn: artifacts.upsert(conn, saved[800]))

            snapshot = json.loads((folder / "snapshot.json").read_text())
            snapshot["packages"]["numpy"] = "1.0"
            (folder / "snapshot.json").write_text(json.dumps(snapshot))
            whole = ResumeChoice(checkpoint=saved[800].id, rewind=True)
            with pytest.raises(NotReady, match=r"numpy 1\.0 → ") as refused:
                await lab.runs.resume(run.id, whole)
            command = f"`rl-lab resume {run.id}@800 --rewind --inexact`"
            assert command in str(refused.value.next_step), "it keeps what was chosen"
            (folder / saved[800].path).rename(folder / "aside")
            (folder / saved[400].path).unlink()
            with pytest.raises(NotReady, match="Not one of its checkpoints is whole"):
                await lab.runs.resume(run.id, whole)
            (folder / "aside").rename(folder / saved[800].path)
            await _heal(lab, run)
            await lab.runs.resume(run.id, whole.model_copy(update={"inexact": True}))
            await wait_for(lab, run.id, RunStatus.succeeded)
            found = await lab.queries.events(run.id)
            [message] = [event.message for event in found if event.type == "resume_not_exact"]
            assert "numpy 1.0 → " in message
            report = json.loads(await lab.queries.report(run.id, "json"))
            assert report["setup"]["resumes"] == [message]
            sources = Sources(lab.context, Checkpoints(lab.context), lab.environments)
            verification = await verify.prepare(sources, VerifyConfig(run_id=run.id))
            assert "trained again up to step 800" in verification.started
            assert verification.inputs["was_cut"], "its learner would go on"
            assert verification.inputs["notes"][0].startswith(message)

    asyncio.run(story())


def test_a_lab_killed_before_the_worker_starts_has_dropped_what_the_rewind_drops(home: Path) -> None:
    furnish(home)

    async def die() -> Run:
        """The attempt is in lab.db, and its guardian is never started."""
        async with open_lab(home) as lab:
            run = await killed(lab)
            saved = await checkpoints(lab, run.id)
            await _heal(lab, run)
            reached, supervisor = asyncio.Event(), lab.execution.supervisor

            async def spawn(live: LiveAttempt) -> None:
                reached.set()
                await asyncio.Event().wait()

            supervisor.spawn = spawn  # type: ignore[method-assign]
            await lab.runs.resume(run.id, ResumeChoice(checkpoint=saved[400].id, rewind=True))
            await reached.wait()
            supervisor.live.clear()
            return run

    async def go_on(run: Run) -> None:
        async with open_lab(home) as lab:
            ended = await wait_for(lab, run.id, RunStatus.succeeded)
            assert ended.attempt == 2
            found = await checkpoints(lab, run.id)
            names = {path.name for path in (home / "runs" / run.id / "checkpoints").iterdir()}
            assert names == {f"step-{step:09d}.json" for step in (400, 800, 1200, 1600, 2000)}
            assert {Path(one.path).name for one in found.values()} == names
            events = [event.type for event in await lab.queries.events(run.id)]
            assert (events.count("pruned"), events.count("run_starting")) == (1, 2)

    run = asyncio.run(die())
    asyncio.run(go_on(run))


async def _heal(lab: Lab, run: Run) -> None:
    assert run.config.kind == "train"
    params = {**run.config.params, "kill_at": 0}
    healed = run.config.model_copy(update={"params": params})
    await lab.context.db.write(lambda conn: runs.put_config(conn, run.id, healed))
