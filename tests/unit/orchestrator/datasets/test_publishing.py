"""New versions are put into place once, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.contexts import add_run, get, messages, temporary_context
from support.damage import flip_bit
from support.datasets import CARTPOLE, PENDULUM, sample, write_version

from rl_lab.core.datasets.datasets import Dataset
from rl_lab.core.datasets.operations import CheckDataset, DatasetConfig, DatasetResult, MakeDataset
from rl_lab.core.evaluations import write_result
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.datasets.publishing import Publishing
from rl_lab.orchestrator.execution import unpublished
from rl_lab.orchestrator.execution.finisher import follow_up_key
from rl_lab.store import runs
from rl_lab.store.datasets import datasets
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.sql import meta

STATES = (RunStatus.queued, RunStatus.starting)


class Room:
    """Jobs on datasets that have ended, and their follow-up."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.folders = DatasetFolders(context.home)
        self.publishing = Publishing(context, self.folders)

    async def end_job(
        self, name: str = "pole", about: dict[str, Any] = CARTPOLE, episodes: int = 2, **end: Any
    ) -> Run:
        run = await add_run(
            self.context,
            *STATES,
            end.get("status", RunStatus.succeeded),
            config=DatasetConfig(operation=MakeDataset(name=name, note="a note")),
        )
        write_version(self.place(run), about, sample(about, episodes))
        return await self.put_result(run, DatasetResult(do="make", message="Done."))

    async def put_result(self, run: Run, result: DatasetResult) -> Run:
        summary = run.summary.model_copy(update={"result": write_result(result)})
        await self.context.db.write(lambda conn: runs.update_progress(conn, run.id, run.progress, summary))
        return await get(self.context, run.id)

    def place(self, run: Run) -> Path:
        return self.context.folders.find(run.id).path / "dataset" / "0"

    async def get(self, name: str) -> Dataset:
        return await self.context.db.read(lambda conn: datasets.get(conn, name))


def folders_in(home: Path) -> list[str]:
    """Of versions, below `datasets/`."""
    found = (home / "datasets").rglob("dataset.json")
    return [str(path.parent.relative_to(home / "datasets")) for path in found]


def story(home: Path, test: Callable[[Room], Awaitable[None]]) -> None:
    async def run() -> None:
        async with temporary_context(home) as context:
            await test(Room(context))

    asyncio.run(run())


def test_a_lookup_waits_for_the_version_of_a_job_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        run, db = await room.end_job(), room.context.db
        await db.write(lambda conn: meta.put(conn, follow_up_key(run.id), True))
        waited = []

        async def publish(seconds: float) -> None:
            waited.append(seconds)
            await room.publishing.after_end(run)
            await db.write(lambda conn: meta.drop(conn, follow_up_key(run.id)))

        monkeypatch.setattr(unpublished, "asyncio", SimpleNamespace(sleep=publish))
        await unpublished.wait_for_versions(db, "other")
        assert waited == []
        await unpublished.wait_for_versions(db, "POLE")
        assert len((await room.get("pole")).versions) == len(waited) == 1
        await unpublished.wait_for_versions(db)
        assert len(waited) == 1

    story(tmp_path, test)


def test_a_version_is_put_into_place_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        run = await room.end_job()
        await room.publishing.after_end(run)
        await room.publishing.after_end(run)
        [version] = (await room.get("pole")).versions
        assert (version.version, version.episodes, version.run_id) == (1, 2, run.id)
        assert (room.folders.version("pole", 1) / "dataset.json").is_file()
        assert not room.place(run).exists()
        ended = await get(room.context, run.id)
        assert ended.summary.result is not None
        assert ended.summary.result["versions"] == ["pole@v1"]
        assert [m for m in await messages(room.context, run.id) if "pole@v1" in m] == [
            "pole@v1: 2 episodes with 40 steps."
        ]

    story(tmp_path, test)


