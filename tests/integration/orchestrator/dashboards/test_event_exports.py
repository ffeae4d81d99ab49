"""Event files in a run's folder: exporting again adds what is new; what a run brought along is shown too."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from support.labs import furnish, open_lab, toy, wait_for, wait_for_step
from support.waiting import wait_until_async

from rl_lab.analysis.event_files import Column, read_scalars, write_scalars
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Forbidden
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.dashboards import tensorboards
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import artifacts
from rl_lab.store.files.event_files import FOLDER, NAME
from rl_lab.store.files.folders import RunFolder

ONE = Column(np.array([1]), np.array([2.0]), np.array([3.0]))


def _file(home: Path, run_id: str) -> Path:
    return RunFolder(home, run_id).path / FOLDER / NAME


async def _add(lab: Lab, run_id: str, path: str, kind: str, **data: str) -> None:
    row = Artifact(
        id=artifacts.artifact_id(run_id, path),
        run_id=run_id,
        path=path,
        kind=kind,
        created_at=datetime.now(UTC),
        data=data,
    )
    await lab.context.db.write(lambda conn: artifacts.upsert(conn, row))


async def _ended(lab: Lab) -> Run:
    run = await lab.runs.create(toy(evaluate_after=0))
    return await wait_for(lab, run.id, RunStatus.succeeded)


async def _points(lab: Lab, run_id: str) -> dict[str, int]:
    return {name: series.total for name, series in (await lab.queries.metrics(run_id)).items()}


def _exported(home: Path, run_id: str) -> dict[str, int]:
    read = read_scalars(_file(home, run_id))
    assert read.problems == []
    return {tag: len(column) for tag, column in read.columns.items()}


def test_exporting_a_run_that_goes_on_adds_only_what_is_new(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await lab.runs.create(toy(total_timesteps=20_000, steps_per_second=5000, evaluate_after=0))
            await wait_for_step(lab, run.id, 2000)
            await lab.dashboards.event_exports.export(run)
            early = _file(tmp_path, run.id).read_bytes()
            await wait_for(lab, run.id, RunStatus.succeeded)
            await lab.dashboards.event_exports.export(run)
            late = _file(tmp_path, run.id).read_bytes()
            assert late.startswith(early) and len(late) > len(early)
            assert _exported(tmp_path, run.id) == await _points(lab, run.id)

    asyncio.run(story())


def test_an_export_cut_by_a_crash_goes_on_without_doubles(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await _ended(lab)
            await lab.dashboards.event_exports.export(run)
            file = _file(tmp_path, run.id)
            whole = file.read_bytes()
            file.write_bytes(whole[: len(whole) // 2])
            await lab.dashboards.event_exports.export(run)
            assert _exported(tmp_path, run.id) == await _points(lab, run.id)
            file.write_bytes(b"nothing that could be read on")
            await lab.dashboards.event_exports.export(run)
            assert file.read_bytes() == whole
            (listed,) = [a for a in await lab.queries.artifacts(run.id) if a.kind == "tensorboard"]
            assert (listed.path, listed.size) == (FOLDER, len(whole))

    asyncio.run(story())


def test_a_link_planted_in_the_runs_folder_is_not_followed(tmp_path: Path) -> None:
    furnish(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("kept")

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await _ended(lab)
            folder = RunFolder(tmp_path, run.id).path / FOLDER
            folder.symlink_to(outside)
            with pytest.raises(Forbidden, match="links are not followed"):
                await lab.dashboards.event_exports.export(run)
            folder.unlink()
            folder.mkdir()
            (folder / NAME).hardlink_to(outside / "precious")
            with pytest.raises(Forbidden, match="is not a regular file, or it has other hard links"):
                await lab.dashboards.event_exports.export(run)

    asyncio.run(story())
    assert (outside / "precious").read_text() == "kept" and len(list(outside.iterdir())) == 1


def test_event_files_a_script_wrote_are_shown_beside_the_labs_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await _ended(lab)
            written = RunFolder(tmp_path, run.id).path / "files" / "runs" / "ppo__1"
            (written / "deeper").mkdir(parents=True)
            write_scalars(written / "events.out.tfevents.1", {"charts/SPS": ONE})
            write_scalars(written / "deeper" / "events.out.tfevents.2", {"hparam": ONE})
            (written / "secret.txt").write_text("not shown")
            (written / "loop").symlink_to(written)
            await _add(lab, run.id, "files/runs/ppo__1", "tensorboard")
            await _add(lab, run.id, "files/runs/ppo__1/events.out.tfevents.1", "metrics")
            await _add(lab, run.id, "../../../etc", "tensorboard")
            board = await lab.dashboards.tensorboards.open([run.id])
            folder = tmp_path / "cache" / "tensorboards" / board.id
            await wait_until_async(
                lambda: lab.dashboards.tensorboards.get(board.id).state != "starting",
                "the TensorBoard to start",
            )
            [shown] = folder.iterdir()  # named after the run, without signs that a path cannot have
            linked = {str(p.relative_to(shown)) for p in folder.rglob("*") if p.is_symlink()}
            assert linked == {NAME, "ppo__1/events.out.tfevents.1", "ppo__1/deeper/events.out.tfevents.2"}
            monkeypatch.setattr(tensorboards, "AT_ONCE", 1)
            other = await lab.dashboards.tensorboards.open([(await _ended(lab)).id])
            assert "at most 1" in lab.dashboards.tensorboards.get(board.id).message
            assert [b.id for b in lab.dashboards.tensorboards.all()] == [other.id, board.id]

    asyncio.run(story())


def test_the_way_to_wandb_is_its_address_or_how_to_get_one(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await _ended(lab)
            nothing = await lab.dashboards.wandb_links.link(run.id)
            assert nothing.url is None and "not logged" in nothing.reason and "--wandb online" in nothing.how
            offline = RunFolder(tmp_path, run.id).path / "files" / "wandb" / "offline-run-20260101_000000-abc"
            offline.mkdir(parents=True)
            (offline / "run-abc.wandb").write_bytes(b"x" * 100)
            found = await lab.dashboards.wandb_links.link(run.id)
            assert found.url is None and found.how == f"wandb sync {offline}"
            await lab.dashboards.wandb_links.list_offline(run)
            (listed,) = [a for a in await lab.queries.artifacts(run.id) if a.kind == "wandb"]
            assert listed.size == 100 and listed.data["sync"] == found.how
            await _add(lab, run.id, "wandb", "wandb", url="https://wandb.ai/me/lab/runs/abc")
            assert (await lab.dashboards.wandb_links.link(run.id)).url == "https://wandb.ai/me/lab/runs/abc"

    asyncio.run(story())


def test_the_folder_that_wandb_itself_leaves_offline_is_found(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            run = await _ended(lab)
            files = RunFolder(tmp_path, run.id).path / "files"
            files.mkdir()
            script = "import wandb\nwith wandb.init(mode='offline', project='lab') as run: run.log({'a': 1})"
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                script,
                cwd=files,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "HOME": str(tmp_path), "WANDB_SILENT": "true"},
            )
            assert await asyncio.wait_for(process.wait(), 90) == 0
            link = await lab.dashboards.wandb_links.link(run.id)
            assert link.how.startswith(f"wandb sync {files}/wandb/offline-run-")

    asyncio.run(story())
