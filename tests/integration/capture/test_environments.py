"""Environments a script makes: episodes are told as they were and come back, and nobody can tell they are watched."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.captured import Captured, captured
from support.recordings import assert_comes_back, recordings_of
from support.waiting import DEADLINE_S

from rl_lab.worker.rendering.simulation import Simulation

PLAY = """
import json, sys
import gymnasium as gym
{more}
env = gym.make({env_id!r}, **{kwargs!r})
env.action_space.seed(4)
told = []
for episode in range({episodes}):
    env.reset(seed=11 if episode == 0 else None)
    returned, steps = 0.0, 0
    while True:
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        returned, steps = returned + float(reward), steps + 1
        if terminated or truncated:
            break
    told.append([returned, steps])
print(json.dumps(told))
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def played(script: Captured, source: str, *args: str, **given: Any) -> list[dict[str, Any]]:
    finished = script.run(source, *args, **given)
    assert finished["outcome"] == "succeeded", script.attempt.log()
    return script.attempt.events()


def episodes(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == "episode"]


@pytest.mark.parametrize(
    ("env_id", "kwargs", "more"),
    [
        ("CartPole-v1", {}, ""),
        ("LunarLander-v3", {"enable_wind": True}, ""),
        ("FrozenLake-v1", {"map_name": "8x8"}, ""),
        ("Pendulum-v1", {"max_episode_steps": 50}, ""),
        ("Blackjack-v1", {}, ""),
        ("PongNoFrameskip-v4", {"max_episode_steps": 400}, "import ale_py; gym.register_envs(ale_py)"),
    ],
)
def test_episodes_without_a_seed_come_back_to_the_last_bit(
    script: Captured, env_id: str, kwargs: dict[str, Any], more: str
) -> None:
    source = PLAY.format(env_id=env_id, kwargs=kwargs, episodes=4, more=more)
    events = played(script, source)
    told = json.loads(script.attempt.log().splitlines()[-1])
    assert [[e["return"], e["steps"]] for e in episodes(events)] == told
    bare = subprocess.run(
        [sys.executable, str(script.mine / "script.py")], capture_output=True, check=True, timeout=DEADLINE_S
    )
    assert json.loads(bare.stdout.splitlines()[-1]) == told, "capturing changed the script's numbers"
    recordings = recordings_of(events)
    assert [(r.seed, bool(r.generator)) for r in recordings] == [(11, False)] + [(None, True)] * 3
    assert {(r.env_id, tuple(r.env_kwargs.items())) for r in recordings} == {(env_id, tuple(kwargs.items()))}
    for recording in recordings:
        assert not recording.rewards, "an environment known to repeat itself needs none"
        assert_comes_back(recording)


def test_an_emulator_with_dice_of_its_own_is_recorded_only_with_a_seed(script: Captured) -> None:
    more = "import ale_py; gym.register_envs(ale_py)"
    source = PLAY.format(env_id="ALE/Pong-v5", kwargs={"max_episode_steps": 100}, episodes=3, more=more)
    events = played(script, source)
    assert [("trace" in e, e.get("seed")) for e in episodes(events)] == [
        (True, 11),
        (False, None),
        (False, None),
    ]
    assert "ALE/Pong-v5 that begin without a seed are counted but not recorded" in script.warnings()
    [recording] = recordings_of(events)
    assert_comes_back(recording)


def test_a_simulator_that_remembers_keeps_its_rewards(script: Captured) -> None:
    events = played(script, PLAY.format(env_id="BipedalWalker-v3", kwargs={}, episodes=2, more=""))
    for recording in recordings_of(events):
        rewards = np.frombuffer(recording.rewards, "<f4")
        assert rewards.sum() == pytest.approx(recording.returned, rel=1e-3)


def test_actions_are_kept_with_the_type_they_were_played_in(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, numpy as np
        env = gym.make("Pendulum-v1", max_episode_steps=30)
        dice = np.random.default_rng(0)
        for dtype in ("float64", "float32"):
            env.reset(seed=1)
            for _ in range(30):
                env.step(dice.uniform(-2, 2, 1).astype(dtype))
        """,
    )
    first, second = episodes(events)
    [recording] = recordings_of(events)
    assert recording.action == {"kind": "box", "dtype": "<f8", "shape": [1]}
    assert_comes_back(recording)
    assert ("trace" in first, "trace" in second) == (True, False)
    assert "one action has another format (float32(1,) after float64(1,))" in script.warnings()


def test_a_reset_with_options_is_counted_without_a_recording(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        for options in ({"low": -0.01, "high": 0.01}, None):
            env.reset(seed=1, options=options)
            while not env.step(0)[2]:
                pass
        """,
    )
    assert ["trace" in e for e in episodes(events)] == [False, True]
    assert "reset(options=…) are counted" in script.warnings()


