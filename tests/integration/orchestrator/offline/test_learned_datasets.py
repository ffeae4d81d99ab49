"""Trainings that learn from a dataset name its exact version; what does not fit or is damaged is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.damage import flip_bit
from support.datasets import CARTPOLE, PENDULUM, put_rows, sample, write_version
from support.labs import furnish, open_lab, toy, wait_for
from support.offline_data import write_played
from support.waiting import wait_until_async

from rl_lab.core.datasets.datasets import DatasetStatistics
from rl_lab.core.datasets.manifest import MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.models.start_points import StartPoint
from rl_lab.core.runners import AlgorithmSpec
from rl_lab.core.runs import Run
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import Again, NewRun
from rl_lab.runners.fake import FakeRunner
from rl_lab.store import runs
from rl_lab.store.datasets.datasets import change_version
from rl_lab.store.datasets.versions import find_version
from rl_lab.store.run_pages import RunFilter

UNKNOWN = dict.fromkeys(DatasetStatistics.model_fields)
WITH_NAN = {
    **UNKNOWN,
    **{name: {"edges": [], "counts": []} for name in ("returns", "lengths")},
    **dict.fromkeys(("terminated", "truncated", "duplicates", "by_person"), 0),
    "actions": [],
    "state_map": [],
    "not_finite": {"observations": 3, "rewards": 1},
}


@pytest.fixture
def learns_from_datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake runner with two algorithms that learn from a dataset; its worker learns as ever."""
    spec = FakeRunner.spec
    narrow = spec.algorithms[0].model_dump(exclude={"params"}) | {"params": spec.algorithms[0].params}
    fine = AlgorithmSpec(**{**narrow, "id": "fine", "name": "Fine", "action_kinds": ("continuous",)})
    changes = {
        "capabilities": spec.capabilities.model_copy(update={"dataset": True}),
        "algorithms": (*spec.algorithms, fine),
    }
    monkeypatch.setattr(FakeRunner, "spec", spec.model_copy(update=changes))


async def put(lab: Lab, name: str, about: dict[str, Any], episodes: int = 4, version: int = 1) -> str:
    folder = lab.context.home / "datasets" / name / f"v{version}"
    manifest = write_version(folder, about, sample(about, episodes))
    await lab.context.db.write(lambda conn: put_rows(conn, name, version, manifest))
    return manifest.sha256


def learner(**changes: Any) -> Any:
    return toy(**{"env_id": "", "evaluate_after": 0, "total_timesteps": 100, **changes})


