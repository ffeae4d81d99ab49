"""A dataset is compared with its checksums once, before something learns from it, and again when a file changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.contexts import add_run, messages, temporary_context
from support.damage import flip_bit
from support.datasets import CARTPOLE, put_rows, sample, write_version

from rl_lab.core.datasets.manifest import MANIFEST_FILE
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import NotReady
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution import dataset_contents
from rl_lab.orchestrator.execution.dataset_contents import DatasetContents, StillComparing
from rl_lab.orchestrator.execution.dataset_files import DatasetFiles
from rl_lab.store.datasets.versions import find_version

CHOICE = DatasetChoice(name="pole", version=1)


class Compared:
    """A lab's dataset, and what learns from it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.folder = context.home / "datasets" / "pole" / "v1"
        self._woken = asyncio.Event()
        self.contents = DatasetContents(context, DatasetFiles(context), wake=self._woken.set)

    async def make(self) -> Compared:
        manifest = write_version(self.folder, CARTPOLE, sample(CARTPOLE))
        await self.context.db.write(lambda conn: put_rows(conn, "pole", 1, manifest))
        return self

    async def is_known(self) -> bool:
        """Whether a run would start at once; else the comparison has ended when this returns."""
        self._woken.clear()
        try:
            assert await self.contents.find_folder("0" * 12, CHOICE) == self.folder
        except StillComparing:
            await self._woken.wait()
            return False
        return True

    async def refusal(self) -> NotReady:
        assert not await self.is_known()
        with pytest.raises(NotReady) as refused:
            await self.is_known()
        return refused.value


def test_intact_files_are_compared_once_and_again_when_one_was_written(tmp_path: Path) -> None:
    async def story() -> list[bool]:
        async with temporary_context(tmp_path) as context:
            compared = await Compared(context).make()
            found = [await compared.is_known(), await compared.is_known()]
            later = Compared(context)  # after a restart
            found.append(await later.is_known())
            rewards = later.folder / "rewards.npy"
            rewards.write_bytes(rewards.read_bytes())
            return [*found, await later.is_known(), await later.is_known()]

    assert asyncio.run(story()) == [False, True, True, False, True]


def rename_environment(path: Path) -> None:
    path.write_text(path.read_text().replace("CartPole-v1", "CartPole-v0"))


@pytest.mark.parametrize(
    ("name", "damage"),
    [("observations.npy", flip_bit), ("episode_ends.npy", flip_bit), (MANIFEST_FILE, rename_environment)],
)
def test_a_change_that_keeps_the_size_is_found_and_noted_with_the_version(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    async def story() -> tuple[NotReady, Any]:
        async with temporary_context(tmp_path) as context:
            compared = await Compared(context).make()
            assert not await compared.is_known()
            damage(compared.folder / name)
            refused = await compared.refusal()
            return refused, await context.db.read(lambda conn: find_version(conn, "pole", 1))

    refused, version = asyncio.run(story())
    assert refused.cause == "dataset-damaged" and name in refused.detail
    assert "rl-lab datasets check pole@v1" in (refused.next_step or "")
    assert version.integrity == "damaged" and name in version.integrity_message


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_contents: DatasetContents, path: Path) -> None:
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr(DatasetContents, "_checksum", fail)

    async def story() -> str:
        async with temporary_context(tmp_path) as context:
            return (await (await Compared(context).make()).refusal()).detail

    assert "observations.npy cannot be read: Input/output error" in asyncio.run(story())


def test_a_long_comparison_is_in_the_event_log_of_each_run_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_contents, "LARGE_BYTES", 1)
    may_end = threading.Event()

    def compare_long(_contents: DatasetContents, _path: Path) -> None:
        may_end.wait()

    monkeypatch.setattr(DatasetContents, "_checksum", compare_long)

    async def story() -> list[str]:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            compared = await Compared(context).make()
            try:
                for _ in range(2):
                    with pytest.raises(StillComparing):
                        await compared.contents.find_folder(run.id, CHOICE)
            finally:
                may_end.set()
                await compared.contents.close()
            return await messages(context, run.id)

    [line] = asyncio.run(story())[-1:]
    assert line.startswith("Before the start, the ") and "of pole@v1 are compared" in line
