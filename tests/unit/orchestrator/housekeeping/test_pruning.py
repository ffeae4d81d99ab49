"""Pruning without a lab: rows, event and files go in an order that a crash cannot break."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from support.contexts import add_run, messages, temporary_context

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import RetentionChange
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping import pruning as pruning_module
from rl_lab.orchestrator.housekeeping.manifests import Manifests
from rl_lab.orchestrator.housekeeping.pruning import Knobs, Pruning
from rl_lab.store import artifacts, removals


async def add_videos(context: Context, run: Run, count: int) -> None:
    """Named 0 to `count` - 1, oldest first."""
    for number in range(count):
        path = f"eval/{number}.mp4"
        context.folders.find(run.id).write_atomic(path, b"film")
        video = Artifact(
            id=artifacts.artifact_id(run.id, path),
            run_id=run.id,
            path=path,
            kind="video",
            title=str(number),
            size=4,
            created_at=run.created_at + timedelta(seconds=number),
        )
        await context.db.write(lambda conn, made=video: artifacts.upsert(conn, made))  # type: ignore[misc]


def files(context: Context, run: Run) -> list[str]:
    return sorted(path.stem for path in context.folders.find(run.id).evaluations.iterdir())


def story(home: Path, test: Callable[[Context, Run, Pruning], Awaitable[None]]) -> None:
    async def run() -> None:
        async with temporary_context(home, evaluation_videos_kept=2) as context:
            added = await add_run(context)
            await add_videos(context, added, 4)
            await test(context, added, Pruning(context, Knobs(context)))

    asyncio.run(run())


def test_the_oldest_files_beyond_the_knobs_go_with_an_event(tmp_path: Path) -> None:
    async def test(context: Context, run: Run, pruning: Pruning) -> None:
        gone = await pruning.prune(run.id)
        assert sorted(a.title for a in gone) == ["0", "1"]
        assert files(context, run) == ["2", "3"]
        assert "2 older videos removed, 2 of 4 kept." in await messages(context, run.id)
        assert await pruning.prune(run.id) == []

    story(tmp_path, test)


def test_the_own_video_of_a_training_is_not_counted(tmp_path: Path) -> None:
    async def test(context: Context, run: Run, pruning: Pruning) -> None:
        own = Artifact(
            id=artifacts.artifact_id(run.id, "video.mp4"),
            run_id=run.id,
            path="video.mp4",
            kind="video",
            created_at=run.created_at,
        )
        await context.db.write(lambda conn: artifacts.upsert(conn, own))
        await pruning.prune(run.id)
        assert "2 older videos removed, 2 of 4 kept." in await messages(context, run.id)
        manifest = await Manifests(context, Knobs(context)).read(run.id)
        videos = manifest.kept["videos"]
        assert (videos.kept, videos.limit, videos.made) == (2, 2, 4)
        assert len(manifest.videos) == 3

    story(tmp_path, test)


def test_videos_in_the_manifest_have_size_and_hash(tmp_path: Path) -> None:
    async def test(context: Context, run: Run, _: Pruning) -> None:
        manifests = Manifests(context, Knobs(context))
        await manifests.write(run.id)
        found = (await manifests.read(run.id)).videos
        assert {(video.size, video.sha256) for video in found} == {(4, hashlib.sha256(b"film").hexdigest())}

    story(tmp_path, test)


def test_files_whose_rows_went_before_a_crash_are_deleted_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(context: Context, run: Run, pruning: Pruning) -> None:
        with monkeypatch.context() as patch, pytest.raises(InterruptedError):
            patch.setattr(pruning_module, "_delete_files", _killed)
            await pruning.prune(run.id)
        assert files(context, run) == ["0", "1", "2", "3"]
        await Pruning(context, Knobs(context)).catch_up()
        assert files(context, run) == ["2", "3"]
        assert await context.db.read(removals.runs_with_pending) == []

    story(tmp_path, test)


def test_changed_knobs_apply_to_every_run(tmp_path: Path) -> None:
    async def test(context: Context, run: Run, _: Pruning) -> None:
        knobs = Knobs(context)
        pruning = Pruning(context, knobs)
        await pruning.tend()
        await knobs.change(RetentionChange(videos=1))
        await pruning.tend()
        assert files(context, run) == ["2", "3"], "checked only when it is due"
        pruning.is_due = True
        await pruning.tend()
        assert files(context, run) == ["3"]

    story(tmp_path, test)


def _killed(*_: object) -> None:
    raise InterruptedError
