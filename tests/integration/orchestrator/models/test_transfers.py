"""A lab that ends while a push or pull is at work says so at its next start, and leaves nothing half written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rl_lab.core.models.transfers import Transfer
from rl_lab.orchestrator.models.transfers import OpenTransfer, Transfers, new_transfer

pytest.importorskip("huggingface_hub")


async def start_endless(transfers: Transfers, kind: str = "pull") -> Transfer:
    """A transfer that has received half a file and waits."""
    is_at_work = asyncio.Event()

    async def work(opened: OpenTransfer, folder: Path) -> None:
        (folder / "half.zip").write_bytes(b"half")
        opened.change(state="transferring", done_bytes=1, total_bytes=2)
        is_at_work.set()
        await asyncio.Event().wait()

    record = new_transfer("push" if kind == "push" else "pull", "ada/lander")
    transfers.start(record, work)
    await is_at_work.wait()
    return record


async def opened(home: Path) -> Transfers:
    transfers = Transfers(home)
    await transfers.open()
    return transfers


def left_in(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "cache" / "hub").rglob("*") if path.is_file())


async def close(transfers: Transfers) -> None:
    await transfers.close()


async def kill(transfers: Transfers) -> None:
    """Nothing of it runs any more; its files are as they were."""


@pytest.mark.parametrize("end", [close, kill])
@pytest.mark.parametrize("kind", ["push", "pull"])
def test_a_transfer_that_the_end_of_the_lab_interrupted_is_shown_until_it_is_dismissed(
    tmp_path: Path, end: Callable[[Transfers], Awaitable[None]], kind: str
) -> None:
    async def story() -> None:
        first = await opened(tmp_path)
        record = await start_endless(first, kind)
        await end(first)
        for transfers in (await opened(tmp_path), await opened(tmp_path)):
            [found] = transfers.list_all(record.kind)
            assert (found.id, found.state, found.repo) == (record.id, "interrupted", "ada/lander")
            assert found.ended_at is not None
            assert f"interrupted the {kind} of ada/lander" in found.message
            assert f"{kind.capitalize()} again" in (found.next_step or "")
            assert left_in(tmp_path) == ["transfer.json"]
        await transfers.stop(record.kind, record.id)
        assert transfers.list_all(record.kind) == [] and left_in(tmp_path) == []
        assert (await opened(tmp_path)).list_all(record.kind) == []

    asyncio.run(story())


def test_the_same_transfer_again_replaces_the_note(tmp_path: Path) -> None:
    async def story() -> None:
        first = await opened(tmp_path)
        await start_endless(first)
        await first.close()
        second = await opened(tmp_path)
        again = await start_endless(second)
        assert [one.id for one in second.list_all("pull")] == [again.id]
        await second.stop("pull", again.id)
        assert [one.state for one in second.list_all("pull")] == ["cancelled"] and left_in(tmp_path) == []
        assert (await opened(tmp_path)).list_all("pull") == []

    asyncio.run(story())


def test_a_damaged_note_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "hub" / "0123456789ab"
    folder.mkdir(parents=True)
    (folder / "transfer.json").write_text("{")
    assert asyncio.run(opened(tmp_path)).list_all("pull") == []
    assert left_in(tmp_path) == []
