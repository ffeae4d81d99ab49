"""Past runs from which the speed of a configuration on this machine is measured."""

from __future__ import annotations

from sqlalchemy import Connection, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.lengths.speeds import PastRun
from rl_lab.core.runs import RunStatus
from rl_lab.store.sql.tables import runs

RECENT = 20


def past_runs(
    conn: Connection, runner: str, algorithm: str, env_id: str, *, own_reward: bool = True
) -> list[PastRun]:
    """The newest complete ones; an adopted run was trained on another machine, perhaps.

    `own_reward`: also those that learned from a reward of the user's, which takes time.
    """
    query = (
        select(runs.c.timestep, runs.c.elapsed_s, runs.c.episodes)
        .where(
            runs.c.kind == RunKind.train,
            runs.c.runner == runner,
            runs.c.algorithm == algorithm,
            runs.c.env_id == env_id,
            runs.c.status == RunStatus.succeeded,
            runs.c.source.is_(None),
            runs.c.deleted_at.is_(None),
            *([] if own_reward else [runs.c.reward.is_(None)]),
        )
        .order_by(runs.c.created_at.desc())
        .limit(RECENT)
    )
    return [PastRun(row.timestep, row.elapsed_s or 0.0, row.episodes or 0) for row in conn.execute(query)]
