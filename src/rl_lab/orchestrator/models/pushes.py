"""Pushes: a checkpoint goes to the Hugging Face Hub as a package, with a video of it playing."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path
from typing import BinaryIO

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError
from rl_lab.core.event_log import JOB_EVENTS
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.models.packages import PackageChoices
from rl_lab.core.models.transfers import NewPush, Transfer
from rl_lab.core.run_events import RunEvent
from rl_lab.orchestrator.bus import events_topic
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.models.hub_process import run_hub
from rl_lab.orchestrator.models.packages import Packages
from rl_lab.orchestrator.models.transfers import OpenTransfer, Transfers, new_transfer
from rl_lab.store import artifacts, events

EPISODES = 10
"""Of the evaluation that makes a missing video: enough for an interval."""


class Pushes:
    def __init__(self, context: Context, jobs: Jobs, packages: Packages, transfers: Transfers) -> None:
        self._db = context.db
        self._bus = context.bus
        self._jobs = jobs
        self._packages = packages
        self._transfers = transfers

    async def start(self, wanted: NewPush) -> Transfer:
        """Returns at once; a checkpoint that cannot be packaged raises."""
        await self._packages.order(wanted.checkpoint, PackageChoices())
        record = new_transfer("push", wanted.repo, checkpoint=wanted.checkpoint)
        return self._transfers.start(record, partial(self._push, wanted))

    async def _push(self, wanted: NewPush, opened: OpenTransfer, folder: Path) -> None:
        if wanted.video:
            await self._require_video(wanted.checkpoint, opened)
        opened.change(state="packaging", message="Packaging the model")
        choices = PackageChoices(licence=wanted.licence, author=wanted.author, video=wanted.video)
        name, file = await self._packages.make(wanted.checkpoint, choices)
        package = folder / "package.zip"
        with file:
            await asyncio.to_thread(_save, file, package)
        opened.change(state="transferring")
        given = {
            "action": "push",
            "zip": str(package),
            "repo": wanted.repo,
            "private": wanted.private,
            "message": wanted.message or f"{name.removesuffix('.zip')} from RL Lab",
        }
        await run_hub(given, opened.apply)

    async def _require_video(self, checkpoint_id: str, opened: OpenTransfer) -> None:
        """Plays and films the checkpoint if no evaluation of it has a video yet."""
        checkpoint = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        if await self._packages.find_video(checkpoint) is not None:
            return
        await run_hub({"action": "check_token"}, opened.apply)  # before minutes of playing, not after
        opened.change(state="evaluating", message="Evaluating the model, for its result and a video")
        opened.note(
            f"No evaluation of this checkpoint had a video, so one of {EPISODES} episodes was started."
        )
        try:
            await self._evaluate(checkpoint)
        except LabError as error:
            opened.note(f"Without a video: {error.detail}")
            return
        if await self._packages.find_video(checkpoint) is None:
            opened.note("Without a video: the evaluation made none. Its run says why.")

    async def _evaluate(self, checkpoint: Artifact) -> None:
        """Until its video is among the files of the training, which is after its end."""
        run_id, last = checkpoint.run_id, JOB_EVENTS[RunKind.evaluate]
        with self._bus.subscribe([events_topic(run_id)]) as changes:
            config = EvaluateConfig(run_id=run_id, checkpoint=checkpoint.id, episodes=EPISODES)
            job = await self._jobs.start(config)
            while not any(
                one.data.get("run_id") == job.id and one.type in (last.complete.name, last.ended.name)
                for one in await self._newest_events(run_id)
            ):
                await changes.take()

    async def _newest_events(self, run_id: str) -> list[RunEvent]:
        return await self._db.read(lambda conn: events.list_page(conn, run_id, limit=100))


def _save(source: BinaryIO, target: Path) -> None:
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)
