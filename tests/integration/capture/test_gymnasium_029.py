"""Scripts written for Gymnasium 0.29, unmodified on 1.x: every number as on 0.29.1, every episode comes back.

Both sides are computed in the same test: processors do not agree on the last digits of what torch computes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.captured import SCRIPTS, Captured, captured
from support.old_gymnasium import VERSION, environment_with_old_gymnasium
from support.recordings import assert_comes_back, recordings_of
from support.waiting import DEADLINE_S

FOLDER = SCRIPTS / "gymnasium_029"
STEADY = {"OMP_NUM_THREADS": "1", "MKL_CBWR": "COMPATIBLE"}
"""With these, the same program gives the same numbers again on the same machine."""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def run(script: Captured, name: str, **params: Any) -> list[dict[str, Any]]:
    script.start(str(FOLDER / f"{name}.py"), env={**os.environ, **STEADY}, params=params)
    assert script.finish()["outcome"] == "succeeded", script.attempt.log()
    return script.attempt.events()


def logged(events: list[dict[str, Any]]) -> list[list[Any]]:
    """Under the script's own names, in their order."""
    return [
        [name, event["step"], value]
        for event in events
        if event["type"] == "metric"
        for name, value in event["values"].items()
        if "/" in name and name != "charts/SPS"
    ]


def logged_on_0_29(folder: Path, name: str) -> list[list[Any]]:
    """What the script logs here and now on Gymnasium 0.29.1, without the lab."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "log_bare.py"), str(FOLDER / f"{name}.py")],
        env=environment_with_old_gymnasium(**STEADY),
        cwd=folder,
        stdout=subprocess.PIPE,
        timeout=DEADLINE_S,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["gymnasium"] == VERSION
    numbers: list[list[Any]] = told["logged"]
    return numbers


@pytest.mark.parametrize("name", ["ppo_discrete", "ppo_continuous"])
def test_every_number_is_the_one_of_0_29_and_every_episode_comes_back(
    script: Captured, name: str, tmp_path: Path
) -> None:
    expected = logged_on_0_29(tmp_path, name)
    events = run(script, name)
    assert logged(events) == expected
    assert "written for Gymnasium 0.29" in script.warnings()
    recordings = recordings_of(events)
    returns = [value for tag, _, value in expected if tag == "charts/episodic_return"]
    lengths = [value for tag, _, value in expected if tag == "charts/episodic_length"]
    # Episodes that end in the same step are told in another order by the script and by its environments.
    assert sorted(np.float32(r.returned or 0.0) for r in recordings) == pytest.approx(
        sorted(returns), rel=1e-6
    )
    assert sorted(r.count for r in recordings) == sorted(lengths)
    steps = [step for tag, step, _ in expected if tag == "charts/episodic_length"]
    assert [e["timestep"] for e in events if e["type"] == "episode"] == steps
    assert any(r.generator for r in recordings)
    for recording in recordings:
        assert_comes_back(recording)


def test_without_the_layer_such_a_script_hears_of_no_episode(script: Captured) -> None:
    events = run(script, "ppo_discrete", gymnasium_029="off")
    assert not [entry for entry in logged(events) if entry[0] == "charts/episodic_return"]
    assert [e for e in events if e["type"] == "episode"], "the lab sees them all the same"
    assert "0.29" not in script.warnings()


@pytest.mark.parametrize(
    "text",
    ["infos.get('final_obs')", "SyncVectorEnv(autoreset_mode='SameStep'), infos['final_info']", "pass"],
)
def test_a_script_for_1_x_is_left_alone(script: Captured, text: str) -> None:
    finished = script.run(
        f"""
        # {text}
        import gymnasium as gym
        envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2)
        assert "autoreset_mode" in envs.metadata and envs.metadata["autoreset_mode"].name == "NEXT_STEP"
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()


def test_old_names_and_shapes_are_there(script: Captured) -> None:
    finished = script.run(
        """
        import gymnasium as gym, numpy as np
        from gymnasium.wrappers.record_episode_statistics import RecordEpisodeStatistics
        from gymnasium.wrappers.normalize import RunningMeanStd
        from gymnasium.wrappers import AutoResetWrapper, FrameStack, GrayScaleObservation, ResizeObservation

        envs = gym.vector.SyncVectorEnv([lambda: RecordEpisodeStatistics(gym.make("CartPole-v1"))] * 3)
        assert envs.is_vector_env
        envs.reset(seed=1)
        while True:
            _, _, terminated, truncated, infos = envs.step(np.zeros(3, int))
            if "final_info" in infos:
                break
        done = terminated | truncated
        assert infos["final_info"].dtype == object and (infos["_final_info"] == done).all()
        for ended, info, seen in zip(done, infos["final_info"], infos["final_observation"]):
            assert (info is not None) == ended and (seen is not None) == ended
            if ended:
                assert info["episode"]["r"].shape == info["episode"]["l"].shape == (1,)
                assert info["episode"]["r"].dtype == np.float32
        stack = FrameStack(gym.make("CartPole-v1"), 4)
        assert stack.reset(seed=0)[0].shape == (4, 4) and stack.num_stack == 4
        assert stack.theta_threshold_radians > 0, "what a wrapper lacks its environment has"
        assert stack.reward_range == (-float("inf"), float("inf"))
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()


def test_members_in_other_processes_end_as_in_0_29(script: Captured) -> None:
    finished = script.run(
        """
        import gymnasium as gym, numpy as np
        def make():
            return gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))
        if __name__ == "__main__":
            envs = gym.vector.AsyncVectorEnv([make] * 2)
            envs.reset(seed=1)
            lengths = []
            for _ in range(40):
                _, _, terminated, truncated, infos = envs.step(np.zeros(2, int))
                for info in infos.get("final_info", ()):
                    if info is not None:
                        lengths.append(int(info["episode"]["l"][0]))
            assert len(lengths) >= 6 and sum(lengths) <= 80
            envs.close()
            print(lengths)
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    told = json.loads(script.attempt.log().splitlines()[-1])
    assert [e["steps"] for e in script.attempt.events("episode")] == told
