"""Recorded environments inside real vector environments: what is kept brings every episode back."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from rl_lab.core.job_file import Job
from rl_lab.portable.actions import unpack
from rl_lab.portable.control import Control
from rl_lab.portable.recorder import Recorder, episode_seed
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry


class Said:
    """A telemetry whose lines can be read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        self.telemetry = Telemetry(self.fd)

    def events(self, kind: str) -> list[dict[str, Any]]:
        self.telemetry.flush()
        events = [json.loads(line) for line in self._path.read_bytes().splitlines()]
        return [event for event in events if event["type"] == kind]


@pytest.fixture
def said(tmp_path: Path) -> Iterator[Said]:
    made = Said(tmp_path / "lines.jsonl")
    yield made
    made.telemetry.close()
    os.close(made.fd)


def make_session(said: Said, run_dir: Path, **config: Any) -> Session:
    run_dir.mkdir(exist_ok=True)
    given = {"kind": "train", "algorithm": "ppo", "env_id": "CartPole-v1", "seed": 5, **config}
    job = Job.model_validate({"run_id": "r", "config": given, "run_dir": run_dir})
    control_r, control_w = os.pipe()
    os.close(control_w)
    return Session(job, said.telemetry, Control(control_r))


def replay(env_id: str, episode: dict[str, Any], packing: dict[str, Any]) -> tuple[float, int, bool, bool]:
    """The episode once more in a fresh environment."""
    env = make_environment(env_id)
    env.reset(seed=episode["seed"])
    returned, terminated, truncated = 0.0, False, False
    actions = unpack(packing, base64.b64decode(episode["trace"]["actions"]))
    for action in actions:
        assert not (terminated or truncated)
        _, reward, terminated, truncated, _ = env.step(action)
        returned += float(reward)
    env.close()
    return returned, len(actions), bool(terminated), bool(truncated)


def drive_gymnasium(factories: list[Callable[[], Any]], steps: int) -> None:
    envs = gymnasium.vector.SyncVectorEnv(factories)
    envs.action_space.seed(1)
    envs.reset()
    for _ in range(steps):
        envs.step(envs.action_space.sample())
    envs.close()


def drive_sb3(factories: list[Callable[[], Any]], steps: int) -> None:
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv(factories)
    envs.action_space.seed(1)
    envs.seed(9)
    envs.reset()
    for _ in range(steps):
        envs.step(np.array([envs.action_space.sample() for _ in factories]))
    envs.close()


@pytest.mark.parametrize("drive", [drive_gymnasium, drive_sb3])
@pytest.mark.parametrize(
    ("env_id", "steps"), [("CartPole-v1", 150), ("LunarLander-v3", 350), ("BipedalWalker-v3", 250)]
)
def test_every_episode_of_a_vector_environment_comes_back(
    said: Said, tmp_path: Path, drive: Callable[..., None], env_id: str, steps: int
) -> None:
    session = make_session(said, tmp_path / "run", env_id=env_id)
    drive(session.make_envs(3), steps)
    (config,) = said.events("config")
    episodes = said.events("episode")
    assert [e["episode"] for e in episodes] == list(range(len(episodes)))
    assert len({e["seed"] for e in episodes}) == len(episodes) >= 3
    assert len({e.get("env", 0) for e in episodes}) >= 2
    assert config["env_version"].startswith("gymnasium")
    assert config["n_envs"] == 3
    for episode in episodes[-4:]:
        expected = (episode["return"], episode["steps"], episode["terminated"], episode["truncated"])
        assert replay(env_id, episode, config["action"]) == pytest.approx(expected, abs=0)


def test_a_float64_action_is_played_as_it_is_kept(said: Said) -> None:
    env = RecordedEnv(make_environment("Pendulum-v1"), Recorder(said.telemetry))
    env.reset()
    dice = np.random.default_rng(0)
    for _ in range(200):
        env.step(dice.uniform(-2, 2, (1,)))
    (episode,) = said.events("episode")
    assert (
        replay("Pendulum-v1", episode, {"kind": "box", "dtype": "<f4", "shape": [1]})[0] == episode["return"]
    )
    assert episode["truncated"] is True
    env.close()