@pytest.mark.usefixtures("learns_from_datasets")
def test_a_training_names_the_exact_version_it_learns_from(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            await _require_one(lab)
            await put(lab, "pole", CARTPOLE)
            second = await put(lab, "pole", CARTPOLE, episodes=5, version=2)
            await put(lab, "swing", PENDULUM)
            await _refuse_what_does_not_fit(lab)
            created = await lab.runs.create(learner(dataset=DatasetChoice(name="POLE")))
            config: Any = created.config
            assert (config.env_id, config.dataset.version, config.dataset.sha256) == (
                "CartPole-v1",
                2,
                second,
            )
            ended = await wait_for(lab, created.id)
            assert ended.status == "succeeded" and ended.progress.unit == "update"
            job = json.loads((tmp_path / "runs" / created.id / "attempts/1/job.json").read_text())
            assert job["dataset_dir"] == str(tmp_path / "datasets/pole/v2")
            # A newer version changes nothing for those that repeat it.
            await put(lab, "pole", CARTPOLE, episodes=6, version=3)
            again: Any = (await lab.runs.again(created.id, Again(seed=2, start=False))).config
            assert again.dataset == config.dataset
            base = {"algorithm": "toy", "runner": "fake", "dataset": {"name": "pole", "version": 2}}
            study = await lab.experiments.studies.create(
                NewStudy(base={**base, "total_timesteps": 100}, seeds=[1, 2], start=True)
            )

            async def both() -> list[Run] | None:
                found = (await lab.queries.list_runs(RunFilter(study_id=study.id))).items
                return found if len(found) == 2 else None

            for run in await wait_until_async(both, "the runs of the study"):
                assert run.config.dataset == config.dataset  # type: ignore[union-attr]
                await wait_for(lab, run.id)
            found = await lab.context.db.read(lambda conn: find_version(conn, "pole", 2))
            assert found is not None and found.learned_by == 4
            await _refuse_damaged(lab, again)

    asyncio.run(story())


async def _refusal(lab: Lab, **changes: Any) -> tuple[str, str, Any]:
    with pytest.raises(InvalidInput) as refused:
        await lab.runs.create(learner(**changes))
    [error] = refused.value.errors
    return error.field, error.message, error.allowed


async def _require_one(lab: Lab) -> None:
    field, message, allowed = await _refusal(lab, env_id="CartPole-v1")
    assert (field, allowed) == (
        "dataset",
        [],
    ) and "There is none for CartPole-v1 yet: make or import" in message


async def _refuse_what_does_not_fit(lab: Lab) -> None:
    assert await _refusal(lab) == (
        "dataset",
        "Fake learns from a dataset: name one. These fit: pole@v2, swing@v1.",
        ["pole@v2", "swing@v1"],
    )
    assert (await _refusal(lab, algorithm="fine"))[2] == ["swing@v1"]
    assert "Did you mean pole?" in (await _refusal(lab, dataset=DatasetChoice(name="pola")))[1]
    assert (
        "no version 7; its newest is v2"
        in (await _refusal(lab, dataset=DatasetChoice(name="pole", version=7)))[1]
    )
    other = DatasetChoice(name="pole", version=2, sha256="0" * 64)
    assert "has other contents" in (await _refusal(lab, dataset=other))[1]
    chosen = DatasetChoice(name="pole")
    field, message, _ = await _refusal(lab, dataset=chosen, env_id="Acrobot-v1")
    assert field == "env_id" and "pole@v2 were played in CartPole-v1, not in Acrobot-v1." in message
    assert await _refusal(lab, dataset=chosen, algorithm="fine") == (
        "algorithm",
        "Fine needs continuous actions, but pole@v2 has discrete actions.",
        ["toy"],
    )
    turbo = {"runner": "turbo", "algorithm": "ppo", "env_id": "CartPole-v1"}
    field, message, allowed = await _refusal(lab, dataset=chosen, **turbo)
    assert field == "dataset" and "learns in the environment, not from a dataset" in message
    assert "fake" in allowed
    await lab.context.db.write(lambda conn: change_version(conn, "swing", 1, statistics=WITH_NAN))
    field, message, _ = await _refusal(lab, dataset=DatasetChoice(name="swing"), algorithm="fine")
    assert field == "dataset" and "swing@v1 has numbers that are NaN or infinite in observations." in message
    await lab.context.db.write(lambda conn: change_version(conn, "swing", 1, statistics=None))


def test_a_replay_buffer_begins_with_a_dataset_whose_spaces_fit(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            sha256 = await put(lab, "swing", PENDULUM)
            wide = {**PENDULUM["observation_space"], "shape": [5], "low": [-1.0] * 5, "high": [1.0] * 5}
            await put(lab, "nameless", {**PENDULUM, "env_id": "", "observation_space": wide})
            sac = {"runner": "sb3", "algorithm": "sac", "env_id": "Pendulum-v1", "params": {}, "start": False}
            created = await lab.runs.create(learner(**sac, dataset=DatasetChoice(name="swing")))
            config: Any = created.config
            assert (config.dataset.sha256, config.prefill) == (sha256, True)
            assert created.progress.unit == "step" and config.evaluate_every is None
            again: Any = (await lab.runs.again(created.id, Again(seed=2, start=False))).config
            assert (again.dataset, again.prefill) == (config.dataset, True)
            field, message, _ = await _refusal(lab, **sac, dataset=DatasetChoice(name="nameless"))
            assert (field, message) == (
                "dataset",
                "nameless@v1 has observations BOX(5) and actions BOX(1), but Pendulum-v1 has observations BOX(3) and "
                "actions BOX(1). Choose a dataset of this environment, or leave it out.",
            )
            ppo = {**sac, "algorithm": "ppo"}
            field, message, allowed = await _refusal(lab, **ppo, dataset=DatasetChoice(name="swing"))
            assert field == "dataset" and "PPO (sb3) learns in the environment" in message
            assert {"sb3/dqn", "sb3/sac", "sb3/td3"} < set(allowed)

    asyncio.run(story())


def test_nothing_is_learned_from_a_dataset_that_was_changed_without_changing_its_size(tmp_path: Path) -> None:
    furnish(tmp_path)
    offline = {"runner": "offline", "algorithm": "bc"}
    prefilled = {"runner": "sb3", "algorithm": "dqn", "env_id": "CartPole-v1"}

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            for name, wanted in (("pole", offline), ("stick", prefilled)):
                sha256 = await put(lab, name, CARTPOLE)
                flip_bit(tmp_path / "datasets" / name / "v1" / "rewards.npy")
                choice = DatasetChoice(name=name, sha256=sha256)
                ended = await wait_for(lab, (await lab.runs.create(learner(**wanted, dataset=choice))).id)
                assert (ended.status, ended.attempt, ended.progress.timestep) == ("failed", 0, 0)
                assert ended.reason is not None and ended.reason.cause == "dataset-damaged"
                assert "rewards.npy does not have its checksum" in ended.reason.message
                assert f"rl-lab datasets check {name}@v1" in ended.reason.next_step
                with pytest.raises(NotReady, match="does not have its checksum"):
                    await lab.runs.create(learner(**wanted, dataset=choice))

    asyncio.run(story())


async def _refuse_damaged(lab: Lab, config: Any) -> None:
    file = lab.context.home / "datasets/pole/v2/rewards.npy"
    whole = file.read_bytes()
    file.write_bytes(whole[:-8])
    with pytest.raises(NotReady) as refused:
        await lab.runs.create(learner(dataset=config.dataset))
    assert f"rewards.npy has {len(whole) - 8:,} bytes instead of {len(whole):,}" in refused.value.detail
    assert "rl-lab datasets check pole@v2" in (refused.value.next_step or "")
    # A run that waits is checked again when it starts.
    waiting = await lab.runs.create(learner(dataset=config.dataset, start=False))
    with pytest.raises(NotReady):
        await lab.runs.move(waiting.id, "start")
    file.write_bytes(whole)
    assert (await wait_for(lab, (await lab.runs.move(waiting.id, "start")).id)).status == "succeeded"


def test_what_was_learned_from_a_dataset_is_repeated_exactly_and_goes_on_online(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            folder = write_played(tmp_path / "datasets/pole/v1", episodes=3, most_steps=60)
            manifest = DatasetManifest.model_validate_json((folder / MANIFEST_FILE).read_text())
            await lab.context.db.write(lambda conn: put_rows(conn, "pole", 1, manifest))
            known = {"seed": 1, "start": True, "evaluate_after": 1}
            wanted = {"runner": "offline", "algorithm": "bc", "total_timesteps": 200, "evaluate_every": 200}
            created = await lab.runs.create(
                NewRun(**known, **wanted, evaluate_episodes=1, dataset=DatasetChoice(name="pole"))
            )
            assert created.name == "BC on CartPole-v1 · 200 updates · seed 1"
            offline = await wait_for(lab, created.id)
            assert offline.status == "succeeded" and offline.summary.mean_reward is not None, offline.reason
            verification = await lab.jobs.start(VerifyConfig(run_id=offline.id))
            online = await lab.runs.create(
                NewRun(
                    **{**known, "evaluate_after": 0},
                    runner="turbo",
                    algorithm="ppo",
                    env_id="CartPole-v1",
                    total_timesteps=128,
                    start_from=StartPoint(run_id=offline.id),
                    params={"n_envs": 2, "n_steps": 32, "batch_size": 64, "processes": 1},
                )
            )
            assert online.config.params["activation"] == "relu"  # type: ignore[union-attr]
            assert (await wait_for(lab, online.id)).status == "succeeded"
            log = {event.type: event.message for event in await lab.queries.events(online.id, limit=100)}
            assert log["warm_started"] == f"Starts with the weights of “{offline.name}” at update 200."
            verdict = (await wait_for(lab, verification.id)).summary.result
            assert verdict is not None and verdict["verdict"] == "identical", verdict
            job = json.loads((tmp_path / "runs" / verification.id / "attempts/1/job.json").read_text())
            assert job["dataset_dir"] == str(folder)
            [evaluated] = await wait_until_async(
                lambda: lab.context.db.read(lambda conn: runs.list_evaluations(conn, [offline.id])),
                "the evaluation after the training",
            )
            assert evaluated.status == "succeeded", evaluated.reason

    asyncio.run(story())