def test_steps_after_an_end_without_a_reset_are_not_taken_for_an_episode_one_can_replay(
    script: Captured,
) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, warnings
        warnings.simplefilter("ignore")
        env = gym.make("FrozenLake-v1", is_slippery=False)
        env.reset(seed=1)
        for action in (1, 1, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2):
            env.step(action)
        """,
    )
    assert ["trace" in e for e in episodes(events)] == [True] + [False] * (len(episodes(events)) - 1)
    assert len(episodes(events)) > 1


def test_evaluations_do_not_mix_into_the_training(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, numpy as np
        envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 3)
        judge, other = gym.make("CartPole-v1"), gym.make("Acrobot-v1", max_episode_steps=20)
        envs.reset(seed=1)
        for _ in range(60):
            envs.step(np.zeros(3, int))
        for env in (judge, gym.make("CartPole-v1"), other):
            env.reset(seed=5)
            while True:
                _, _, terminated, truncated, _ = env.step(0)
                if terminated or truncated:
                    break
        """,
    )
    [config] = [e for e in events if e["type"] == "config"]
    assert (config["env_id"], config["n_envs"]) == ("CartPole-v1", 3)
    assert {e["env"] for e in episodes(events) if e["env_group"] == 1} == {0, 1, 2}
    roles = {
        e["env_group"]: (e["env_id"], e["count"], e["role"]) for e in events if e["type"] == "environment"
    }
    assert roles == {
        1: ("CartPole-v1", 3, "training"),
        2: ("CartPole-v1", 1, "evaluation"),
        3: ("CartPole-v1", 1, "evaluation"),
        4: ("Acrobot-v1", 1, "evaluation"),
    }
    assert [(e["env_group"], e["return"]) for e in episodes(events)][-1] == (4, -20.0)
    for recording in recordings_of(events):
        assert_comes_back(recording)


def test_an_environment_that_was_only_tried_out_is_not_the_training(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym
        probe = gym.make("CartPole-v1")
        probe.reset(seed=1)
        probe.step(0)
        probe.close()
        env = gym.make("CartPole-v1")
        env.reset(seed=1)
        while not env.step(0)[2]:
            pass
        """,
    )
    assert ["trace" in e for e in episodes(events)] == [True]


def test_a_watched_environment_is_what_it_was(script: Captured) -> None:
    events = played(
        script,
        """
        import copy, pickle
        import gymnasium as gym
        from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit

        env = gym.make("CartPole-v1", render_mode="rgb_array")
        assert type(env).__name__ == "TimeLimit" and isinstance(env, TimeLimit)
        assert str(env) == "<TimeLimit<OrderEnforcing<PassiveEnvChecker<CartPoleEnv<CartPole-v1>>>>>"
        assert type(env.unwrapped).__name__ == "CartPoleEnv" and env.env.env.env is env.unwrapped
        env._max_episode_steps = 7
        again = gym.make(env.spec)
        assert again.spec == env.spec and not again.spec.additional_wrappers
        env.reset(seed=3)
        for copied in (copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(gym.make("FrozenLake-v1")))):
            assert isinstance(copied, TimeLimit) and copied.step.__func__.__module__.startswith("gymnasium")
        twin = copy.deepcopy(env)
        twin.step(0)
        assert twin._elapsed_steps == 1 and env._elapsed_steps == 0
        wrapped = RecordEpisodeStatistics(env)
        wrapped.reset(seed=3)
        steps = 0
        while True:
            steps += 1
            _, _, terminated, truncated, info = wrapped.step(0)
            if terminated or truncated:
                break
        assert truncated and steps == 7 and info["episode"]["l"] == 7
        assert wrapped.render().shape == (400, 600, 3)
        """,
    )
    [episode] = episodes(events)
    assert (episode["steps"], episode["truncated"]) == (7, True)


def test_an_environment_that_steps_itself_is_seen_from_outside(script: Captured) -> None:
    script.write(
        """
        import gymnasium as gym, numpy as np
        class Restless(gym.Env):
            action_space, observation_space = gym.spaces.Discrete(2), gym.spaces.Discrete(9)
            def reset(self, *, seed=None, options=None):
                super().reset(seed=seed)
                self.n = 0
                self.step(0)
                return 0, {}
            def step(self, action):
                self.n += 1
                return 0, 1.0, self.n >= 5, False, {}
        gym.register("Restless-v0", entry_point=Restless, order_enforce=False, disable_env_checker=True)
        """,
        "restless.py",
    )
    events = played(
        script,
        """
        import gymnasium as gym, restless
        env = gym.make("Restless-v0")
        env.reset(seed=1)
        while not env.step(1)[2]:
            pass
        """,
    )
    [episode] = episodes(events)
    assert (episode["steps"], episode["return"]) == (4, 4.0)
    assert "rewards" in episode["trace"], "nobody knows whether it repeats itself"


def test_members_in_other_processes_are_counted_from_outside(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, numpy as np
        if __name__ == "__main__":
            envs = gym.vector.AsyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2)
            envs.reset(seed=1)
            done = 0
            while done < 6:
                _, _, terminated, truncated, _ = envs.step(np.zeros(2, int))
                done += int((terminated | truncated).sum())
            envs.close()
        """,
    )
    told = episodes(events)
    assert len(told) == 6
    assert all(8 <= e["steps"] == e["return"] <= 11 for e in told), (
        "always to the left falls after about nine steps"
    )
    assert not [e for e in told if "trace" in e]
    assert script.warnings().count("but not recorded") == 1
    [config] = [e for e in events if e["type"] == "config"]
    assert (config["env_id"], config["n_envs"], config["seed"]) == ("CartPole-v1", 2, 1)


