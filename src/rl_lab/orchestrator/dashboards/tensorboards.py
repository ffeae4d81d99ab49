"""TensorBoard processes: one per set of runs, a few at once, updated while a run is live, stopped when idle."""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError, NotFound, NotReady
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.tensorboards import Tensorboard, TensorboardOffer
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.dashboards import tensorboard_links
from rl_lab.orchestrator.dashboards.event_exports import EventExports
from rl_lab.orchestrator.dashboards.tensorboard_process import TensorboardProcess
from rl_lab.orchestrator.foreign.lab_python import has_module
from rl_lab.store import artifacts, runs

log = logging.getLogger(__name__)

AT_ONCE = 4
REMEMBERED = 20
"""Of those that ended, this many stay listed with the reason."""
REFRESH_S = 3.0
ABSENT, INSTALL = "TensorBoard is not installed next to the lab.", "pip install 'rl-lab[scripts]'"
STOPPED = "It was stopped."


class Tensorboards:
    def __init__(self, context: Context, exports: EventExports) -> None:
        self._home = context.home
        self._folder = context.home / "cache" / "tensorboards"
        self._db = context.db
        self._exports = exports
        self._idle_s = context.settings.tensorboard_idle_s
        self._boards: dict[str, _Board] = {}
        self._sweeping, self._is_swept = asyncio.Lock(), False

    async def open(self, run_ids: Sequence[str]) -> Tensorboard:
        """Returns at once with state `starting`; the same runs again give the same one, and count as use."""
        if not has_module("tensorboard"):
            raise NotReady(ABSENT, next_step=INSTALL)
        wanted = list(dict.fromkeys(run_ids))
        await self._runs(wanted)
        for board in self._boards.values():
            if board.is_alive and set(board.record.run_ids) == set(wanted):
                board.touch()
                return board.record
        # Stored before the first await, or two requests at the same time would start two.
        board = _Board(wanted)
        self._boards[board.record.id] = board
        board.task = asyncio.create_task(self._serve(board), name=f"tensorboard-{board.record.id}")
        await self._make_room(board)
        return board.record

    def all(self) -> list[Tensorboard]:
        """Newest first, including those that ended."""
        return [board.seen() for board in reversed(self._boards.values())]

    def get(self, board_id: str) -> Tensorboard:
        return self._find(board_id).seen()

    async def stop(self, board_id: str, why: str = STOPPED) -> Tensorboard:
        """Has ended when this returns; one that ended before keeps its reason."""
        board = self._find(board_id)
        was_alive = board.is_alive
        board.become("stopped", message=why)
        if board.task is not None:
            if was_alive:  # one that is already ending must not be interrupted
                board.task.cancel()
            await asyncio.gather(board.task, return_exceptions=True)
        return board.record

    async def close(self) -> None:
        await asyncio.gather(*(self.stop(board_id, "The lab was closed.") for board_id in list(self._boards)))

    async def offer(self, run_id: str) -> TensorboardOffer:
        """Whether the run can be opened, for the button on its page."""
        run = await self._run(run_id)
        exists = bool(await self._files(run_id))
        if not has_module("tensorboard"):
            return TensorboardOffer(exists=exists, can_open=False, reason=ABSENT, next_step=INSTALL)
        if run.attempt == 0 and run.source is None and not exists:
            reason, step = "The run has not started, so there is nothing to show.", "Start it first."
            return TensorboardOffer(exists=False, can_open=False, reason=reason, next_step=step)
        return TensorboardOffer(exists=exists, can_open=True)

    async def _make_room(self, new: _Board) -> None:
        """Stops the one that was unused for longest; forgets those that ended long ago."""
        alive = [board for board in self._boards.values() if board.is_alive and board is not new]
        if len(alive) >= AT_ONCE:
            oldest = min(alive, key=lambda board: board.used)
            await self.stop(oldest.record.id, f"Another one was opened; at most {AT_ONCE} run at once.")
        ended = [board_id for board_id, board in self._boards.items() if not board.is_alive]
        for board_id in ended[: max(0, len(ended) - REMEMBERED)]:
            del self._boards[board_id]

    async def _serve(self, board: _Board) -> None:
        """One TensorBoard from its folder to its end."""
        folder = self._folder / board.record.id
        process: TensorboardProcess | None = None
        try:
            await self._sweep()
            shown = await self._fill(board, folder)
            process = await TensorboardProcess.start(folder, ", ".join(run.name for run in shown)[:80])
            board.process = process
            board.become("ready", url=process.url)
            await self._keep_fresh(board, process, folder, shown)
        except LabError as error:
            board.become("failed", message=error.detail, next_step=error.next_step)
        except (OSError, SQLAlchemyError) as error:
            board.become("failed", message=f"TensorBoard did not start: {error}")
        finally:
            if process is not None:
                await process.close()
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _sweep(self) -> None:
        """Once: removes the folders that a killed lab left behind."""
        async with self._sweeping:
            if not self._is_swept:
                await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
                self._is_swept = True

    async def _keep_fresh(
        self, board: _Board, process: TensorboardProcess, folder: Path, shown: list[Run]
    ) -> None:
        ended = asyncio.create_task(process.wait(), name="tensorboard-end")
        try:
            while not ended.done():
                if time.monotonic() - board.used > self._idle_s:
                    board.become("stopped", message=f"It was not used for {_minutes(self._idle_s)}.")
                    return
                await asyncio.wait({ended}, timeout=min(REFRESH_S, max(0.1, self._idle_s / 4)))
                shown = await self._refresh(board, folder, shown)
            board.become("failed", message=f"TensorBoard ended: {ended.result()}", next_step="Open it again.")
        finally:
            ended.cancel()

    async def _fill(self, board: _Board, folder: Path) -> list[Run]:
        """Every run's files, exported and linked."""
        shown = await self._runs(board.record.run_ids)
        board.labels = tensorboard_links.labels(shown)
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True, mode=0o700)
        for run in shown:
            await self._exports.export(run)
            await self._link(board, folder, run)
        return shown

    async def _refresh(self, board: _Board, folder: Path, shown: list[Run]) -> list[Run]:
        """Adds what is new. A run that has just ended is exported once more."""
        return [await self._refreshed(board, folder, run) for run in shown]

    async def _refreshed(self, board: _Board, folder: Path, before: Run) -> Run:
        with suppress(
            LabError, OSError, SQLAlchemyError
        ):  # deleted, or a full disk: keep showing what was exported
            run = await self._run(before.id)
            if run.status in FINAL and before.status in FINAL:
                await self._exports.keep_open(run.id)
                return run
            await (self._exports.export(run) if run.status in FINAL else self._exports.extend(run))
            await self._link(board, folder, run)
            return run
        return before

    async def _link(self, board: _Board, folder: Path, run: Run) -> None:
        found = tensorboard_links.sources(self._home, run, board.labels[run.id], await self._files(run.id))
        for source in found:
            await asyncio.to_thread(tensorboard_links.link, folder, source)

    async def _runs(self, run_ids: Sequence[str]) -> list[Run]:
        """NotFound or Gone when one of them cannot be shown."""
        return await self._db.read(lambda conn: runs.get_all(conn, run_ids))

    async def _run(self, run_id: str) -> Run:
        return await self._db.read(lambda conn: runs.get(conn, run_id))

    async def _files(self, run_id: str) -> list[Artifact]:
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id))
        return [artifact for artifact in found if tensorboard_links.has_event_files(artifact)]

    def _find(self, board_id: str) -> _Board:
        board = self._boards.get(board_id)
        if board is None:
            raise NotFound(f"There is no TensorBoard “{board_id}”.", next_step="Open one from a run.")
        return board


class _Board:
    """One TensorBoard with its process; `record` is what clients see."""

    def __init__(self, run_ids: list[str]) -> None:
        now = datetime.now(UTC)
        self.record = Tensorboard(id=secrets.token_hex(6), run_ids=run_ids, created_at=now, used_at=now)
        self.task: asyncio.Task[None] | None = None
        self.process: TensorboardProcess | None = None
        self.labels: dict[str, str] = {}
        self._touched = time.monotonic()

    @property
    def is_alive(self) -> bool:
        return self.record.state in ("starting", "ready")

    @property
    def used(self) -> float:
        """On the monotonic clock."""
        return max(self._touched, self.process.used if self.process else 0.0)

    def touch(self) -> None:
        self._touched = time.monotonic()

    def become(self, state: str, **changes: Any) -> None:
        """An end is final: closing its process must not overwrite the reason."""
        if self.is_alive:
            url = changes.pop("url", None)
            self.record = self.record.model_copy(update={"state": state, "url": url, **changes})

    def seen(self) -> Tensorboard:
        used_at = datetime.now(UTC) - timedelta(seconds=time.monotonic() - self.used)
        return self.record.model_copy(update={"used_at": used_at}) if self.is_alive else self.record


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} s"
