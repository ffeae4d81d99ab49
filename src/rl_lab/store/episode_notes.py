"""What users wrote about single episodes."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select

from rl_lab.store.sql.tables import episode_notes


def list_of(conn: Connection, run_id: str) -> dict[int, str]:
    """The notes on a run's episodes, by their numbers."""
    query = select(episode_notes.c.episode, episode_notes.c.text).where(episode_notes.c.run_id == run_id)
    return {row.episode: row.text for row in conn.execute(query.order_by(episode_notes.c.episode))}


def put(conn: Connection, run_id: str, episode: int, text: str) -> None:
    """Replaces the note on an episode; an empty text removes it."""
    same = (episode_notes.c.run_id == run_id) & (episode_notes.c.episode == episode)
    conn.execute(delete(episode_notes).where(same))
    if text:
        row = {"run_id": run_id, "episode": episode, "text": text, "updated_at": datetime.now(UTC)}
        conn.execute(insert(episode_notes), row)
