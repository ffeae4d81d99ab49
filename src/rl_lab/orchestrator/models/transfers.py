"""Transfers: pushes to the Hugging Face Hub and pulls from it, one process each, with progress that can be polled.

They live as long as the lab: one that is closed or killed interrupts them, and says so at its next start.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rl_lab.core.errors import LabError, NotFound, NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.core.models.transfers import ENDED, Transfer, TransferKind
from rl_lab.orchestrator.models.interrupted_transfers import as_interrupted, read_interrupted, write_note

log = logging.getLogger(__name__)

REMEMBERED = 30
FOLDER = "hub"
Work = Callable[["OpenTransfer", Path], Awaitable[None]]


class OpenTransfer:
    """A transfer with its task; `record` is what clients see."""

    def __init__(self, record: Transfer) -> None:
        self.record = record
        self.task: asyncio.Task[None] | None = None

    @property
    def is_at_work(self) -> bool:
        return self.record.state not in ENDED

    def change(self, **changes: Any) -> None:
        """An end is final: what a process that is being ended still reports must not overwrite it."""
        if self.is_at_work:
            ended = datetime.now(UTC) if changes.get("state") in ENDED else None
            self.record = self.record.model_copy(update={**changes, "ended_at": ended})

    async def end(self) -> None:
        """Waits until its process has ended and its folder is deleted."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    def note(self, words: str) -> None:
        self.change(notes=[*self.record.notes, words])

    def apply(self, change: dict[str, Any]) -> None:
        """Progress that the process reported."""
        if "note" in change:
            self.note(str(change.pop("note")))
        known = {name: value for name, value in change.items() if name in Transfer.model_fields}
        self.change(**known)


class Transfers:
    def __init__(self, home: Path) -> None:
        self._folder = home / "cache" / FOLDER
        self._open: dict[str, OpenTransfer] = {}

    async def open(self) -> None:
        """Removes what an earlier lab left behind, and remembers what it did not finish."""
        found = await asyncio.to_thread(read_interrupted, self._folder, datetime.now(UTC))
        self._open = {record.id: OpenTransfer(record) for record in found}

    async def close(self) -> None:
        await asyncio.gather(*(self._interrupt(one) for one in self._open.values() if one.is_at_work))

    def start(self, record: Transfer, work: Work) -> Transfer:
        """Returns at once; `work` gets a folder of its own that is deleted with it."""
        if find_spec("huggingface_hub") is None:
            raise NotReady(
                "Models on the Hugging Face Hub need the package huggingface_hub.",
                next_step=how_to_install("hub"),
            )
        self._refuse_second(record)
        opened = OpenTransfer(record)
        self._forget_interrupted(record)
        self._open[record.id] = opened
        opened.task = asyncio.create_task(self._run(opened, work), name=f"{record.kind}-{record.id}")
        self._forget_old()
        return record

    def list_all(self, kind: TransferKind) -> list[Transfer]:
        """Newest first."""
        return [one.record for one in reversed(self._open.values()) if one.record.kind == kind]

    def get(self, kind: TransferKind, transfer_id: str) -> Transfer:
        found = self._open.get(transfer_id)
        if found is None or found.record.kind != kind:
            raise NotFound(f"There is no {kind} “{transfer_id}”.", next_step=f"`rl-lab {kind}` starts one.")
        return found.record

    async def stop(self, kind: TransferKind, transfer_id: str) -> Transfer:
        """On a user's request. Has ended when this returns; one that ended before is forgotten."""
        opened = self._open[self.get(kind, transfer_id).id]
        if opened.is_at_work:
            opened.change(state="cancelled", message="It was cancelled.")
            await opened.end()
        else:
            await asyncio.to_thread(self._forget, transfer_id)
        return opened.record

    async def _interrupt(self, opened: OpenTransfer) -> None:
        interrupted = as_interrupted(opened.record)
        opened.change(state="interrupted", message=interrupted.message, next_step=interrupted.next_step)
        await opened.end()
        await asyncio.to_thread(write_note, self._folder / opened.record.id, opened.record)

    async def _run(self, opened: OpenTransfer, work: Work) -> None:
        folder = self._folder / opened.record.id
        try:
            await asyncio.to_thread(write_note, folder, opened.record)
            await work(opened, folder)
            opened.change(state="done")
        except LabError as error:
            opened.change(state="failed", message=error.detail, next_step=error.next_step)
        except Exception as error:
            log.exception("%s %s failed", opened.record.kind, opened.record.id)
            opened.change(state="failed", message=f"{type(error).__name__}: {error}")
        finally:
            with suppress(OSError):
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _refuse_second(self, record: Transfer) -> None:
        """Two pushes to one repository would overwrite each other's commit."""
        for one in self._open.values():
            if one.is_at_work and (one.record.kind, one.record.repo) == (record.kind, record.repo):
                raise NotReady(
                    f"A {record.kind} of {record.repo} is at work already.",
                    next_step="Wait for its end, or cancel it.",
                )

    def _forget_old(self) -> None:
        ended = [transfer_id for transfer_id, one in self._open.items() if not one.is_at_work]
        for transfer_id in ended[: max(0, len(ended) - REMEMBERED)]:
            self._forget(transfer_id)

    def _forget_interrupted(self, record: Transfer) -> None:
        """It is started again."""
        for one in list(self._open.values()):
            same = (one.record.kind, one.record.repo) == (record.kind, record.repo)
            if same and one.record.state == "interrupted":
                self._forget(one.record.id)

    def _forget(self, transfer_id: str) -> None:
        """Of one that has ended only a note may be left on disk."""
        self._open.pop(transfer_id, None)
        shutil.rmtree(self._folder / transfer_id, ignore_errors=True)


def new_transfer(kind: TransferKind, repo: str, *, checkpoint: str | None = None) -> Transfer:
    return Transfer(
        id=secrets.token_hex(6), kind=kind, repo=repo, checkpoint=checkpoint, created_at=datetime.now(UTC)
    )
