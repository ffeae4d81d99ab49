"""One start of a script does each piece of work once: pre-flight and the command at creation, and again at launch."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.foreign import interpreter_probe
from rl_lab.orchestrator.foreign.commands import Commands
from rl_lab.orchestrator.runs.requests import NewRun


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a command was resolved, a pre-flight was run, an interpreter was started to be asked."""
    calls: Counter[str] = Counter()

    def count(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        async def called(*args: Any, **kwargs: Any) -> Any:
            calls[name] += 1
            return await original(*args, **kwargs)

        return called

    monkeypatch.setattr(Commands, "resolve", count("resolve", Commands.resolve))
    monkeypatch.setattr(Preflight, "_check_runner", count("pre-flight", Preflight._check_runner))
    monkeypatch.setattr(interpreter_probe, "_run", count("probe", interpreter_probe._run))
    return calls


@pytest.fixture
def module(tmp_path: Path) -> NewRun:
    """A module of the user's: where it is must be asked of the interpreter each time."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "train.py").write_text("print('trained')\n")
    params = {"command": [sys.executable, "-m", "train"], "folder": str(folder)}
    return NewRun(runner="script", algorithm="python", params=params, start=True)


def test_create_and_start_resolve_the_command_twice(
    home: Path, module: NewRun, counted: Counter[str]
) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            shown = await lab.runs.preview_command(module)
            counted.clear()
            run = await lab.runs.create(module.model_copy(update={"consent": shown.sha256}))
            assert (await wait_for(lab, run.id)).status is RunStatus.succeeded
            assert counted == {"resolve": 2, "pre-flight": 2, "probe": 2}

    asyncio.run(story())


def test_a_later_start_resolves_the_command_when_asked_and_at_launch(
    home: Path, module: NewRun, counted: Counter[str]
) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            shown = await lab.runs.preview_command(module)
            approved = module.model_copy(update={"consent": shown.sha256, "start": False})
            run = await lab.runs.create(approved)
            counted.clear()
            await lab.runs.move(run.id, "start")
            assert (await wait_for(lab, run.id)).status is RunStatus.succeeded
            assert counted == {"resolve": 2, "pre-flight": 2, "probe": 2}

    asyncio.run(story())
