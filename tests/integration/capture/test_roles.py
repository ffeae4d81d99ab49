"""Which environments of a script are its training: small scripts of the shapes that real ones have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.captured import Captured, captured

PLAY = """
import gymnasium as gym
def play(env, episodes, seed=None):
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        while True:
            _, _, terminated, truncated, _ = env.step(0)
            if terminated or truncated:
                break
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def played(script: Captured, source: str, **given: Any) -> list[dict[str, Any]]:
    import textwrap

    finished = script.run(PLAY + textwrap.dedent(source), **given)
    assert finished["outcome"] == "succeeded", script.attempt.log()
    return script.attempt.events()


def roles(events: list[dict[str, Any]]) -> dict[int, tuple[int, str]]:
    """Number of a group → its members and its role at the end."""
    return {e["env_group"]: (e["count"], e["role"]) for e in events if e["type"] == "environment"}


def trained(events: list[dict[str, Any]]) -> int:
    """Episodes that count as training."""
    found = roles(events)
    episodes = [e for e in events if e["type"] == "episode"]
    return sum(found[e["env_group"]][1] == "training" for e in episodes)


def steps(events: list[dict[str, Any]]) -> int:
    [finished] = [e for e in events if e["type"] == "finished"]
    return int(finished["summary"]["timestep"])


TIANSHOU = """
class Worker:
    def __init__(self, make):
        self.env = make()
    def send(self, action):
        self.result = self.env.step(action)

class Vector:
    def __init__(self, makers):
        self.workers = [Worker(make) for make in makers]
        self.env_num = len(makers)
    def reset(self):
        for worker in self.workers:
            worker.env.reset()
    def step(self, action):
        ended = 0
        for worker in self.workers:
            worker.send(action)
            if worker.result[2] or worker.result[3]:
                worker.env.reset()
                ended += 1
        return ended

def collect(vector, episodes):
    while episodes > 0:
        episodes -= vector.step(0)

make = lambda: gym.make("CartPole-v1")
train, test = Vector([make] * 2), Vector([make] * 5)
train.reset()
test.reset()
for epoch in range(3):
    collect(train, 4)
    test.reset()
    collect(test, 5)
"""


def test_a_test_vector_that_was_reset_before_the_training_is_evaluation(script: Captured) -> None:
    events = played(script, TIANSHOU)
    assert roles(events) == {1: (2, "training"), 2: (5, "evaluation")}
    assert trained(events) == 12
    lengths = [e["steps"] for e in events if e["type"] == "episode" and e["env_group"] == 1]
    assert sum(lengths) <= steps(events) <= sum(lengths) + 2 * 10


def test_members_of_a_vector_that_take_random_steps_in_reset_are_all_training(script: Captured) -> None:
    events = played(
        script,
        """
        import numpy as np
        class Noop(gym.Wrapper):
            def reset(self, **kwargs):
                seen = self.env.reset(**kwargs)
                for _ in range(int(self.unwrapped.np_random.integers(1, 5))):
                    seen = self.env.step(1)[:1] + ({},)
                return seen
        envs = gym.vector.SyncVectorEnv([lambda: Noop(gym.make("CartPole-v1"))] * 8)
        envs.reset(seed=1)
        for _ in range(64):
            envs.step(np.zeros(8, int))
        """,
    )
    assert roles(events) == {1: (8, "training")}
    assert {e["env"] for e in events if e["type"] == "episode"} == set(range(8))
    assert steps(events) == 8 * 64, "steps inside a reset are not the learner's"


@pytest.mark.parametrize("end", ["env.close()", "pass"])
def test_a_loop_over_seeds_is_training_from_the_first_to_the_last(script: Captured, end: str) -> None:
    events = played(
        script,
        f"""
        def train(seed):
            env = gym.make("CartPole-v1")
            play(env, 4, seed)
            {end}
        for seed in range(3):
            train(seed)
        """,
    )
    assert roles(events) == dict.fromkeys((1, 2, 3), (1, "training"))
    assert trained(events) == 12
    assert steps(events) == sum(e["steps"] for e in events if e["type"] == "episode")


def test_a_loop_over_seeds_in_one_variable_is_training(script: Captured) -> None:
    events = played(
        script,
        """
        for seed in range(3):
            env = gym.make("CartPole-v1")
            play(env, 4, seed)
        """,
    )
    assert trained(events) == 12


def test_an_evaluation_between_two_stretches_of_training_stays_one(script: Captured) -> None:
    events = played(
        script,
        """
        env = gym.make("CartPole-v1")
        for _ in range(3):
            play(env, 2)
            judge = gym.make("CartPole-v1")
            play(judge, 5)
            judge.close()
        """,
    )
    assert {role for number, (_, role) in roles(events).items() if number > 1} == {"evaluation"}
    assert trained(events) == 6
    assert steps(events) == sum(e["steps"] for e in events if e["type"] == "episode" and e["env_group"] == 1)


def test_updates_of_the_networks_show_which_environment_is_trained_in(script: Captured) -> None:
    events = played(
        script,
        """
        import torch
        weight = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        judge, env = gym.make("CartPole-v1"), gym.make("CartPole-v1")
        for epoch in range(3):
            play(judge, 2)
            for _ in range(6):
                play(env, 1)
                weight.sum().backward()
                optimizer.step()
        env.close()
        play(gym.make("CartPole-v1"), 3)
        """,
    )
    assert roles(events) == {1: (1, "evaluation"), 2: (1, "training"), 3: (1, "evaluation")}
    assert trained(events) == 18


def test_only_learn_of_a_stable_baselines_model_is_training(script: Captured) -> None:
    events = played(
        script,
        """
        from stable_baselines3 import PPO
        from stable_baselines3.common.callbacks import EvalCallback
        from stable_baselines3.common.evaluation import evaluate_policy
        env, judge = gym.make("CartPole-v1"), gym.make("CartPole-v1")
        model = PPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu")
        evaluate_policy(model, judge, n_eval_episodes=2)
        model.learn(256, callback=EvalCallback(judge, eval_freq=128, n_eval_episodes=2, verbose=0))
        seen = model.get_env().reset()
        for _ in range(200):
            seen, *_ = model.get_env().step(model.predict(seen)[0])
        model.learn(128, reset_num_timesteps=False)
        """,
    )
    assert steps(events) == 384
    training = [number for number, (_, role) in roles(events).items() if role == "training"]
    assert len(training) == 1
    told = [e for e in events if e["type"] == "episode" and e["env_group"] == training[0]]
    assert sum(e["steps"] for e in told) <= 384
    why = {e["why"] for e in events if e["type"] == "environment"}
    assert "Stable-Baselines3 trains in it" in why


@pytest.mark.parametrize("chosen", ["Acrobot-v1", "2"])
def test_the_user_names_the_training_at_the_start(script: Captured, chosen: str) -> None:
    events = played(
        script,
        """
        play(gym.make("CartPole-v1"), 3)
        play(gym.make("Acrobot-v1", max_episode_steps=30), 2)
        """,
        params={"training": [chosen]},
    )
    assert roles(events) == {1: (1, "evaluation"), 2: (1, "training")}
    assert steps(events) == 60
    [config] = [e for e in events if e["type"] == "config"]
    assert config["env_id"] == "Acrobot-v1"
