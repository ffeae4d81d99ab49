"""Retention in a real lab: what is pruned, what stays, what is said about it, and what a crash leaves."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.files import put_files
from support.labs import furnish, open_lab, toy, wait_for, wait_for_event
from support.server import Server, command, serve
from support.waiting import DEADLINE_S, wait_until

from rl_lab.core.disk.artifacts import Artifact, ArtifactPatch
from rl_lab.core.disk.retention import RetentionChange
from rl_lab.core.errors import MoveRefused
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import removals, runs
from rl_lab.store.sql.database import Database


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


async def ended_run(lab: Lab, **changes: Any) -> str:
    run = await lab.runs.create(toy(total_timesteps=200, evaluate_after=0, **changes))
    await wait_for(lab, run.id, RunStatus.succeeded)
    return run.id


async def put(lab: Lab, run_id: str, kind: str, count: int, **more: Any) -> list[Artifact]:
    return await lab.context.db.write(
        lambda conn: put_files(conn, lab.context.home, run_id, kind, count, **more)
    )


async def paths(lab: Lab, run_id: str, kind: str) -> list[str]:
    """Listed, and there on disk."""
    found = [a.path for a in await lab.queries.artifacts(run_id) if a.kind == kind]
    assert all((lab.context.home / "runs" / run_id / path).exists() for path in found)
    return sorted(found)


def test_knobs_are_turned_at_run_time_and_survive_a_restart(server: Server) -> None:
    state = server.client.get("/api/retention").json()
    assert (
        state["value"]
        == state["default"]
        == {
            "videos": 3,
            "checkpoints": 10,
            "tensorboard": 10,
            "lab_bytes": 0,
            "log_bytes": 20 << 20,
            "archive_after_days": 0,
            "runs_per_algorithm": 0,
        }
    )
    changed = server.client.put("/api/retention", json={"videos": 7, "lab_bytes": 10**12}).json()
    assert (changed["value"]["videos"], changed["value"]["checkpoints"]) == (7, 10)
    server.end()
    with serve(server.home, RL_LAB_CHECKPOINTS_KEPT="9") as again:
        state = again.client.get("/api/retention").json()
        kept = {"videos": 7, "checkpoints": 9, "tensorboard": 10, "lab_bytes": 10**12, "log_bytes": 20 << 20}
        assert state["value"] == {**kept, "archive_after_days": 0, "runs_per_algorithm": 0}
        assert state["default"]["checkpoints"] == 9
        back = again.client.put("/api/retention", json={"videos": None}).json()
        assert back["value"]["videos"] == 3
        refused = again.client.put("/api/retention", json={"videos": 0})
        assert refused.status_code == 422


def test_turning_a_knob_down_prunes_the_oldest_of_every_run(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run_ids = [await ended_run(lab) for _ in range(2)]
            for run_id in run_ids:
                await put(lab, run_id, "video", 3)
            await lab.housekeeping.change_retention(RetentionChange(videos=2))
            for run_id in run_ids:
                told = await wait_for_event(lab, run_id, "pruned")
                assert told.data["paths"] == ["made/video-00000"]
                assert told.message == "1 older video removed, 2 of 3 kept."
                assert await paths(lab, run_id, "video") == ["made/video-00001", "made/video-00002"]
            await lab.housekeeping.janitor.sweep()
            assert not (home / "runs" / run_ids[0] / "made" / "video-00000").exists()

    asyncio.run(story())


def test_a_pinned_video_survives_and_is_let_go_when_it_is_unpinned(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            first, *_ = await put(lab, run_id, "video", 4)
            keep = lab.housekeeping.artifacts
            kept = await keep.change(first.id, ArtifactPatch(pinned=True, title="The first try"))
            assert kept.title == "The first try"
            await lab.housekeeping.change_retention(RetentionChange(videos=1))
            await wait_for_event(lab, run_id, "pruned")
            assert await paths(lab, run_id, "video") == ["made/video-00000", "made/video-00003"]
            await keep.change(first.id, ArtifactPatch(pinned=False))
            await lab.housekeeping.prune(run_id)
            assert await paths(lab, run_id, "video") == ["made/video-00003"]

    asyncio.run(story())


def test_a_pruned_tensorboard_folder_leaves_what_else_lies_in_it(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            await put(lab, run_id, "tensorboard", 3)
            folder = home / "runs" / run_id / "made"
            (folder / "tensorboard-00000" / "agent.cleanrl_model").write_bytes(b"weights")
            (folder / "tensorboard-00001" / "hparams").mkdir()
            (folder / "tensorboard-00001" / "hparams" / "events.out.tfevents.9").write_bytes(b"x")
            await lab.housekeeping.change_retention(RetentionChange(tensorboard=1))
            await wait_for_event(lab, run_id, "pruned")
            await lab.housekeeping.janitor.sweep()
            left = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
            assert left == [
                "tensorboard-00000/agent.cleanrl_model",
                "tensorboard-00002/events.out.tfevents.2",
            ]

    asyncio.run(story())


def test_pruning_follows_no_link_out_of_the_run(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "events.out.tfevents.1").write_bytes(b"mine")
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            await put(lab, run_id, "tensorboard", 3)
            made = home / "runs" / run_id / "made"
            (made / "tensorboard-00000" / "events.out.tfevents.0").unlink()
            (made / "tensorboard-00000").rmdir()
            (made / "tensorboard-00000").symlink_to(outside)
            (made / "tensorboard-00001" / "below").symlink_to(outside)
            await lab.housekeeping.change_retention(RetentionChange(tensorboard=1))
            await wait_for_event(lab, run_id, "pruned")
            await lab.housekeeping.janitor.sweep()
            assert [p.name for p in outside.iterdir()] == ["events.out.tfevents.1"]
            assert not (made / "tensorboard-00001" / "events.out.tfevents.1").exists()

    asyncio.run(story())


def test_the_limit_of_the_lab_takes_the_oldest_across_runs_and_only_what_may_go(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, checkpoints_kept=100) as lab:
            older, newer = [await ended_run(lab) for _ in range(2)]
            live = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=100))
            await wait_for(lab, live.id, RunStatus.running)
            size = 4 << 20
            await put(lab, older, "video", 3, size=size)
            await put(lab, newer, "checkpoint", 4, size=size, role="interval", timestep=1)
            await put(lab, newer, "video", 3, size=size)
            await put(lab, live.id, "video", 3, size=size)
            total = await lab.housekeeping.usage.measure_all()
            # Four videos may go; they are not enough, so the oldest checkpoint goes too.
            await lab.housekeeping.change_retention(RetentionChange(lab_bytes=total - 4 * size - size // 10))
            await wait_for_event(lab, newer, "pruned")
            await lab.housekeeping.janitor.sweep()
            assert await paths(lab, older, "video") == ["made/video-00002"]
            assert await paths(lab, newer, "video") == ["made/video-00002"]
            assert len(await paths(lab, live.id, "video")) == 3
            assert [p for p in await paths(lab, newer, "checkpoint") if p.startswith("made/")] == [
                "made/checkpoint-00001",
                "made/checkpoint-00002",
                "made/checkpoint-00003",
            ]
            told = await wait_for_event(lab, older, "pruned")
            assert "to make room in the lab" in told.message
            used = await lab.housekeeping.usage.read(10, "-bytes")
            assert used.total_bytes <= used.limit
            assert used.problem == ""

    asyncio.run(story())


def test_a_limit_that_cannot_be_reached_is_said_by_the_doctor(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            await put(lab, run_id, "video", 2)
            await lab.housekeeping.change_retention(RetentionChange(lab_bytes=1))
            await wait_for_event(lab, run_id, "pruned")
            await lab.housekeeping.janitor.sweep()
            assert await paths(lab, run_id, "video") == ["made/video-00001"]
            [finding] = [f for f in await lab.machine.findings() if f.id == "lab-bytes"]
            assert finding.level == "warning"
            assert "more than the 1 B they may" in finding.message
            assert "archive runs" in finding.remedy

    asyncio.run(story())


def test_usage_counts_what_is_kept_of_what_was_made(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, evaluation_videos_kept=2) as lab:
            run_id = await ended_run(lab)
            await put(lab, run_id, "video", 5, size=100_000)
            await lab.housekeeping.prune(run_id)
            used = await lab.housekeeping.usage.of_run(run_id)
            assert (used.videos.kept, used.videos.limit, used.videos.made) == (2, 2, 5)
            assert used.bytes >= 200_000
            manifest = await lab.housekeeping.manifests.read(run_id)
            assert manifest.kept["videos"] == used.videos
            whole = await lab.housekeeping.usage.read(10, "-bytes")
            assert whole.is_complete
            assert [r.run_id for r in whole.runs] == [run_id]
            assert whole.total_bytes == whole.runs[0].bytes

    asyncio.run(story())


def test_a_deleted_file_is_gone_and_said_and_a_live_run_keeps_what_it_writes(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=100))
            await wait_for(lab, run.id, RunStatus.running)
            [folder] = await put(lab, run.id, "tensorboard", 1)
            [video] = await put(lab, run.id, "video", 1)
            with pytest.raises(MoveRefused, match="may still need"):
                await lab.housekeeping.artifacts.delete(folder.id)
            await lab.housekeeping.artifacts.delete(video.id)
            told = await wait_for_event(lab, run.id, "artifact_deleted")
            assert told.data["path"] == video.path
            assert not (home / "runs" / run.id / video.path).exists()
            assert video.id not in [a.id for a in await lab.queries.artifacts(run.id)]

    asyncio.run(story())


def test_files_whose_rows_went_in_a_crash_follow_at_the_next_start(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            made = await put(lab, run_id, "video", 3)
            # As a kill between the rows and the files leaves it; one of them is made anew before the next start.
            await lab.context.db.write(lambda conn: removals.remove(conn, run_id, made[:2]))
            await put(lab, run_id, "video", 1)
        async with open_lab(home) as lab:
            await asyncio.to_thread(
                wait_until, lambda: not (home / "runs" / run_id / made[1].path).exists(), "the file to follow"
            )
            assert await paths(lab, run_id, "video") == [made[0].path, made[2].path]
            await lab.housekeeping.janitor.sweep()
            assert await lab.context.db.read(removals.runs_with_pending) == []

    asyncio.run(story())


@pytest.mark.chaos
def test_a_lab_killed_while_it_prunes_leaves_no_row_without_its_file_and_no_file_without_a_row(
    home: Path,
) -> None:
    with serve(home) as server:
        run_id = server.wait(server.create(start=True, total_timesteps=200)["id"], "succeeded")["id"]
    count, most = 1500, 500
    asyncio.run(_fill(home, run_id, count))
    made = home / "runs" / run_id / "made"
    with serve(home, RL_LAB_EVALUATION_VIDEOS_KEPT=str(most)) as server:
        wait_until(lambda: len(names(made)) < count, "the first file to go")
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(DEADLINE_S)
    with serve(home, RL_LAB_EVALUATION_VIDEOS_KEPT=str(most)) as server:
        wait_until(lambda: len(names(made)) == most, "the rest to follow")
        kept = server.client.get(f"/api/runs/{run_id}/manifest").json()
        listed = {entry["path"] for entry in kept["videos"]}
        assert listed == {f"made/{name}" for name in names(made)}
        assert kept["kept"]["videos"] == {"kept": most, "limit": most, "made": count}
        told = [
            e
            for e in server.client.get(f"/api/runs/{run_id}/events").json()["items"]
            if e["type"] == "pruned"
        ]
        assert [e["data"]["count"] for e in told] == [count - most]


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def _fill(home: Path, run_id: str, count: int) -> None:
    db = Database(home)
    try:
        await db.write(lambda conn: put_files(conn, home, run_id, "video", count, size=10))
        assert (await db.read(lambda conn: runs.get(conn, run_id))).status is RunStatus.succeeded
    finally:
        await db.close()


def test_the_commands_show_and_turn_the_knobs(server: Server) -> None:
    run_id = server.wait(server.create(start=True, total_timesteps=2000)["id"], "succeeded")["id"]
    told = command(server.home, "retention", "--videos", "4", "--lab-bytes", "20G")
    assert told.returncode == 0, told.stderr
    assert "20.0 GB" in told.stdout
    assert server.client.get("/api/retention").json()["value"]["videos"] == 4
    wrong = command(server.home, "retention", "--lab-bytes", "lots")
    assert wrong.returncode == 2
    assert "20G" in wrong.stderr
    used = command(server.home, "usage", run_id)
    assert "kept" in used.stdout
    [newest, *_] = server.client.get(f"/api/runs/{run_id}/artifacts").json()
    pinned = command(server.home, "pin", newest["id"])
    assert pinned.stdout == f"{newest['path']} is pinned.\n"
    assert "pinned" in command(server.home, "artifacts", run_id).stdout
