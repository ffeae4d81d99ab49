"""High scores of an environment: people, people and policies in turn, and policies, best first."""

from __future__ import annotations

import math
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.errors import LabError
from rl_lab.core.plays.scores import HighScore
from rl_lab.store.plays import play_episodes, policy_scores
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader


def list_high_scores(conn: Connection, env_id: str, limit: int) -> list[HighScore]:
    found = play_episodes.list_best(conn, env_id, ("person", "hybrid", "policy"), limit)
    found += policy_scores.list_best(conn, env_id, limit)
    return sorted(found, key=lambda score: (-score.returned, score.at, score.run_id))[:limit]


def name_episode(score: HighScore, telemetry: Path) -> HighScore:
    """With the episode that a run's best return is from, a recorded one if there is one; blocks.

    As it is where the run is packed or has not kept its episodes.
    """
    if score.episode is not None or not telemetry.exists():
        return score
    best = score.returned - 1e-9 * max(1.0, abs(score.returned))
    try:
        with TelemetryReader(telemetry, score.run_id) as reader:
            for recorded in (True, None):
                wanted = EpisodeFilter(role="all", min_reward=best, recorded=recorded)
                for row in reader.episodes(wanted, "-reward", 1, None).items:
                    if row.reward is not None and math.isclose(row.reward, score.returned):
                        found = {"episode": row.episode, "seed": row.seed, "length": row.length, "at": row.at}
                        return score.model_copy(update=found)
    except (LabError, OSError):
        return score
    return score
