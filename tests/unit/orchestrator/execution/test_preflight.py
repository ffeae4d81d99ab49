"""Pre-flight without a lab: each refusal, and one resolved command per check."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.core.commands import Command
from rl_lab.core.errors import ConsentNeeded, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.foreign.commands import Resolved
from rl_lab.orchestrator.foreign.consents import Consents
from rl_lab.store import consents

SCRIPT = Resolved(
    Command(argv=["/bin/true"], shown=["true"], cwd="/", script="/home/me/train.py"), "a" * 64, None
)


class Commands:
    """Resolves every run to the same command, and counts."""

    def __init__(self, found: Resolved | None) -> None:
        self.found = found
        self.places: list[Any] = []

    async def resolve(self, config: object, place: Any) -> Resolved | None:
        self.places.append(place)
        return self.found


class Catalogue:
    async def devices(self) -> dict[str, Any]:
        return {"cuda": False}


def preflight(context: Context, commands: Commands) -> Preflight:
    foreign: Any = SimpleNamespace(commands=commands, consents=Consents(context))
    catalogue: Any = Catalogue()
    return Preflight(context, catalogue, foreign)


@pytest.fixture(autouse=True)
def _fake_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RL_LAB_FAKE_RUNNER", "1")


def check(home: Path, commands: Commands, config: TrainConfig = CONFIG, **settings: Any) -> Resolved | None:
    async def story() -> Resolved | None:
        async with temporary_context(home, **settings) as context:
            run = (await add_run(context)).model_copy(update={"config": config})
            return await preflight(context, commands).check(run)

    return asyncio.run(story())


def test_the_labs_own_code_needs_no_approval(tmp_path: Path) -> None:
    commands = Commands(None)
    assert check(tmp_path, commands) is None
    assert len(commands.places) == 1


def test_a_script_that_is_not_approved_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConsentNeeded, match=r"train\.py has not been approved in its current version"):
        check(tmp_path, Commands(SCRIPT))


def test_an_approved_command_is_resolved_once_and_returned(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            await context.db.write(lambda conn: consents.put(conn, SCRIPT.sha256, "train.py"))
            commands = Commands(SCRIPT)
            assert await preflight(context, commands).check(run) is SCRIPT
            [place] = commands.places
            assert place.job == context.folders.find(run.id).attempt(1) / "job.json"

    asyncio.run(story())


def test_a_full_disk_is_refused_first(tmp_path: Path) -> None:
    commands = Commands(SCRIPT)
    with pytest.raises(NotReady, match="are free on the disk"):
        check(tmp_path, commands, min_free_bytes=1 << 60)
    assert commands.places == []


def test_a_gpu_that_is_not_there_is_refused(tmp_path: Path) -> None:
    wanted = CONFIG.model_copy(update={"device": "cuda"})
    with pytest.raises(NotReady, match="GPU"):
        check(tmp_path, Commands(None), wanted)


def test_a_runner_that_is_not_installed_is_refused(tmp_path: Path) -> None:
    unknown = CONFIG.model_copy(update={"runner": "unheard-of"})
    with pytest.raises(NotReady, match="is not installed here"):
        check(tmp_path, Commands(None), unknown)


def test_a_folder_that_was_deleted_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run: Run = await add_run(context)
            shutil.rmtree(context.folders.find(run.id).path)
            with pytest.raises(NotReady, match="does not exist any more"):
                await preflight(context, Commands(None)).check(run)

    asyncio.run(story())
