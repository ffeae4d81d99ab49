"""A model of somebody else becomes a run of this lab: evaluated, not resumed, and nothing is left of a refused one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for
from support.model_files import onnx_graph, sb3_zip, torchscript, turbo_checkpoint

from rl_lab.core.errors import ConsentNeeded, InvalidInput, MoveRefused, NotReady
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.models.imports import ImportChoices, ImportSource
from rl_lab.core.models.packages import PackageChoices
from rl_lab.core.reproduction.origins import ModelOrigin
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.looking import is_foreign, is_rewritten
from rl_lab.store.files.folders import list_run_ids

CARD = """---
library_name: stable-baselines3
tags: [CartPole-v1, deep-reinforcement-learning]
model-index:
- name: PPO
  results:
  - dataset: {name: CartPole-v1, type: CartPole-v1}
    metrics:
    - {type: mean_reward, value: 487.50 +/- 12.25, name: mean_reward}
---
# A model
"""


async def send(lab: Lab, name: str, data: bytes, **more: Any) -> str:
    async def chunks() -> AsyncIterator[bytes]:
        yield data

    return (await lab.models.imports.uploads.receive(name, chunks(), **more)).id


def in_lab(home: Path, story: Callable[[Lab], Awaitable[None]]) -> None:
    async def opened() -> None:
        async with open_lab(home) as lab:
            await story(lab)

    asyncio.run(opened())


def left_behind(home: Path) -> list[Path]:
    return [path for path in (home / "imports").rglob("*") if path.is_file()]


def test_a_turbo_checkpoint_becomes_a_run_that_is_evaluated_and_not_resumed(
    home: Path, tmp_path: Path
) -> None:
    async def story(lab: Lab) -> None:
        data = turbo_checkpoint(tmp_path / "theirs.safetensors").read_bytes()
        upload = await send(lab, "theirs.safetensors", data)
        preview = await lab.models.imports.preview(upload)
        assert (preview.form, preview.runner, preview.env_id, preview.timesteps) == (
            "turbo",
            "turbo",
            "CartPole-v1",
            400,
        )
        run = await lab.models.imports.take_in(upload, ImportChoices(name="Theirs"))
        assert (run.name, run.status, run.allowed) == ("Theirs", RunStatus.succeeded, [])
        assert isinstance(run.origin, ModelOrigin)
        assert (run.origin.file, run.origin.sha256) == ("theirs.safetensors", preview.sha256)
        assert is_foreign(run)
        [checkpoint] = await lab.queries.artifacts(run.id)
        assert (checkpoint.role, checkpoint.kind, checkpoint.timestep) == ("imported", "checkpoint", 400)
        with pytest.raises(MoveRefused, match="imported model"):
            await lab.runs.move(run.id, "resume")
        job = await lab.jobs.start(EvaluateConfig(run_id=run.id, episodes=2, record=False))
        ended = await wait_for(lab, job.id)
        assert ended.status is RunStatus.succeeded, ended.reason
        assert ended.isolation is not None
        assert is_rewritten(run)  # so it may act on the stage
        await _packages_as_a_model_of_others(lab, checkpoint.id)
        assert not left_behind(lab.context.home)

    in_lab(home, story)


async def _packages_as_a_model_of_others(lab: Lab, checkpoint: str) -> None:
    """Made by a confined process; neither the licence of one's own models nor facts of a training are claimed."""
    package = await lab.models.packages.preview(checkpoint, PackageChoices())
    assert "license: other" in package.card and "author's to give" in package.notes[-1]
    assert "imported from theirs.safetensors (turbo checkpoint)" in package.card
    assert "400 according to the file" in package.card
    assert "| Seed |" not in package.card and "| Date |" not in package.card
    chosen = await lab.models.packages.preview(checkpoint, PackageChoices(licence="cc0-1.0"))
    assert "license: cc0-1.0" in chosen.card and chosen.notes == []


