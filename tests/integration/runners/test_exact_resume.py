"""A resumed training equals one that was not stopped: every weight, episode and metric, for all learners."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from support.forked_training import resume, train, weights_at_end
from support.offline_data import write_played
from support.own_rewards import STATEFUL, reward_input

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.lengthening import Longer, lengthen
from rl_lab.core.protocol import events
from rl_lab.core.runs import Progress
from rl_lab.runners.sb3.library import load_library

SMALL = {"net_arch": [8], "n_envs": 1}
OFF_POLICY = {**SMALL, "buffer_size": 300, "learning_starts": 50, "batch_size": 16}
OFFLINE = {"net_arch": [8], "batch_size": 16}
TURBO = {"n_envs": 4, "processes": 1, "hidden": 8}
LEARNERS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "turbo/ppo": ("CartPole-v1", 2000, {**TURBO, "n_steps": 32, "normalize_observations": True}),
    "turbo/dqn": ("CartPole-v1", 1000, {**TURBO, "learning_starts": 64, "buffer_size": 300}),
    "sb3/ppo": ("CartPole-v1", 768, {**SMALL, "n_steps": 128, "n_epochs": 2, "schedule": "linear"}),
    "sb3/a2c": ("CartPole-v1", 500, SMALL),
    "sb3/dqn": ("CartPole-v1", 900, {**OFF_POLICY, "target_update_interval": 70, "n_steps": 3}),
    "sb3/sac": ("Pendulum-v1", 420, {**OFF_POLICY, "train_freq": 7, "gradient_steps": -1}),
    "sb3/td3": ("Pendulum-v1", 420, {**OFF_POLICY, "action_noise": "ornstein-uhlenbeck"}),
    "offline/bc": ("CartPole-v1", 300, OFFLINE),
    "offline/iql": ("CartPole-v1", 300, {**OFFLINE, "online_steps": 220}),
    "offline/cql": ("Pendulum-v1", 200, {**OFFLINE, "n_actions": 2}),
    "offline/td3_bc": ("Pendulum-v1", 200, {**OFFLINE, "policy_delay": 3}),
}
MORE: dict[str, tuple[str, int, dict[str, Any]]] = {
    "sb3/ppo with two scaled environments": (
        "Pendulum-v1",
        512,
        {**SMALL, "n_envs": 2, "n_steps": 64, "n_epochs": 2, "normalize_observations": True}
        | {"normalize_reward": True, "use_sde": True, "sde_sample_freq": 8},
    ),
    "sb3/sac with two scaled environments": (
        "Pendulum-v1",
        500,
        {**OFF_POLICY, "n_envs": 2, "normalize_observations": True, "use_sde": True}
        | {"action_noise": "ornstein-uhlenbeck", "train_freq": 4},
    ),
    "sb3/dqn with two environments that begins with a dataset": (
        "CartPole-v1",
        400,
        {**OFF_POLICY, "n_envs": 2, "n_steps": 3, "buffer_size": 500},
    ),
    "sb3/ppo with a reward of one's own": (
        "Pendulum-v1",
        512,
        {**SMALL, "n_envs": 2, "n_steps": 64, "n_epochs": 2, "normalize_reward": True},
    ),
    "sb3/dqn with a reward of one's own that begins with a dataset": (
        "CartPole-v1",
        400,
        {**OFF_POLICY, "n_envs": 2, "n_steps": 3, "buffer_size": 500, "normalize_reward": True},
    ),
    "offline/iql with a reward of one's own": ("CartPole-v1", 300, {**OFFLINE, "online_steps": 220}),
}
CASES = {**LEARNERS, **MORE}


def config_of(case: str, **more: Any) -> TrainConfig:
    runner, _, algorithm = case.partition(" ")[0].partition("/")
    env_id, steps, params = CASES[case]
    given = {"runner": runner, "algorithm": algorithm, "env_id": env_id, "total_timesteps": steps}
    return TrainConfig(**given, params=params, seed=5, checkpoint_every=steps // 4, **more)


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> None:
    """Loaded once; the processes that train are forked from this one."""
    load_library()
    importlib.import_module("rl_lab.runners.sb3.learner")
    importlib.import_module("rl_lab.runners.turbo.learner")
    importlib.import_module("rl_lab.runners.offline.learner")


def inputs_of(case: str, folder: Path) -> dict[str, Any]:
    """What the job has besides its configuration."""
    found: dict[str, Any] = {}
    if "reward" in case:
        found["inputs"] = {"reward": reward_input(STATEFUL)}
    if case.startswith("offline/") or "dataset" in case:
        found["dataset_dir"] = write_played(folder / "dataset", CASES[case][0], episodes=3)
    return found


@pytest.mark.parametrize("case", CASES)
def test_resumed_training_equals_one_that_was_not_stopped(case: str, tmp_path: Path) -> None:
    config, inputs = config_of(case), inputs_of(case, tmp_path)
    whole = train(tmp_path / "whole", config, **inputs)
    assert whole.status == 0

    # Stopped in the middle of a rollout, after a pause; killed; then resumed from the checkpoint before the kill.
    steps = config.total_timesteps
    broken = tmp_path / "broken"
    stopped = train(broken, config, interrupt={"pause_at": steps // 9, "stop_at": steps * 4 // 11}, **inputs)
    stop = stopped.checkpoints[-1]
    assert stop.role == "stop"
    killed = resume(broken, config, stop, interrupt={"kill_at": steps * 5 // 6}, **inputs)
    assert killed.status == 9
    last = killed.checkpoints[-1]
    ended = resume(broken, config, last, attempt=3, **inputs)
    assert ended.status == 0

    exact = [[e.code for e in one.of(events.LogEvent)] for one in (killed, ended)]
    assert all("resume_exact" in codes for codes in exact)
    assert weights_at_end(broken) == weights_at_end(tmp_path / "whole")
    until_stop = stopped.episodes
    until_kill = [e for e in killed.episodes if e[5] <= last.timestep]
    assert until_stop + until_kill + ended.episodes == whole.episodes
    found = stopped.metrics() | killed.metrics() | ended.metrics()
    common = found.keys() & whole.metrics().keys()
    assert {k: found[k] for k in common} == {k: whole.metrics()[k] for k in common}
    assert common and any("own_return" in key for key in common) == ("reward" in case)


def test_a_lengthened_training_goes_on_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if it had had the later end from the start: updates from the dataset alone are not added."""
    monkeypatch.setattr("rl_lab.runners.offline.online.LEAST_ROOM", 1)
    config, inputs = config_of("offline/iql"), inputs_of("offline/iql", tmp_path)
    ended = train(tmp_path / "broken", config, **inputs).checkpoints[-1]
    later = Longer(more_timesteps=60)
    longer = lengthen(config, later, at=300, progress=Progress(timestep=300), is_solved=False)
    assert resume(tmp_path / "broken", longer, ended, **inputs).status == 0
    assert train(tmp_path / "whole", longer, **inputs).status == 0
    assert weights_at_end(tmp_path / "broken") == weights_at_end(tmp_path / "whole")


def test_missing_replay_buffer_is_reported_and_replaced_only_if_the_user_agrees(tmp_path: Path) -> None:
    config = config_of("sb3/dqn")
    stopped = train(tmp_path, config, interrupt={"stop_at": 300})
    checkpoint = stopped.checkpoints[-1]
    assert checkpoint.parts
    segment = tmp_path / checkpoint.parts[-1]["path"]
    segment.write_bytes(segment.read_bytes()[:-20])
    assert resume(tmp_path, config, checkpoint).status != 0
    segment.unlink()
    agreed = resume(tmp_path, config, checkpoint, inexact=True)
    assert agreed.status == 0
    [log] = [e for e in agreed.of(events.LogEvent) if e.code == "resume_not_exact"]
    assert f"{segment.name} of its replay buffer is missing" in log.message
