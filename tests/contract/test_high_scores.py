"""High scores of policies name the episode that can be replayed, where the run has kept it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from support.traces import finished

from rl_lab.core.plays.scores import HighScore
from rl_lab.orchestrator.plays.high_scores import name_episode
from rl_lab.store.telemetry import Batch, NewEpisode, Position, TelemetryDb

CONTEXT = {"env_id": "CartPole-v1", "action": {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}}


def score(returned: float) -> HighScore:
    return HighScore(player="policy", label="PPO", run_id="r", returned=returned, at=datetime.now(UTC))


def test_the_best_return_of_a_run_names_its_recorded_episode(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.db"
    db = TelemetryDb(path)
    rewards = [10.0, 30.0, 30.0, 20.0]
    db.apply(
        Batch(
            Position(1, 1, 1),
            episodes=[
                NewEpisode(e, 0.0, seed=100 + e, reward=reward, length=10) for e, reward in enumerate(rewards)
            ],
            recordings=[finished(1, 0, 101, 10, bytes(10))],
            context=CONTEXT,
        )
    )
    db.close()
    found = name_episode(score(30.0), path)
    assert (found.episode, found.seed, found.length) == (1, 101, 10), "2 is newer, but not recorded"
    assert name_episode(score(20.0), path).episode is None, "the summary and the episodes do not agree"
    packed = score(30.0)
    assert name_episode(packed, tmp_path / "packed.db") == packed