def test_a_folder_with_a_card_names_its_environment_and_its_claim(home: Path, tmp_path: Path) -> None:
    async def story(lab: Lab) -> None:
        folder = tmp_path / "ppo-CartPole-v1"
        folder.mkdir()
        (folder / "ppo-CartPole-v1.zip").write_bytes(sb3_zip())
        (folder / "README.md").write_text(CARD)
        (folder / "replay.mp4").write_bytes(b"film")
        source = ImportSource(repository="somebody/ppo-CartPole-v1", revision="abc")
        run = await lab.models.imports.import_folder(folder, source, ImportChoices())
        assert (run.name, run.env_id, run.algorithm) == ("somebody/ppo-CartPole-v1", "CartPole-v1", "ppo")
        [checkpoint] = await lab.queries.artifacts(run.id)
        assert checkpoint.evaluation is not None
        assert (checkpoint.evaluation.mean, checkpoint.evaluation.protocol) == (487.5, "import")
        assert not left_behind(lab.context.home)

    in_lab(home, story)


def test_a_refused_model_leaves_nothing_behind(home: Path) -> None:
    async def story(lab: Lab) -> None:
        before = list_run_ids(lab.context.home)
        upload = await send(lab, "policy.onnx", onnx_graph(inputs=4))
        with pytest.raises(InvalidInput, match="does not say in which environment"):
            await lab.models.imports.take_in(upload, ImportChoices())
        with pytest.raises(
            InvalidInput, match=r"does not fit Pendulum-v1: it takes observations of shape \(4,\)"
        ):
            await lab.models.imports.take_in(upload, ImportChoices(env_id="Pendulum-v1"))
        await lab.models.imports.drop(upload)
        assert list_run_ids(lab.context.home) == before
        assert not left_behind(lab.context.home)

    in_lab(home, story)


def test_a_file_that_changed_on_its_way_is_refused(home: Path) -> None:
    async def story(lab: Lab) -> None:
        with pytest.raises(InvalidInput, match="changed or cut on its way"):
            await send(lab, "model.zip", b"cut", sha256="0" * 64)
        with pytest.raises(InvalidInput, match="name"):
            await send(lab, "../../token", b"")
        assert not left_behind(lab.context.home)

    in_lab(home, story)


@pytest.mark.skipif(not probe().landlock, reason="this kernel has no Landlock")
def test_a_program_is_loaded_only_when_it_was_approved(home: Path) -> None:
    async def story(lab: Lab) -> None:
        upload = await send(lab, "actor.pt", torchscript("return seen[:, :2]"))
        preview = await lab.models.imports.preview(upload)
        assert preview.needs_consent
        with pytest.raises(ConsentNeeded, match="has not been approved"):
            await lab.models.imports.take_in(upload, ImportChoices(env_id="CartPole-v1"))
        with pytest.raises(ConsentNeeded, match="not the file that was approved"):
            await lab.models.imports.take_in(upload, ImportChoices(env_id="CartPole-v1", consent="0" * 64))
        choices = ImportChoices(env_id="CartPole-v1", consent=preview.sha256)
        run = await lab.models.imports.take_in(upload, choices)
        assert run.config.kind == "train"
        assert run.config.runner == "torchscript"
        assert not is_rewritten(run)
        [checkpoint] = await lab.queries.artifacts(run.id)
        with pytest.raises(NotReady, match="TorchScript cannot be packaged"):
            await lab.models.packages.preview(checkpoint.id, PackageChoices())

    in_lab(home, story)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("importing")
    furnish(home)
    return home


def test_what_a_killed_lab_left_is_removed_at_the_next_start(home: Path) -> None:
    folder = home / "imports" / "0123456789ab"
    folder.mkdir(parents=True)
    (folder / "moving.json").write_text('"0123456789zz"')
    (home / "runs" / "0123456789zz").mkdir(parents=True)

    async def story() -> None:
        async with open_lab(home):
            assert not (home / "runs" / "0123456789zz").exists()
            assert not (home / "imports").exists()

    asyncio.run(story())