def test_a_lab_that_was_killed_before_the_row_was_written_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        run = await room.end_job()

        def killed(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(datasets, "add_version", killed)
            with pytest.raises(KeyboardInterrupt):
                await room.publishing.after_end(run)
        assert room.folders.version("pole", 1).is_dir()
        room.folders.restore({})
        assert not room.folders.version("pole", 1).exists()
        await room.publishing.after_end(run)
        assert [one.version for one in (await room.get("pole")).versions] == [1]
        assert (room.folders.version("pole", 1) / "rewards.npy").is_file()

    story(tmp_path, test)


def test_files_that_no_row_refers_to_are_put_back_or_kept(tmp_path: Path) -> None:
    """A lab killed between the renaming of a folder and the commit; a folder that somebody has put there."""

    async def test(room: Room) -> None:
        await room.publishing.after_end(await room.end_job())
        rows = await room.context.db.read(datasets.list_hashes)
        room.folders.rename("pole", "stick")
        write_version(tmp_path / "datasets" / "mine" / "v3", CARTPOLE, sample(CARTPOLE, 4))
        room.folders.restore(rows)
        put_back, kept = sorted(folders_in(tmp_path), reverse=True)
        assert put_back == "pole/v1"
        assert kept.startswith(".unknown-mine-v3-")

    story(tmp_path, test)


def test_equal_contents_are_no_new_version(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        for _ in range(2):
            run = await room.end_job()
            await room.publishing.after_end(run)
        assert len((await room.get("pole")).versions) == 1
        assert "has exactly these contents already" in (await messages(room.context, run.id))[-1]
        await room.publishing.after_end(await room.end_job(episodes=3))
        assert [one.version for one in (await room.get("POLE")).versions] == [2, 1]

    story(tmp_path, test)


def test_equal_contents_replace_the_files_of_a_damaged_version(tmp_path: Path) -> None:
    """As the run that could not learn from it has advised."""

    async def test(room: Room) -> None:
        await room.publishing.after_end(await room.end_job())
        rewards = room.folders.version("pole", 1) / "rewards.npy"
        intact, found = rewards.read_bytes(), "rewards.npy does not have its checksum."
        damaged = {"integrity": "damaged", "integrity_message": found, "checked_at": None}

        async def make_again() -> None:
            run = await room.end_job()
            await room.publishing.after_end(run)
            [version] = (await room.get("pole")).versions
            assert (version.integrity, rewards.read_bytes()) == ("intact", intact)
            assert "its files were damaged and are replaced" in (await messages(room.context, run.id))[-1]

        flip_bit(rewards)
        await room.context.db.write(lambda conn: datasets.change_version(conn, "pole", 1, integrity=damaged))
        await make_again()
        rewards.unlink()
        await make_again()

    story(tmp_path, test)


def test_a_name_taken_by_other_spaces_while_it_ran_loses_nothing(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        await room.publishing.after_end(await room.end_job("mine"))
        run = await room.end_job("mine", PENDULUM)
        await room.publishing.after_end(run)
        assert (await room.get("mine-2")).versions[0].env_id == "Pendulum-v1"
        assert "was taken by a dataset of another kind" in (await messages(room.context, run.id))[-1]
        longest = "m" * 64
        for about in (CARTPOLE, PENDULUM):
            await room.publishing.after_end(await room.end_job(longest, about))
        assert (await room.get("m" * 58 + "-2")).versions[0].env_id == "Pendulum-v1", (
            "a name that can be typed"
        )

    story(tmp_path, test)


def test_a_job_that_did_not_succeed_leaves_nothing(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        run = await room.end_job(status=RunStatus.failed)
        await room.publishing.after_end(run)
        assert not room.place(run).exists()
        assert not (tmp_path / "datasets").exists()

    story(tmp_path, test)


def test_what_a_check_finds_is_noted_with_the_version(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        await room.publishing.after_end(await room.end_job())
        [version] = (await room.get("pole")).versions
        of = {"name": "pole", "version": 1, "sha256": version.sha256}
        config = DatasetConfig(operation=CheckDataset(of=of))
        run = await add_run(room.context, *STATES, RunStatus.succeeded, config=config)
        message = "rewards.npy is missing."
        result = DatasetResult(do="check", message="Bad.", integrity="missing", integrity_message=message)
        await room.publishing.after_end(await room.put_result(run, result))
        [version] = (await room.get("pole")).versions
        assert (version.integrity, version.integrity_message) == ("missing", message)

    story(tmp_path, test)


def test_only_the_newest_pinned_and_learned_versions_are_kept(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        for episodes in (2, 3, 4):
            await room.publishing.after_end(await room.end_job(episodes=episodes))
        await room.context.db.write(lambda conn: datasets.change(conn, "pole", keep=1))
        await room.context.db.write(lambda conn: datasets.change_version(conn, "pole", 1, pinned=True))
        await room.publishing.after_end(await room.end_job(episodes=5))
        assert [one.version for one in (await room.get("pole")).versions] == [4, 1]
        kept = sorted(folder.name for folder in (tmp_path / "datasets" / "pole").iterdir())
        assert kept == ["v1", "v4"]

    story(tmp_path, test)
