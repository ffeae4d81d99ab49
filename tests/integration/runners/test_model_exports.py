"""A turbo model leaves the lab as a file of another library, and acts there as it does here."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from support.labs import furnish, open_lab, wait_for

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.turbo.playing import load_policy
from rl_lab.store.files.folders import RunFolder


def test_a_turbo_model_is_exported_to_sb3_and_onnx_and_sb3_refuses_in_words(tmp_path: Path) -> None:
    furnish(tmp_path)
    asyncio.run(_story(tmp_path))


async def _story(home: Path) -> None:
    async with open_lab(home) as lab:
        run_id = await _trained(lab, "turbo")
        zipped = await lab.jobs.exports.export(run_id, "sb3", None)
        graph = await lab.jobs.exports.export(run_id, "onnx", None)
        folder = RunFolder(home, run_id).path
        assert {a.path for a in await lab.queries.artifacts(run_id)} >= {zipped.path, graph.path}
        assert (folder / graph.path).stat().st_size == graph.size
        _acts_alike(folder / "model.safetensors", folder / zipped.path)
        other = await _trained(lab, "sb3", n_steps=64, batch_size=64)
        with pytest.raises(InvalidInput, match="no other form of its models"):
            await lab.jobs.exports.export(other, "onnx", None)


async def _trained(lab: Lab, runner: str, **params: int) -> str:
    new = NewRun(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner=runner,
        total_timesteps=512,
        seed=1,
        params=params,
        start=True,
        evaluate_after=0,
    )
    run = await lab.runs.create(new)
    await wait_for(lab, run.id, RunStatus.succeeded)
    return run.id


def _acts_alike(ours: Path, theirs: Path) -> None:
    from stable_baselines3 import PPO

    policy, model = load_policy(ours), PPO.load(theirs, device="cpu")
    for observation in np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32):
        assert policy.act(observation, True).action == int(model.predict(observation, deterministic=True)[0])
