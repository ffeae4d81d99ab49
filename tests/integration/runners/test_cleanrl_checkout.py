"""The real scripts, unmodified, when RL_LAB_CLEANRL names a checkout; without one there is nothing to collect."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.cleanrl import assert_replays, episodes_of, finished, metrics_of, wanted
from support.server import serve

ROOT = os.environ.get("RL_LAB_CLEANRL", "")
SHORT = {"num_steps": 256, "num_minibatches": 4, "update_epochs": 2}

if ROOT:

    @pytest.mark.timeout(300)
    @pytest.mark.parametrize(
        ("algorithm", "env_id", "timesteps", "params"),
        [
            ("ppo", "CartPole-v1", 2048, {}),
            ("dqn", "CartPole-v1", 1500, {"learning_starts": 500}),
            ("c51", "CartPole-v1", 1500, {"learning_starts": 500}),
            ("pqn", "CartPole-v1", 2048, {}),
            ("ppo_continuous_action", "Pendulum-v1", 1024, SHORT),
            ("rpo_continuous_action", "Pendulum-v1", 1024, SHORT),
            ("sac_continuous_action", "Pendulum-v1", 700, {"learning_starts": 300}),
            ("td3_continuous_action", "Pendulum-v1", 700, {"learning_starts": 300}),
            ("ddpg_continuous_action", "Pendulum-v1", 700, {"learning_starts": 300}),
        ],
    )
    def test_the_real_scripts_run_as_they_are(
        algorithm: str, env_id: str, timesteps: int, params: dict[str, Any], home: Path
    ) -> None:
        with serve(home, RL_LAB_CLEANRL=ROOT) as server:
            run = finished(server, wanted(algorithm, env_id=env_id, total_timesteps=timesteps, params=params))
            rows = [row for row in episodes_of(server, run) if row["recorded"]]
            assert len(rows) >= 3
            assert_replays(server, run, rows[-1])
            assert any(name.startswith("losses/") or name == "value_loss" for name in metrics_of(server, run))