def test_a_vector_environment_of_its_own_kind_is_counted_from_outside(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, numpy as np
        envs = gym.make_vec("CartPole-v1", num_envs=3)
        assert type(envs).__name__ == "CartPoleVectorEnv"
        envs.reset(seed=1)
        for _ in range(40):
            envs.step(np.zeros(3, int))
        """,
    )
    assert {e["env"] for e in episodes(events)} == {0, 1, 2}
    assert all(8 <= e["steps"] == e["return"] <= 11 for e in episodes(events))
    assert "CartPoleVectorEnv runs its environments outside this process" in script.warnings()


def test_steps_are_counted_as_the_script_counts_them(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym, numpy as np
        class Skip(gym.Wrapper):
            def step(self, action):
                for _ in range(4):
                    result = self.env.step(action)
                    if result[2] or result[3]:
                        break
                return result
        envs = gym.vector.SyncVectorEnv([lambda: Skip(gym.make("CartPole-v1"))] * 2)
        envs.reset(seed=1)
        for _ in range(30):
            envs.step(np.zeros(2, int))
        """,
    )
    told = episodes(events)
    assert told[0]["steps"] > 4
    assert told[0]["timestep"] == 2 * -(-told[0]["steps"] // 4)
    assert told[-1]["timestep"] <= 60


def test_without_recording_episodes_are_told_all_the_same(script: Captured) -> None:
    source = PLAY.format(env_id="CartPole-v1", kwargs={}, episodes=2, more="")
    events = played(script, source, config={"record": False})
    assert len(episodes(events)) == 2
    assert not [e for e in episodes(events) if "trace" in e]


def test_a_replay_of_what_nobody_vouches_for_tells_when_it_parts(script: Captured) -> None:
    events = played(
        script,
        """
        import gymnasium as gym
        env = gym.make("BipedalWalker-v3", max_episode_steps=60)
        env.action_space.seed(1)
        for episode in range(2):
            env.reset(seed=episode)
            for step in range(60):
                if step == 20 and episode:

                    env.unwrapped.hull.linearVelocity = (3.0, 3.0)  # what only this script knows
                if env.step(env.action_space.sample())[2]:
                    break
        """,
    )
    first, second = (Simulation(recording, render=False) for recording in recordings_of(events))
    for simulation in (first, second):
        simulation.advance_to(60)
    assert first.parted_at is None
    assert "note" not in first.describe()
    assert second.parted_at == 21
    assert "since step 21 this is another episode" in second.describe()["note"]
