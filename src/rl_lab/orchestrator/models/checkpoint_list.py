"""The checkpoints of all runs, as a list and one by one, and the lineage of their runs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from sqlalchemy import Connection

from rl_lab.core.errors import NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.checkpoints import (
    CheckpointChoices,
    CheckpointDetail,
    CheckpointItem,
    CheckpointPage,
    Origin,
)
from rl_lab.core.models.lineage import Lineage
from rl_lab.core.reproduction.origins import PackOrigin
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.runners.registry import RUNNERS, load_runner, spec_of
from rl_lab.store import artifacts, runs
from rl_lab.store.models import checkpoint_pages, lineage
from rl_lab.store.models.checkpoint_pages import CheckpointFilter
from rl_lab.store.sql.cursors import Sort


class CheckpointList:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def find_page(
        self, wanted: CheckpointFilter, sort: Sort, *, limit: int, cursor: str | None
    ) -> CheckpointPage:
        if wanted.acts_live:
            wanted = replace(wanted, runners=[runner for runner in RUNNERS if acts_live(runner)])

        def work(conn: Connection) -> CheckpointPage:
            found = checkpoint_pages.find_page(conn, wanted, sort, limit, cursor)
            items = [as_playable(item) for item in found.items]
            return CheckpointPage(items=items, next_cursor=found.next_cursor, total=found.total)

        return await self._db.read(work)

    async def find_choices(self) -> CheckpointChoices:
        return await self._db.read(checkpoint_pages.find_choices)

    async def get(self, checkpoint_id: str) -> CheckpointDetail:
        return await self._db.read(lambda conn: read_detail(conn, checkpoint_id))

    async def find_lineage(self, run_id: str) -> Lineage:
        def work(conn: Connection) -> Lineage:
            runs.get(conn, run_id)  # raises for one that is not there
            return lineage.find(conn, run_id)

        return await self._db.read(work)


def as_playable(item: CheckpointItem) -> CheckpointItem:
    """With `is_playable` and `acts_live` as its runner declares it."""
    playable = item.is_playable and can_play(item.runner)
    live = item.acts_live and playable and acts_live(item.runner)
    if (playable, live) == (item.is_playable, item.acts_live):
        return item
    return item.model_copy(update={"is_playable": playable, "acts_live": live})


@cache
def can_play(runner: str) -> bool:
    known = load_runner(runner).spec.capabilities if runner in RUNNERS else None
    return known is not None and (known.evaluate or known.own_classes)


@cache
def acts_live(runner: str) -> bool:
    """Scripts act in a Python of their own, which a play cannot start once it has begun."""
    return can_play(runner) and not load_runner(runner).spec.capabilities.foreign


def read_item(conn: Connection, checkpoint_id: str) -> CheckpointItem:
    found = checkpoint_pages.list_items(conn, [checkpoint_id])
    if not found:
        artifact = artifacts.get(conn, checkpoint_id) if artifacts.exists(conn, checkpoint_id) else None
        if artifact is not None and artifact.kind == "checkpoint":
            runs.get(conn, artifact.run_id)  # raises Gone: its run is deleted
        what = "is not a checkpoint" if artifact is not None else "does not exist, or was pruned or deleted"
        raise NotFound(
            f"The checkpoint “{checkpoint_id}” {what}.",
            next_step="`rl-lab models --checkpoints` lists those that there are.",
        )
    return as_playable(found[0])


def read_detail(conn: Connection, checkpoint_id: str) -> CheckpointDetail:
    item = read_item(conn, checkpoint_id)
    run, artifact = runs.get(conn, item.run_id), artifacts.get(conn, checkpoint_id)
    config = run.config if isinstance(run.config, TrainConfig) else None
    origin, detail = _origin_of(run)
    return CheckpointDetail(
        **dict(item),
        title=artifact.title,
        run_created_at=run.created_at,
        seed=config.seed if config else None,
        total_timesteps=config.total_timesteps if config else None,
        preset=config.preset if config else None,
        params=config.params if config else {},
        env_kwargs=config.env_kwargs if config else {},
        start_from=config.start_from if config else None,
        origin=origin,
        origin_detail=detail,
    )


def _origin_of(run: Run) -> tuple[Origin, str | None]:
    if run.source is not None:
        return "adopted", run.source.folder
    if isinstance(run.origin, PackOrigin):
        return "pack", run.origin.pack
    if run.origin is not None:
        return "import", run.origin.repository or run.origin.file
    spec = spec_of(run.config)
    return ("script" if spec is not None and spec.capabilities.foreign else "lab"), None
