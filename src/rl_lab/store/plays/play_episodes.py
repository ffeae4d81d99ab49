"""Finished episodes of plays, one row each however often it is written."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, func, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.plays.players import Player
from rl_lab.core.plays.scores import Candidate, HighScore
from rl_lab.store.sql.tables import play_episodes, run_documents, runs
from rl_lab.store.sql.upserts import insert_or_update

CANDIDATES = 500
"""Plays whose configurations are read, those with the best returns."""


class PlayEpisode(NamedTuple):
    run_id: str
    episode: int
    env_id: str
    player: Player
    seed: int | None
    returned: float
    length: int
    at: datetime


def find_env_id(conn: Connection, run_id: str) -> str | None:
    """The environment of a play; None for any other run."""
    query = select(runs.c.env_id).where(runs.c.id == run_id, runs.c.kind == RunKind.play)
    return conn.execute(query).scalar()


def put(conn: Connection, one: PlayEpisode) -> None:
    row = {**one._asdict(), "return": one.returned}
    del row["returned"]
    changed = [name for name in row if name not in ("run_id", "episode")]
    insert_or_update(conn, play_episodes, row, unique=("run_id", "episode"), update=changed)


def list_of_run(conn: Connection, run_id: str) -> list[PlayEpisode]:
    """In the order in which they were played."""
    c = play_episodes.c
    query = select(*c).where(c.run_id == run_id).order_by(c.episode)
    return [
        PlayEpisode(
            **{**{name: value for name, value in row.items() if name != "return"}, "returned": row["return"]}
        )
        for row in conn.execute(query).mappings()
    ]


def list_best(conn: Connection, env_id: str, player: Player) -> list[Candidate]:
    """The best episode of each play, best first; of equals the older one. Those of deleted runs do not count."""
    c = play_episodes.c
    place = func.row_number().over(partition_by=c.run_id, order_by=[c["return"].desc(), c.at, c.episode])
    best = select(*c, place.label("place")).where(c.env_id == env_id, c.player == player).subquery()
    query = (
        select(best, runs.c.name, run_documents.c.config)
        .join(runs, runs.c.id == best.c.run_id)
        .join(run_documents, run_documents.c.run_id == best.c.run_id)
        .where(best.c.place == 1, runs.c.deleted_at.is_(None))
        .order_by(best.c["return"].desc(), best.c.at, best.c.run_id)
        .limit(CANDIDATES)
    )
    return [_candidate(row) for row in conn.execute(query).mappings()]


def _candidate(row: RowMapping) -> Candidate:
    score = HighScore(
        player=row["player"],
        label=row["name"],
        run_id=row["run_id"],
        episode=row["episode"],
        returned=row["return"],
        length=row["length"],
        seed=row["seed"],
        at=row["at"],
    )
    return Candidate(score, row["run_id"], row["config"].get("env_kwargs") or {})
