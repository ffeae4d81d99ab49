"""A checkpoint leaves the lab as one zip, by the page's address and by the command line."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.models.packages import PackageChoices
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun


def test_a_package_holds_the_measured_result_and_the_chosen_licence(tmp_path: Path) -> None:
    furnish(tmp_path)
    asyncio.run(_story(tmp_path))


async def _story(home: Path) -> None:
    async with open_lab(home, model_author="Ada") as lab:
        run_id, checkpoint = await _trained(lab)
        before = await lab.models.packages.preview(checkpoint, PackageChoices(video=True))
        assert "Not evaluated" in before.card and "no evaluation" in before.notes[0]
        job = await lab.jobs.start(
            EvaluateConfig(run_id=run_id, checkpoint=checkpoint, episodes=5, record=False)
        )
        await wait_for(lab, job.id, RunStatus.succeeded)
        name, file = await lab.models.packages.make(checkpoint, PackageChoices(licence="bsd-3-clause"))
        with file, zipfile.ZipFile(io.BytesIO(file.read())) as archive:
            card = archive.read("README.md").decode()
            config = json.loads(archive.read("config.json"))
            assert "Ada" in archive.read("LICENSE").decode()
        assert name.endswith(".zip") and "license: bsd-3-clause" in card
        assert "model-index:" in card and "Protocol: 5 episodes" in card
        assert config["model"] == "model.safetensors" and config["config"]["seed"] == 1
        await _refuses(lab, run_id)


async def _refuses(lab: Lab, run_id: str) -> None:
    other = next(a for a in await lab.queries.artifacts(run_id) if a.kind != "checkpoint")
    with pytest.raises(InvalidInput, match="is not a checkpoint"):
        await lab.models.packages.order(other.id, PackageChoices())
    fake = await lab.runs.create(toy(total_timesteps=200))
    await wait_for(lab, fake.id)
    saved = next(a for a in await lab.queries.artifacts(fake.id) if a.kind == "checkpoint")
    with pytest.raises(NotReady, match="cannot be packaged"):
        await lab.models.packages.preview(saved.id, PackageChoices())


async def _trained(lab: Lab) -> tuple[str, str]:
    new = NewRun(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="turbo",
        total_timesteps=512,
        seed=1,
        start=True,
        evaluate_after=0,
    )
    run = await lab.runs.create(new)
    await wait_for(lab, run.id, RunStatus.succeeded)
    return run.id, next(a.id for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint")
