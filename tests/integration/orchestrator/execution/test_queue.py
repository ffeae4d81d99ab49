"""One run that cannot be started does not keep the others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.store.files.folders import RunFolder


def block_its_folder(lab: Lab, run_id: str) -> None:
    RunFolder(lab.context.home, run_id).attempts.write_text("not a folder")


def confuse_its_inputs(lab: Lab, run_id: str) -> None:
    """As a source does whose runner is not installed any more, or whose recordings are damaged."""
    of = lab.execution.launcher._inputs_of

    async def fail_for_one(run: object) -> object:
        if getattr(run, "id", "") == run_id:
            raise KeyError("no-such-runner")
        return await of(run)  # type: ignore[arg-type]

    lab.execution.launcher._inputs_of = fail_for_one  # type: ignore[method-assign,assignment]


@pytest.mark.parametrize("spoil", [block_its_folder, confuse_its_inputs])
def test_a_run_that_cannot_be_started_ends_in_words_and_the_next_one_starts(
    home: Path, spoil: Callable[[Lab, str], None]
) -> None:
    furnish(home)
    asyncio.run(_start_two(home, spoil))


async def _start_two(home: Path, spoil: Callable[[Lab, str], None]) -> None:
    async with open_lab(home, max_running=1) as lab:
        first = await lab.runs.create(toy(start=False))
        spoil(lab, first.id)
        second = await lab.runs.create(toy(start=False))
        await lab.runs.move(first.id, "start")
        await lab.runs.move(second.id, "start")
        ended = await wait_for(lab, first.id, RunStatus.failed)
        assert ended.reason is not None
        assert ended.reason.cause == "not-started"
        assert ended.reason.next_step
        await wait_for(lab, second.id, RunStatus.succeeded)
