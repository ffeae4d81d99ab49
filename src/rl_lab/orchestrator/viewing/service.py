"""Frames of runs and environments: live feed, replay, preview, clips, and whether a replay matches its recording."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.environments import Environment
from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import FINAL
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.looking import Looking, require_confined
from rl_lab.orchestrator.viewing.attempts import expected_environment
from rl_lab.orchestrator.viewing.live_feed import FrameFeed, FrameFeeds, ShownEpisode
from rl_lab.orchestrator.viewing.places import place_recording, require_environment
from rl_lab.orchestrator.viewing.recordings import best_recording, newest_recording, read_recording
from rl_lab.orchestrator.viewing.renderers import Renderer, Renderers
from rl_lab.orchestrator.viewing.shown_rewards import ShownRewards
from rl_lab.orchestrator.viewing.worker_drawn_feed import WorkerFrames
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import artifacts, events, runs
from rl_lab.store.files.attempt_folder import Control
from rl_lab.store.files.snapshot_files import find_snapshot

WHOLE_EPISODE_S = 180.0
"""Time limit for re-simulating a whole episode."""


class Viewing:
    def __init__(
        self, context: Context, environments: Environments, control: Callable[[str, Control], None]
    ) -> None:
        """`control` sends a message to the worker of a run."""
        self._home = context.home
        self._db = context.db
        self._changes = context.changes
        self._folders = context.folders
        self._catalogue = environments.catalogue
        self._renderers = Renderers()
        worker_frames = WorkerFrames(context.home, control, self._has_ended, context.bus)
        self._looking = Looking(context)
        self._rewards = ShownRewards(context)
        self.feeds = FrameFeeds(
            self._renderers,
            self._find_shown,
            self._find_environment,
            find_rights=self._looking.find_rights,
            worker_frames=worker_frames,
            bus=context.bus,
        )

    async def open(self) -> None:
        """Processes are started when somebody looks."""

    async def close(self) -> None:
        await self.feeds.close()
        await self._renderers.close()

    @contextlib.asynccontextmanager
    async def watch(self, run_id: str, fps: float) -> AsyncIterator[FrameFeed]:
        await self._folders.open(run_id)
        async with self.feeds.watch(run_id, fps) as feed:
            yield feed

    @contextlib.asynccontextmanager
    async def replay(self, run_id: str, episode: int, step: int = 0) -> AsyncIterator[Renderer]:
        """A renderer with the episode open; raises when there is no recording of it."""
        rights = await self._looking.find_rights(run_id)
        recording = await self._recording(run_id, episode)
        mismatch = await self.version_mismatch(recording)
        first = {
            "mode": "replay",
            "step": step,
            "recording": builtins(recording),
            "version_mismatch": mismatch,
            "snapshot": await self._snapshot(run_id),
            "reward": await self._rewards.find_shown(run_id),
        }
        async with self._renderer(first, rights) as renderer:
            yield renderer

    @contextlib.asynccontextmanager
    async def replay_recording(self, recording: Recording, step: int = 0) -> AsyncIterator[Renderer]:
        """The same for a recording that belongs to no run."""
        rights = await self._looking.module_rights(recording.env_id, recording.env_kwargs)
        require_confined(rights, recording.env_id)
        mismatch = await self.version_mismatch(recording)
        first = {
            "mode": "replay",
            "step": step,
            "recording": builtins(recording),
            "version_mismatch": mismatch,
        }
        async with self._renderer(first, rights) as renderer:
            yield renderer

    async def steps(self, run_id: str, episode: int) -> dict[str, Any]:
        """Every step of a recorded episode, and whether the re-simulation matches it."""
        rights = await self._looking.find_rights(run_id)
        recording = await self._recording(run_id, episode)
        mismatch = await self.version_mismatch(recording)
        question = {
            "recording": msgspec.to_builtins(recording),
            "version_mismatch": mismatch,
            "snapshot": await self._snapshot(run_id),
            "reward": await self._rewards.find_shown(run_id),
        }
        table: dict[str, Any] = await call_worker(
            "tabulate", question, timeout_s=WHOLE_EPISODE_S, confine=rights
        )
        return table

    @contextlib.asynccontextmanager
    async def preview(
        self,
        env: Environment,
        seed: int = 0,
        env_kwargs: Mapping[str, Any] | None = None,
        *,
        mode: str = "preview",
        reads: Iterable[str] = (),
    ) -> AsyncIterator[Renderer]:
        """A random agent; on a stage (mode `stage`) models may take over. `reads`: what it may read if confined."""
        rights = await self._looking.module_rights(env.id, env_kwargs, reads)
        first = {"mode": mode, "env_id": env.id, "env_kwargs": dict(env_kwargs or {}), "seed": seed}
        async with self._renderer(first, rights) as renderer:
            yield renderer

    async def _snapshot(self, run_id: str) -> dict[str, Any] | None:
        """What the run was made with, to explain a replay that differs."""
        found = await asyncio.to_thread(find_snapshot, self._folders.find(run_id))
        return found.model_dump(mode="json") if found else None

    async def version_mismatch(self, recording: Recording) -> str | None:
        """Why a replay may differ from the recording: another version of the environment is installed.

        NotReady when the environment is not installed at all.
        """
        if recording.place is not None:
            return None  # the Python that recorded it plays it
        entry = await self._catalogue.environment(recording.env_id)
        require_environment(recording.env_id, entry)
        assert entry is not None
        if recording.env_version and entry.package != recording.env_version:
            return (
                f"It was recorded with {recording.env_version}; {entry.package} is installed now, "
                "so the replay may differ from the recording."
            )
        return None

    async def create_clip(self, run_id: str, seconds: float) -> Artifact:
        """The last seconds of the live feed, kept as a file of the run."""
        await self._db.read(lambda conn: runs.get(conn, run_id))
        clip = await self.make_clip(run_id, seconds)

        def work(conn: Connection) -> Artifact:
            events.append(
                conn, run_id, event_log.CLIP_SAVED, f"{clip.title} saved.", data={"path": clip.path}
            )
            return artifacts.upsert(conn, clip)

        saved = await self._db.write(work)
        self._changes.events_written()
        return saved

    async def make_clip(self, run_id: str, seconds: float) -> Artifact:
        """The last seconds of the live feed as an MP4; NotReady when it had no viewer."""
        frames = self.feeds.recent(run_id, seconds)
        if len(frames) < 2:
            raise NotReady(
                "The feed of this run has drawn no frames in this time.",
                next_step="Watch the run, then record.",
            )
        folder = await self._folders.open(run_id)
        path = f"clips/clip_{time.strftime('%Y%m%d-%H%M%S')}_{time.monotonic_ns() % 1000:03d}.mp4"
        question = {
            "fps": round(max(1.0, min(60.0, len(frames) / seconds)), 2),
            "frames": [base64.b64encode(frame).decode() for frame in frames],
        }
        rights = await self._looking.find_rights(run_id)
        with folder.creating(path) as output:
            made = await call_worker("make_clip", question, confine=rights, output=output)
        return Artifact(
            id=artifacts.artifact_id(run_id, path),
            run_id=run_id,
            path=path,
            kind="clip",
            title=f"Clip of {made['frames']} frames",
            size=made["size"],
            media_type="video/mp4",
            created_at=datetime.now(UTC),
        )

    @contextlib.asynccontextmanager
    async def _renderer(self, first: dict[str, Any], confine: Confinement | None) -> AsyncIterator[Renderer]:
        renderer = await self._renderers.start(first, confine)
        try:
            yield renderer
        finally:
            await renderer.close()

    async def _recording(self, run_id: str, episode: int) -> Recording:
        await self._folders.open(run_id)
        return await self._place(await asyncio.to_thread(read_recording, self._home, run_id, episode))

    async def _place(self, recording: Recording) -> Recording:
        rights = await self._looking.find_rights(recording.run_id)
        require_confined(rights, recording.env_id)
        placed = await place_recording(recording, self._catalogue, self._home)
        require_confined(rights, placed.env_id, is_remote=placed.place is not None)
        return placed

    async def _find_shown(self, run_id: str) -> ShownEpisode | None:
        """The newest episode of a run that works, the best one of a run that has ended."""
        await self._folders.open(run_id)
        loops = await self._has_ended(run_id)
        find = best_recording if loops else newest_recording
        found = await asyncio.to_thread(find, self._home, run_id)
        return None if found is None else ShownEpisode(await self._place(found), loops)

    async def _find_environment(self, run_id: str) -> dict[str, Any]:
        folder = await self._folders.open(run_id)
        return await asyncio.to_thread(expected_environment, folder.path)

    async def _has_ended(self, run_id: str) -> bool:
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        return run.status in FINAL


def builtins(recording: Recording) -> dict[str, Any]:
    """For msgpack: bytes stay bytes."""
    plain: dict[str, Any] = msgspec.to_builtins(recording, builtin_types=(bytes,))
    return plain
