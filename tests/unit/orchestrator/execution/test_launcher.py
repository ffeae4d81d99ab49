"""The launcher without processes: pre-flight, then both files of the attempt, then the supervisor."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.core.commands import Command
from rl_lab.core.errors import NotReady
from rl_lab.core.runs import Run, RunStatus
from rl_lab.guardian.files import Confinement, Launch
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.launcher import Inputs, Launcher
from rl_lab.orchestrator.foreign.commands import Resolved
from rl_lab.store.files.attempt_folder import AttemptFolder

CHECKPOINT = SimpleNamespace(path="checkpoints/50.json", timestep=50, sha256="5" * 64)
COMMAND = Command(argv=["/bin/true"], shown=["true"], cwd="/")


class Fakes:
    """Everything around the launcher."""

    def __init__(self, context: Context) -> None:
        self.command: Resolved | None = None
        self.refusal: NotReady | None = None
        self.checkpoint: Any = None
        self.ordered: list[Resolved] = []
        self.launched: list[tuple[str, int, str | None, int]] = []
        environments: Any = SimpleNamespace(catalogue=self, repeatability=self)
        commands: Any = SimpleNamespace(launch=self.confined_launch)
        rest: Any = self
        self.launcher = Launcher(
            context,
            rest,
            preflight=rest,
            datasets=rest,
            resume_points=rest,
            environments=environments,
            commands=commands,
            inputs_of=self._inputs_of,
            log_bytes=lambda: 1 << 20,
        )

    async def check(self, run: Run) -> Resolved | None:
        if self.refusal is not None:
            raise self.refusal
        return self.command

    async def find_folder(self, run_id: str, dataset: object) -> None:
        assert dataset is None

    async def find(self, run: Run) -> Any:
        return self.checkpoint

    def episodes_until(self, run_id: str, step: int) -> int:
        return 7

    async def list_kept(self, run_id: str, step: int) -> list[Any]:
        return []

    async def environment(self, env_id: str) -> None:
        return None

    async def expect(self, env: object, env_kwargs: object, rights: object) -> bool:
        return True

    async def confined_launch(self, own: Launch, found: Resolved, *_: object) -> Launch:
        self.ordered.append(found)
        return own._replace(argv=found.command.argv, confine=Confinement(level="confined"))

    async def launch(self, run: Run, attempt: AttemptFolder, row: Any, *, isolation: str | None) -> None:
        self.launched.append((run.id, row.number, isolation, row.timestep0))

    async def _inputs_of(self, run: Run) -> Inputs:
        return Inputs(CONFIG.env_id, {}, {})


def story(home: Path, test: Callable[[Context, Fakes], Awaitable[None]]) -> None:
    async def run() -> None:
        async with temporary_context(home) as context:
            await test(context, Fakes(context))

    asyncio.run(run())


def read(context: Context, run: Run, name: str, attempt: int = 1) -> dict[str, Any]:
    path = context.folders.find(run.id).attempt(attempt) / name
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_the_files_are_written_before_the_supervisor_starts_the_attempt(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, RunStatus.queued)
        await fakes.launcher.start(run)
        assert fakes.launched == [(run.id, 1, None, 0)]
        assert read(context, run, "job.json")["inputs"] == {"exact": True}
        assert read(context, run, "launch.json")["argv"][3] == "rl_lab.worker"

    story(tmp_path, test)


def test_a_refused_run_leaves_no_attempt(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, RunStatus.queued)
        fakes.refusal = NotReady("No space.")
        with pytest.raises(NotReady):
            await fakes.launcher.start(run)
        assert fakes.launched == []
        assert not context.folders.find(run.id).attempts.exists()

    story(tmp_path, test)


def test_the_command_that_passed_the_check_is_the_one_that_is_ordered(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, RunStatus.queued)
        fakes.command = Resolved(COMMAND, "0" * 64, None)
        await fakes.launcher.start(run)
        assert fakes.ordered == [fakes.command]
        assert read(context, run, "launch.json")["argv"] == ["/bin/true"]
        assert fakes.launched == [(run.id, 1, "confined", 0)]

    story(tmp_path, test)


def test_a_later_attempt_resumes_from_the_newest_complete_checkpoint(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = (await add_run(context, RunStatus.queued)).model_copy(update={"attempt": 1})
        fakes.checkpoint = CHECKPOINT
        await fakes.launcher.start(run)
        assert fakes.launched == [(run.id, 2, None, 50)]
        job = read(context, run, "job.json", attempt=2)
        assert (job["resume_from"], job["resume_sha256"]) == ("checkpoints/50.json", "5" * 64)
        assert (job["timestep0"], job["episode0"], job["inexact"]) == (50, 7, False)

    story(tmp_path, test)
