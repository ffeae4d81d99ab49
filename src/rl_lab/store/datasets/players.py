"""Who played the episodes of plays: a person, a person and a policy in turn, or a policy."""

from __future__ import annotations

from sqlalchemy import Connection, select

from rl_lab.store.sql.tables import play_episodes


def list_played(conn: Connection) -> dict[str, dict[int, str]]:
    """The player of each episode, by the id of its play."""
    found: dict[str, dict[int, str]] = {}
    columns = (play_episodes.c.run_id, play_episodes.c.episode, play_episodes.c.player)
    for run_id, episode, player in conn.execute(select(*columns)):
        found.setdefault(run_id, {})[episode] = player
    return found
