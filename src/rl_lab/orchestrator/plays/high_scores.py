"""High scores of an environment: people, people and policies in turn, and policies, best first."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.plays.scores import HighScore
from rl_lab.store.plays import play_episodes, policy_scores


def list_high_scores(conn: Connection, env_id: str, limit: int) -> list[HighScore]:
    found = play_episodes.list_best(conn, env_id, ("person", "hybrid", "policy"), limit)
    found += policy_scores.list_best(conn, env_id, limit)
    return sorted(found, key=lambda score: (-score.returned, score.at, score.run_id))[:limit]
