"""The queue without processes: which runs it starts, and what becomes of one that cannot start."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.contexts import add_run, get, temporary_context

from rl_lab.core.errors import NotReady
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.execution.queue import Queue


class Launches:
    """Starts nothing; notes the names of the runs, and fails for those it is given errors for."""

    def __init__(self, **errors: Exception) -> None:
        self.names: list[str] = []
        self._errors = errors

    async def start(self, run: Run) -> None:
        self.names.append(run.name)
        if run.name in self._errors:
            raise self._errors[run.name]


async def one_round(home: Path, launches: Launches, free: int, runs: Sequence[tuple[str, int]]) -> list[Run]:
    async with temporary_context(home) as context:
        added = [await add_run(context, RunStatus.queued, name=name, priority=p) for name, p in runs]
        queue = Queue(context, free_slots=lambda: free, start=launches.start)
        await queue.start_what_fits()
        return [await get(context, run.id) for run in added]


def test_the_highest_priority_comes_first_then_the_longest_waiting(tmp_path: Path) -> None:
    launches = Launches()
    asyncio.run(one_round(tmp_path, launches, 2, [("old", 0), ("urgent", 5), ("young", 0)]))
    assert launches.names == ["urgent", "old"]


def test_without_a_free_slot_nothing_starts(tmp_path: Path) -> None:
    launches = Launches()
    asyncio.run(one_round(tmp_path, launches, 0, [("one", 0)]))
    assert launches.names == []


def test_a_run_that_is_refused_fails_with_the_reason_and_the_next_one_starts(tmp_path: Path) -> None:
    launches = Launches(bad=NotReady("No GPU.", next_step="Use the CPU."), worse=KeyError("gone"))
    bad, worse, good = asyncio.run(one_round(tmp_path, launches, 3, [("bad", 2), ("worse", 1), ("good", 0)]))
    assert launches.names == ["bad", "worse", "good"]
    assert bad.reason is not None
    assert (bad.reason.cause, bad.reason.message, bad.reason.next_step) == (
        "not-ready",
        "No GPU.",
        "Use the CPU.",
    )
    assert worse.reason is not None
    assert worse.reason.cause == "not-started"
    assert good.status is RunStatus.queued


def test_a_problem_of_the_machine_leaves_the_run_in_the_queue(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context, RunStatus.queued)
            launches = Launches(one=OSError(errno.ENOSPC, "no space"))
            queue = Queue(context, free_slots=lambda: 1, start=launches.start)
            with pytest.raises(OSError, match="no space"):
                await queue.start_what_fits()
            assert (await get(context, run.id)).status is RunStatus.queued

    asyncio.run(story())