def test_timesteps_episodes_and_mean_are_those_of_all_sub_environments(said: Said, tmp_path: Path) -> None:
    session = make_session(said, tmp_path / "run")
    drive_sb3(session.make_envs(4), 100)
    episodes = said.events("episode")
    assert session.recorder.timestep == 400
    assert session.recorder.episodes == len(episodes)
    assert session.recorder.mean_reward == pytest.approx(np.mean([e["return"] for e in episodes]))
    assert sorted(e["timestep"] for e in episodes) == [e["timestep"] for e in episodes]
    assert all(e["timestep"] <= 400 for e in episodes)


def test_seeds_depend_on_run_environment_and_episode_only(said: Said) -> None:
    env = RecordedEnv(make_environment("CartPole-v1"), Recorder(said.telemetry, run_seed=8), env_index=2)
    for _ in range(3):
        env.reset()
        while not any(env.step(0)[2:4]):
            pass
    env.close()
    assert [e["seed"] for e in said.events("episode")] == [episode_seed(8, 2, n) for n in range(3)]


def test_an_explicit_seed_is_used_and_kept(said: Said) -> None:
    env = RecordedEnv(make_environment("CartPole-v1"), Recorder(said.telemetry))
    env.reset(seed=123)
    while not any(env.step(1)[2:4]):
        pass
    env.close()
    assert said.events("episode")[0]["seed"] == 123


def test_an_episode_given_up_half_way_is_not_an_episode(said: Said) -> None:
    recorder = Recorder(said.telemetry)
    env = RecordedEnv(make_environment("CartPole-v1"), recorder)
    env.reset()
    env.step(0)
    env.reset()
    while not any(env.step(1)[2:4]):
        pass
    env.close()
    (episode,) = said.events("episode")
    assert base64.b64decode(episode["trace"]["actions"]) == b"\1" * episode["steps"]
    assert recorder.timestep == episode["steps"] + 1


@pytest.mark.parametrize("reward", [np.nan, np.inf])
def test_a_reward_that_is_not_a_number_is_noticed_in_running_and_ended_episodes(
    said: Said, reward: float
) -> None:
    recorder = Recorder(said.telemetry)
    changed = {"reward": 1.0}
    inner = gymnasium.wrappers.TransformReward(make_environment("CartPole-v1"), lambda _: changed["reward"])
    env = RecordedEnv(inner, recorder)
    env.reset()
    env.step(1)
    assert not recorder.has_undefined_return
    changed["reward"] = reward
    env.step(1)
    assert recorder.has_undefined_return
    while not any(env.step(1)[2:4]):
        pass
    env.reset()
    assert recorder.has_undefined_return
    env.close()


def test_without_recording_episodes_are_still_counted(said: Said, tmp_path: Path) -> None:
    session = make_session(said, tmp_path / "run", record=False)
    drive_gymnasium(session.make_envs(2), 60)
    episodes = said.events("episode")
    assert episodes
    assert all("trace" not in e for e in episodes)
    assert session.recorder.mean_reward is not None


def test_thoughts_are_kept_step_by_step(said: Said) -> None:
    recorder = Recorder(said.telemetry)
    env = RecordedEnv(make_environment("CartPole-v1"), recorder)
    env.reset()
    step, ended = 0, False
    while not ended:
        if step != 1:  # nobody speaks about the second step
            recorder.thought(0, float(step), 0.5, {"probabilities": [0.5, 0.5]})
        ended = any(env.step(1)[2:4])
        step += 1
    env.close()
    trace = said.events("episode")[0]["trace"]
    values = np.frombuffer(base64.b64decode(trace["values"]), "<f2")
    chosen = np.frombuffer(base64.b64decode(trace["chosen"]), "u1")
    rows = np.frombuffer(base64.b64decode(trace["extra"]["probabilities"]), "<f2").reshape(-1, 2)
    assert len(values) == len(chosen) == len(rows) == step
    assert np.isnan(values[1])
    assert np.isnan(rows[1]).all()
    assert values[2:].tolist() == list(range(2, step))
    assert chosen[0] == 128


