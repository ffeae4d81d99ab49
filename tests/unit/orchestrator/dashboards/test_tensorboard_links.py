"""Names that TensorBoard shows are the runs' own, made harmless."""

from __future__ import annotations

from datetime import UTC, datetime

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.dashboards.tensorboard_links import labels

NOW = datetime.now(UTC)
CONFIG = TrainConfig(env_id="CartPole-v1", algorithm="ppo", runner="sb3", total_timesteps=1, seed=0)


def _run(run_id: str, name: str) -> Run:
    return Run(id=run_id, name=name, config=CONFIG, created_at=NOW, updated_at=NOW)


def test_a_name_becomes_one_plain_folder() -> None:
    found = labels([_run("a", "../../etc/passwd"), _run("b", "…"), _run("c", "PPO on Ünïcode, lr=3e-4\n")])
    assert found["a"] == "_.._etc_passwd" and "/" not in "".join(found.values())
    assert found["b"] == "_" and found["c"] == "PPO on Ünïcode, lr=3e-4_"


def test_two_runs_of_one_name_are_told_apart_by_their_ids() -> None:
    runs = [_run("aaa", "PPO"), _run("bbb", "ppo"), _run("ccc", "DQN")]
    assert labels(runs) == {"aaa": "PPO (aaa)", "bbb": "ppo (bbb)", "ccc": "DQN"}
