"""When a run ends, the steps come in the listed order."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.orchestrator.run_end import RunEnd


class Steps:
    """Notes each step that is called."""

    def __init__(self, ended: object | None, failing: str = "") -> None:
        self.called: list[str] = []
        self._ended = ended
        self._failing = failing

    def now(self, name: str) -> Any:
        def step(*_: object) -> None:
            self.called.append(name)

        return step

    def later(self, name: str) -> Any:
        async def step(*_: object) -> object | None:
            self.called.append(name)
            if name == self._failing:
                raise OSError(name)
            return self._ended if name == "write_end" else None

        return step

    def run_end(self) -> RunEnd:
        return RunEnd(
            write_end=self.later("write_end"),
            wake_queue=self.now("wake_queue"),
            remove_scratch=self.now("remove_scratch"),
            prune=self.now("prune"),
            list_wandb_folders=self.later("list_wandb_folders"),
            write_manifest=self.later("write_manifest"),
            keep_curve=self.later("keep_curve"),
            follow_up=self.later("follow_up"),
            wake_janitor=self.now("wake_janitor"),
        )


LISTED = list(RunEnd.__dataclass_fields__)
ENDED = SimpleNamespace(id="run")


def end(steps: Steps, *, is_foreign: bool) -> None:
    live: Any = SimpleNamespace(run_id="run", is_foreign=is_foreign)
    asyncio.run(_end(steps.run_end(), live))


async def _end(run_end: RunEnd, live: Any) -> None:
    await run_end(live)


def test_the_steps_of_a_foreign_run_are_done_in_the_listed_order() -> None:
    steps = Steps(ENDED)
    end(steps, is_foreign=True)
    assert steps.called == LISTED


def test_the_labs_own_runs_have_no_scratch_folder() -> None:
    steps = Steps(ENDED)
    end(steps, is_foreign=False)
    assert steps.called == [name for name in LISTED if name != "remove_scratch"]


def test_a_run_that_had_ended_already_only_frees_its_slot() -> None:
    steps = Steps(None)
    end(steps, is_foreign=False)
    assert steps.called == ["write_end", "wake_queue"]


def test_an_end_that_cannot_be_written_does_nothing_else() -> None:
    steps = Steps(ENDED, failing="write_end")
    with pytest.raises(OSError, match="write_end"):
        end(steps, is_foreign=True)
    assert steps.called == ["write_end"]