class Endless(gymnasium.Env):
    """An episode that ends when told, with wide actions."""

    action_space = gymnasium.spaces.Box(-1, 1, (64,), np.float32)
    observation_space = gymnasium.spaces.Discrete(1)
    is_over = False

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        return 0, {}

    def step(self, action: Any) -> Any:
        return 0, 1.0, self.is_over, False, {"is_success": True}


def test_a_long_episode_goes_ahead_in_pieces_and_every_line_stays_short(said: Said) -> None:
    base = Endless()
    env = RecordedEnv(base, Recorder(said.telemetry), env_index=1)
    env.reset()
    for index in range(3000):
        base.is_over = index == 2999
        env.step(np.full(64, index / 3000, np.float32))
    (episode,) = said.events("episode")
    pieces = [e["trace"] for e in [*said.events("steps"), episode]]
    assert episode["trace"]["start"] > 0
    assert episode["success"] is True
    assert max(len(p["actions"]) for p in pieces) < 400_000
    data = b"".join(base64.b64decode(p["actions"]) for p in pieces)
    assert np.frombuffer(data, "<f4").reshape(-1, 64)[:, 0].tolist() == [
        np.float32(i / 3000) for i in range(3000)
    ]


def test_a_running_episode_of_the_first_environment_is_sent_as_it_happens(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl_lab.portable.recorder.PARTIAL_S", 0.0)
    monkeypatch.setattr("rl_lab.portable.recorder.LOOK_S", 0.0)
    base, recorder = Endless(), Recorder(said.telemetry)
    first, second = RecordedEnv(base, recorder, 0), RecordedEnv(Endless(), recorder, 1)
    first.reset()
    second.reset()
    for index in range(50):
        first.step(np.full(64, index, np.float32))
        second.step(np.zeros(64, np.float32))
    steps = said.events("steps")
    assert {e.get("env", 0) for e in steps} == {0}
    starts = [e["trace"].get("start", 0) for e in steps]
    counts = [e["trace"]["count"] for e in steps]
    assert starts == [sum(counts[:i]) for i in range(len(counts))]
    assert sum(counts) == 50
    assert {e["seed"] for e in steps} == {episode_seed(0, 0, 0)}


def test_whole_episodes_of_a_vectorised_learner_are_numbered_with_the_others(said: Said) -> None:
    recorder = Recorder(said.telemetry, episode0=7)
    recorder.finished_episodes(
        env=[3, 0],
        seed=np.array([11, 12]),
        steps=np.array([2, 3]),
        returns=np.array([2.0, 3.0]),
        terminated=np.array([True, False]),
        truncated=np.array([False, True]),
        timestep=np.array([20, 21]),
        actions=[b"\0\1", None],
        values=[np.array([1.0, 1e9]), None],
        chosen=[np.array([0.5, 1.0]), None],
    )
    recorder.partial(env=0, seed=13, start=0, count=2, actions=b"\1\1", returned=2.0, timestep=40)
    first, second = said.events("episode")
    assert (first["episode"], second["episode"]) == (7, 8)
    assert base64.b64decode(first["trace"]["actions"]) == b"\0\1"
    assert np.frombuffer(base64.b64decode(first["trace"]["values"]), "<f2").tolist() == [1.0, 65504.0]
    assert "trace" not in second
    assert said.events("steps")[0]["trace"]["count"] == 2
    assert (recorder.episodes, recorder.timestep, recorder.mean_reward) == (9, 40, 2.5)


def test_rewards_are_kept_where_episodes_do_not_come_back_exactly(said: Said) -> None:
    env = RecordedEnv(make_environment("CartPole-v1"), Recorder(said.telemetry, keep_rewards=True))
    env.reset()
    while not any(env.step(1)[2:4]):
        pass
    env.close()
    (episode,) = said.events("episode")
    rewards = np.frombuffer(base64.b64decode(episode["trace"]["rewards"]), "<f4")
    assert rewards.tolist() == [1.0] * episode["steps"]
