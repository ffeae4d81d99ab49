"""What the lab relies on in every runner that can learn from a user's reward, asked of worker processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from contract.test_runner_contract import CASES, TINY, Case, name_of
from contract.worker_process import WorkerProcess, worker
from support.offline_data import write_played
from support.own_rewards import IDENTITY, NEGATED, STATEFUL, reward_input
from support.waiting import wait_until

from rl_lab.core.protocol import events
from rl_lab.runners.registry import load_runner
from rl_lab.worker.repeating.weight_digests import weights_digest

NORMALISED: dict[str, Any] = {"n_envs": 2, "normalize_reward": True, "normalize_observations": True}
LEARNERS = [
    *(case for case in CASES if case.can.own_reward),
    # Episodes that are cut off: the library adds the value of their last state to the reward.
    Case("sb3", "ppo", "Pendulum-v1", 600, {**NORMALISED, "n_steps": 64, "batch_size": 32, "n_epochs": 2}),
    Case("sb3", "dqn", "CartPole-v1", 600, {**TINY, **NORMALISED}),
    # The replay buffer is full after 200 steps: the newest steps take the places of the oldest.
    Case("sb3", "dqn", "CartPole-v1", 600, {**TINY, "buffer_size": 200}),
]
IN_ENVIRONMENTS = [case for case in LEARNERS if case.has_episodes]
by_learner = pytest.mark.parametrize("case", LEARNERS, ids=name_of)
MODULE = "rl_lab.worker.user_code.process"
CARTPOLE: dict[str, Any] = {
    "id": "CartPole-v1",
    "name": "Cart Pole",
    "family": "classic control",
    "package": "gymnasium",
    "action_space_type": "discrete",
    "action_space": "DISCRETE(2)",
    "obs_space_type": "box",
    "obs_space": "BOX(4)",
    "obs_space_dims": [4],
    "reward_threshold": 475.0,
}
PPO = next(case for case in CASES if name_of(case) == "turbo-ppo")
SB3 = next(case for case in CASES if name_of(case) == "sb3-ppo")


def train(
    case: Case, folder: Path, source: str | None, job: dict[str, Any] | None = None, **changes: Any
) -> tuple[int, WorkerProcess]:
    """A whole training with this reward, with its exit code; its model is in the folder."""
    inputs = {"reward": reward_input(source)} if source else {}
    chosen = {"reward": {"name": "mine", "version": 1}} if source else {}
    config = case.config(**{**chosen, **changes})
    with worker(folder, config, is_forked=True, inputs=inputs, **(job or case.job(folder))) as process:
        return process.wait_for_end(), process


def weights(case: Case, folder: Path) -> str:
    import torch  # noqa: F401  the digest of an archive needs it

    found = weights_digest(folder / f"model{load_runner(case.runner).spec.checkpoint_suffix}")
    assert found is not None
    return found


def own_returns(process: WorkerProcess) -> list[float]:
    return [m.values["own_return"] for m in process.of(events.MetricEvent) if "own_return" in m.values]


@by_learner
def test_the_environments_own_reward_gives_the_same_weights_and_another_one_does_not(
    case: Case, tmp_path: Path
) -> None:
    found = {}
    for name, source in {"none": None, "identity": IDENTITY, "negated": NEGATED}.items():
        code, process = train(case, tmp_path / name, source)
        assert code == 0, process.log()
        found[name] = weights(case, tmp_path / name)
        if source is not None and case in IN_ENVIRONMENTS:
            sign = -1 if source == NEGATED else 1
            returns = [e.return_ for e in process.of(events.EpisodeEvent)]
            assert returns and own_returns(process) == pytest.approx([sign * one for one in returns])
    assert found["identity"] == found["none"]
    # Behaviour cloning imitates actions, whatever they were rewarded with.
    assert (found["negated"] == found["none"]) == (case.algorithm == "bc")


@pytest.mark.parametrize("params", [{"n_envs": 33, "processes": 1}, {"n_envs": 33, "processes": 3}], ids=str)
def test_infos_reach_the_reward_for_any_number_of_processes(params: dict[str, int], tmp_path: Path) -> None:
    """FrozenLake says how probable the last move was."""
    case = Case("turbo", "ppo", "FrozenLake-v1", 4000, {**params, "n_steps": 16})
    source = "def reward_function(obs, info):\n    return {'sure': info['prob'], 'where': obs}"
    code, process = train(case, tmp_path, source)
    assert code == 0, process.log()
    terms = [m.values for m in process.of(events.MetricEvent) if "own_return" in m.values]
    episodes = process.of(events.EpisodeEvent)
    assert len(terms) == len(episodes) > 0
    # One in three moves goes where it was meant to.
    sure = sum(v["own_return/sure"] for v in terms) / sum(e.steps for e in episodes)
    assert sure == pytest.approx(1 / 3, abs=1e-6)
    assert all(v["own_return"] == pytest.approx(v["own_return/sure"] + v["own_return/where"]) for v in terms)


def test_an_own_reward_decides_about_best_and_solved_if_asked(tmp_path: Path) -> None:
    changes = {"judge_by": "reward", "until": "solved", "total_timesteps": 200_000}
    source = "def reward_function(reward):\n    return reward * 100"
    inputs = {"reward": reward_input(source)}
    config = PPO.config(reward={"name": "mine", "version": 1}, **changes)
    with worker(tmp_path, config, is_forked=True, inputs=inputs, env=CARTPOLE) as process:
        assert process.wait_for_end() == 0, process.log()
    end, last = process.sent[-1], process.of(events.CheckpointEvent)[-1]
    assert end.cause == "solved" and last.score == pytest.approx(100 * end.summary["mean_reward"])
    assert end.summary["mean_reward"] < 475
    [said] = [log.message for log in process.of(events.LogEvent) if log.code == "judged_by_reward"]
    assert "475" in said and "mine@v1" in said


FAILING = {
    "an exception": ("    return 1 / (n - 700)", "ZeroDivisionError", 5),
    "nothing": ("    return None if n == 700 else 1.0", "None", None),
    "no number": ("    return float('nan') if n == 700 else 1.0", "nan", None),
}


SMALL = {"n_envs": 4, "n_steps": 32, "batch_size": 64}
FAILING_LEARNERS = [SB3, Case("turbo", "ppo", "CartPole-v1", 4000, SMALL)]


def fails_at(call: int, line: str = "    return 1 / (n - {})") -> str:
    return f"n = 0\ndef reward_function(reward):\n    global n\n    n += 1\n{line.format(call)}\n"


def require_kept_checkpoint(process: WorkerProcess, folder: Path) -> None:
    checkpoints = process.of(events.CheckpointEvent)
    assert checkpoints and all((folder / c.path).is_file() for c in checkpoints)


@pytest.mark.parametrize("case", FAILING_LEARNERS, ids=name_of)
@pytest.mark.parametrize("how", FAILING)
def test_a_reward_that_fails_ends_the_run_with_line_step_observation_and_action(
    how: str, case: Case, tmp_path: Path
) -> None:
    line, reason, number = FAILING[how]
    code, process = train(case, tmp_path, fails_at(700, line), total_timesteps=4000, checkpoint_every=256)
    end = process.sent[-1]
    assert code == 1
    assert (end.outcome, end.cause) == ("failed", "code-failed")
    assert reason in end.message and "mine@v1" in end.message
    assert number is None or f"line {number}" in end.message
    assert "at training step 700, with observation [" in end.message and "and action" in end.message
    require_kept_checkpoint(process, tmp_path)


DATASET_STEPS = 720
"""Six episodes of 120 steps, which are scored when they are loaded."""


def test_an_offline_learner_that_fails_after_its_dataset_keeps_its_checkpoint(tmp_path: Path) -> None:
    case = next(case for case in CASES if name_of(case) == "offline-iql")
    code, process = train(case, tmp_path, fails_at(DATASET_STEPS + 300), checkpoint_every=20)
    end = process.sent[-1]
    assert (code, end.cause) == (1, "code-failed")
    assert "line 5" in end.message and "ZeroDivisionError" in end.message
    assert "at training step " in end.message and "with observation [" in end.message
    require_kept_checkpoint(process, tmp_path)


def test_a_reward_that_fails_on_a_dataset_names_its_step(tmp_path: Path) -> None:
    case = next(case for case in CASES if name_of(case) == "offline-bc")
    _, process = train(case, tmp_path, fails_at(300))
    end = process.sent[-1]
    assert end.cause == "code-failed" and "line 5" in end.message
    assert "at step 300 of the dataset, with observation [" in end.message


def test_a_killed_reward_ends_the_run_too(tmp_path: Path) -> None:
    source = (
        "import os\nn = 0\ndef reward_function(reward):\n    global n\n    n += 1\n"
        "    if n == 700:\n        os.kill(os.getpid(), 9)\n    return reward\n"
    )
    _, process = train(PPO, tmp_path, source)
    assert process.sent[-1].cause == "code-failed" and "ended its own process" in process.sent[-1].message


def test_a_killed_worker_leaves_no_process_of_its_reward_behind(tmp_path: Path) -> None:
    inputs = {"reward": reward_input(STATEFUL)}
    config = PPO.config(total_timesteps=10**8, reward={"name": "mine", "version": 1})
    with worker(tmp_path, config, inputs=inputs) as process:
        process.wait_for(events.EpisodeEvent)
        started = psutil.Process(process._process.pid)
        rewards = [one for one in started.children(recursive=True) if MODULE in one.cmdline()]
        assert rewards
        os.kill(started.pid, signal.SIGKILL)
        process.wait_for_end()
    wait_until(lambda: not any(one.is_running() for one in rewards), "the end of the process of the reward")


def test_a_replay_buffer_that_begins_with_a_dataset_has_its_steps_scored(tmp_path: Path) -> None:
    case = next(case for case in CASES if name_of(case) == "sb3-dqn")
    dataset = {"dataset_dir": str(write_played(tmp_path / "dataset", case.env_id))}
    found = {}
    for name, source in {"none": None, "identity": IDENTITY, "negated": NEGATED}.items():
        code, process = train(case, tmp_path / name, source, job=dataset, total_timesteps=200)
        assert code == 0, process.log()
        found[name] = weights(case, tmp_path / name)
    assert found["identity"] == found["none"] != found["negated"]
    [said] = [log.message for log in process.of(events.LogEvent) if log.code == "dataset_scored"]
    assert "were replaced by those of “mine@v1”. Mean return of its episodes: −" in said
