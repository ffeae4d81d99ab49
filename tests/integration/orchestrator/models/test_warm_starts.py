"""New runs that start with the weights of a checkpoint: created, verified, repeated, studied and packed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for
from support.packs import read_members, send

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.models.start_points import START_FILE, StartPoint
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import Again, NewRun
from rl_lab.store import artifacts
from rl_lab.store.run_pages import RunFilter

PARAMS = {"n_envs": 2, "n_steps": 32, "batch_size": 64, "hidden": 16, "processes": 1}


def turbo(**changes: Any) -> NewRun:
    known = {
        "env_id": "CartPole-v1",
        "algorithm": "ppo",
        "runner": "turbo",
        "total_timesteps": 128,
        "seed": 1,
    }
    return NewRun(**{**known, "evaluate_after": 0, "start": True, "params": PARAMS, **changes})


def test_a_run_starts_with_the_weights_of_another(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            parent = await wait_for(lab, (await lab.runs.create(turbo())).id)
            start = StartPoint(run_id=parent.id)
            await _is_refused(lab, parent, start)
            child = await lab.runs.create(
                turbo(params={"learning_rate": 1e-4, "processes": 1}, start_from=start, seed=7)
            )
            assert child.config.params["hidden"] == 16  # type: ignore[union-attr]
            child = await wait_for(lab, child.id)
            assert child.status is RunStatus.succeeded, child.reason
            log = {event.type: event.message for event in await lab.queries.events(child.id, limit=100)}
            assert log["warm_started"] == f"Starts with the weights of “{parent.name}” at step 128."
            point = child.config.start_from  # type: ignore[union-attr]
            assert (point.run_id, point.timestep) == (parent.id, 128)
            # From here on the parent is gone; the child has all it needs.
            await lab.runs.delete(parent.id)
            again = await lab.runs.again(child.id, Again(seed=8))
            study = await lab.experiments.studies.create(
                NewStudy(
                    base=turbo(start_from=point, start=False).model_dump(
                        include={"env_id", "algorithm", "runner", "total_timesteps", "params", "start_from"}
                    ),
                    seeds=[11],
                    start=True,
                )
            )
            verification = await lab.jobs.start(VerifyConfig(run_id=child.id))
            assert (await wait_for(lab, again.id)).status is RunStatus.succeeded
            verdict = (await wait_for(lab, verification.id)).summary.result
            assert verdict is not None and verdict["verdict"] == "identical", verdict
            [of_study] = (await lab.queries.list_runs(RunFilter(study_id=study.id))).items
            assert (await wait_for(lab, of_study.id)).status is RunStatus.succeeded
            assert of_study.config.start_from == point  # type: ignore[union-attr]
            assert (tmp_path / "runs" / of_study.id / START_FILE).is_file()
            data = b"".join((await lab.experiments.packs.make([child.id], [])).chunks)
            assert f"runs/{child.id}/files/{START_FILE}" in read_members(data)
            room = lab.experiments.packs
            taken = (await room.take_in((await send(room, data)).id)).runs[child.id]
            checked = await wait_for(lab, (await lab.jobs.start(VerifyConfig(run_id=taken))).id)
            assert checked.summary.result is not None, checked.reason
            assert checked.summary.result["verdict"] == "identical"

    asyncio.run(story())


async def _is_refused(lab: Lab, parent: Run, start: StartPoint) -> None:
    async def refusal(**changes: Any) -> str:
        with pytest.raises(InvalidInput) as refused:
            await lab.runs.create(turbo(**{"start_from": start, "params": {}, **changes}))
        return refused.value.errors[0].message

    assert "have hidden = 16, not 32" in await refusal(params={"hidden": 32})
    spaces = await refusal(env_id="Acrobot-v1")
    assert (
        "CartPole-v1 (observations BOX(4), actions DISCRETE(2)); Acrobot-v1 has observations BOX(6)" in spaces
    )
    assert "Turbo DQN cannot start with the weights of Turbo PPO" in await refusal(algorithm="dqn")
    assert "their networks are different" in await refusal(algorithm="a2c", runner="sb3")
    assert "Fake cannot start" in await refusal(algorithm="toy", runner="fake")
    nowhere = StartPoint(run_id="1nfq8ze3k2aa")
    assert "no run called “1nfq8ze3k2aa”" in await refusal(start_from=nowhere)
    files = await lab.context.db.read(lambda conn: artifacts.list_for_run(conn, parent.id, kind="checkpoint"))
    assert "has been replaced" in await refusal(
        start_from=StartPoint(run_id=parent.id, checkpoint=files[0].id, sha256="0" * 64)
    )
    file = lab.context.folders.find(parent.id).path / files[0].path
    whole = file.read_bytes()
    file.write_bytes(b"other")
    assert "is missing or was changed" in await refusal(
        start_from=StartPoint(run_id=parent.id, checkpoint=files[0].id)
    )
    file.write_bytes(whole)
