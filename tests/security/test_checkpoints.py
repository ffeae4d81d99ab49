"""A checkpoint is loaded only as it was recorded: a file that was changed since is refused, and nothing is loaded."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.jobs.checkpoint_links import link_checkpoints, unlink_checkpoints
from rl_lab.orchestrator.lab import Lab
from rl_lab.runners.registry import RUNNERS
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.policies import load_policy


def with_a_checkpoint(home: Path, story: Callable[[Lab, Artifact, Path], Awaitable[None]]) -> None:
    furnish(home)

    async def whole() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=200, evaluate_after=0))
            await wait_for(lab, run.id, RunStatus.succeeded)
            checkpoint = next(a for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint")
            await story(lab, checkpoint, RunFolder(home, run.id).path / checkpoint.path)

    asyncio.run(whole())


def append_a_space(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


def test_a_checkpoint_changed_after_it_was_recorded_is_not_loaded(home: Path) -> None:
    async def story(lab: Lab, checkpoint: Artifact, file: Path) -> None:
        append_a_space(file)
        wanted = EvaluateConfig(run_id=checkpoint.run_id, checkpoint=checkpoint.id, episodes=1, record=False)
        with pytest.raises(Gone, match="was changed after it was saved"):
            await lab.jobs.start(wanted)
        page = await lab.queries.list_runs(RunFilter(kind=RunKind.evaluate))
        assert page.items == []

    with_a_checkpoint(home, story)


def test_a_worker_compares_the_very_bytes_that_it_loads(tmp_path: Path) -> None:
    file = tmp_path / "best.json"
    file.write_bytes(b"recorded")
    recorded = hashlib.sha256(b"recorded").hexdigest()
    with verified(file, recorded) as copy:
        file.write_bytes(b"changed meanwhile")
        assert (copy.read_bytes(), copy.name) == (b"recorded", "best.json")
    assert not copy.exists()
    with pytest.raises(Gone, match="was changed"), verified(file, recorded):
        raise AssertionError("a changed file was given to a runner")
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with pytest.raises(OSError), verified(link, recorded):
        raise AssertionError("a link was followed")


def test_a_policy_is_not_loaded_from_a_changed_file(tmp_path: Path) -> None:
    file = tmp_path / "best.json"
    file.write_bytes(b"{}")
    config = TrainConfig(runner="fake", algorithm="toy", env_id="CartPole-v1")
    policy = PolicyInput(checkpoint=file, sha256="0" * 64, runner=RUNNERS["fake"], config=config)
    with pytest.raises(Gone):
        load_policy(policy)


def test_a_job_keeps_the_checkpoint_it_was_given_while_the_training_replaces_it(tmp_path: Path) -> None:
    training, folder = tmp_path / "runs" / "training", RunFolder(tmp_path, "job")
    training.mkdir(parents=True)
    folder.create()
    best = training / "best.json"
    best.write_bytes(b"first")
    given: dict[str, Any] = {"checkpoint": str(best), "sha256": hashlib.sha256(b"first").hexdigest()}
    linked = link_checkpoints(folder, {"policy": given, "policies": [given], "other": 1})
    newer = training / "newer.json"
    newer.write_bytes(b"second")
    newer.replace(best)
    for policy in (linked["policy"], *linked["policies"]):
        assert Path(policy["checkpoint"]).read_bytes() == b"first"
    with pytest.raises(Gone):
        link_checkpoints(folder, {"policy": given})
    unlink_checkpoints(folder)
    assert list(folder.path.iterdir()) == []
