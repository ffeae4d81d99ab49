"""Folders as foreign programs leave them: nested beyond any recursion, locked; nothing of it stops the lab."""

from __future__ import annotations

import asyncio
import os
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.dashboards.tensorboard_links import EventFileSource, link
from rl_lab.orchestrator.foreign.process_variables import remove_scratch
from rl_lab.orchestrator.housekeeping.janitor import Janitor
from rl_lab.store.files import archive_files
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder

LEVELS = 2500
"""More than Python recurses, and a path longer than the system opens."""


def nest(folder: Path, levels: int = LEVELS) -> None:
    fd = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("a", dir_fd=fd)
        below = os.open("a", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=fd))
    os.close(fd)


@pytest.fixture
def folder(home: Path) -> Iterator[RunFolder]:
    made = RunFolder(home, "run1")
    made.create()
    (made.path / "files").mkdir()
    (made.path / "files" / "model.zip").write_bytes(b"x" * 10_000)
    yield made
    remove_tree(home)  # pytest could not


def test_a_tree_of_any_depth_is_deleted(folder: RunFolder) -> None:
    nest(folder.path)
    remove_tree(folder.path)
    assert not folder.path.exists()


def test_a_locked_folder_is_deleted_and_a_link_is_not_followed(folder: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir(mode=0o500)
    (folder.path / "files" / "link").symlink_to(tmp_path / "mine")
    (folder.path / "files").chmod(0o500)
    remove_tree(folder.path)
    assert not folder.path.exists()
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o500
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    with pytest.raises(NotADirectoryError):
        remove_tree(tmp_path / "link")


def test_a_deep_folder_is_measured_trashed_and_its_scratch_is_dropped(folder: RunFolder) -> None:
    (folder.path / "scratch").mkdir()
    nest(folder.path / "scratch")
    nest(folder.path / "files")
    assert folder.size_bytes() >= 10_000
    remove_scratch(folder.path)
    assert not (folder.path / "scratch").exists()
    folder.move_to_trash()
    folder.empty_trash()
    assert not folder.trashed.exists()


def test_what_cannot_be_packed_whole_is_not_packed(folder: RunFolder) -> None:
    nest(folder.path / "files")
    with pytest.raises(OSError, match="too long"):
        archive_files.write_archive(folder, threading.Event())
    assert (folder.path / "files" / "model.zip").exists()
    assert list(folder.archive.parent.iterdir()) == []


def test_a_folder_deeper_than_recursion_is_packed_whole(folder: RunFolder) -> None:
    nest(folder.path / "files", 1200)
    archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    archive_files.clean_up(folder)
    assert folder.is_packed
    with tarfile.open(folder.archive) as archive:
        assert "/".join(["files", *["a"] * 1200, "file"]) in archive.getnames()


def test_event_files_above_a_deep_folder_are_linked_and_pruned(folder: RunFolder, tmp_path: Path) -> None:
    (folder.path / "files" / "events.out.tfevents.1").write_bytes(b"")
    nest(folder.path / "files")
    link(tmp_path / "links", EventFileSource("run", folder.path / "files"))
    assert [p.name for p in (tmp_path / "links").rglob("*tfevents*")] == ["events.out.tfevents.1"]
    folder.remove_event_files("files")
    assert not (folder.path / "files" / "events.out.tfevents.1").exists()
    assert (folder.path / "files" / "model.zip").exists()


def test_the_janitor_goes_on_whatever_happens_to_one_of_its_tasks() -> None:
    done: list[str] = []

    async def broken() -> None:
        raise RecursionError

    async def fine() -> None:
        done.append("fine")

    asyncio.run(Janitor((), (broken, fine)).sweep())
    assert done == ["fine"]


def test_a_lab_with_a_deep_run_measures_the_others_and_deletes_it(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home, undo_s=0.0) as lab:
            first, second = [await lab.runs.create(toy(total_timesteps=200, evaluate_after=0)) for _ in "12"]
            for run in (first, second):
                await wait_for(lab, run.id, RunStatus.succeeded)
            nest(home / "runs" / first.id)
            await lab.housekeeping.usage.measure_all()
            usage = await lab.housekeeping.usage.read(10, "-bytes")
            assert usage.is_complete
            assert {shown.run_id for shown in usage.runs} == {first.id, second.id}
            await lab.runs.delete(first.id)
            await lab.housekeeping.janitor.sweep()
            assert not (home / "runs" / first.id).exists()
            assert not (home / "trash" / first.id).exists()

    asyncio.run(story())
