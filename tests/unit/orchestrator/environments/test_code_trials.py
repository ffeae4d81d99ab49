"""Code is tried once per contents and environment; what cannot be tried is said and stops nobody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput, WorkerFailed
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeCheck
from rl_lab.orchestrator.environments import code_trials
from rl_lab.orchestrator.environments.code_trials import CodeTrials

pytestmark = pytest.mark.anyio
SOURCE = "def reward_function(reward):\n    return 2 * reward\n"
WORKS = {"is_usable": True, "calls": 1000, "calls_per_second": 1e5, "slowdown": 0.1}
FAILS = {"is_usable": False, "remarks": [{"line": 2, "message": "NameError."}]}
STACKED = {"wrappers": [{"id": "frame_stack", "frames": 3}]}


class Worker:
    """Answers in the place of the worker, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: dict[str, Any] | Exception = WORKS

    async def call(self, name: str, question: dict[str, Any], **_: Any) -> dict[str, Any]:
        assert name == "check_code"
        self.asked.append(question)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def find(env_id: str) -> Environment:
    if env_id != "CartPole-v1":
        raise InvalidInput.of_field("env_id", f"There is no environment {env_id}.")
    return Environment.model_construct(id=env_id, package="gymnasium 1.0")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    found = Worker()
    monkeypatch.setattr(code_trials, "call_worker", found.call)
    return found


@pytest.fixture
async def trials(worker: Worker, tmp_path: Path) -> AsyncIterator[CodeTrials]:
    async with temporary_context(tmp_path) as context:
        yield CodeTrials(context, find)


async def try_in(
    trials: CodeTrials, env_id: str = "CartPole-v1", source: str = SOURCE, **env_kwargs: Any
) -> CodeCheck:
    return await trials.find(CodeKind.reward, source, env_id, env_kwargs)


async def test_what_works_is_tried_once_per_contents_and_environment(
    trials: CodeTrials, worker: Worker
) -> None:
    for _ in range(2):
        assert (await try_in(trials)).calls == 1000
    assert len(worker.asked) == 1
    await try_in(trials, **STACKED)
    await try_in(trials, source=SOURCE + "# changed\n")
    assert [one["env_kwargs"] for one in worker.asked] == [{}, STACKED, {}]


async def test_what_fails_is_tried_again(trials: CodeTrials, worker: Worker) -> None:
    worker.answer = FAILS
    assert not (await try_in(trials)).is_usable
    worker.answer = WORKS
    assert (await try_in(trials)).is_usable


async def test_a_missing_environment_or_a_broken_worker_stops_nobody(
    trials: CodeTrials, worker: Worker
) -> None:
    worker.answer = WorkerFailed("It took longer than 90 s.")
    for env_id, reason in {
        "Nowhere-v0": "no environment Nowhere-v0",
        "CartPole-v1": "longer than 90 s",
    }.items():
        found = await try_in(trials, env_id)
        assert found.is_usable and not found.calls
        [remark] = found.remarks
        assert remark.level == "info" and "It was not tried" in remark.message and reason in remark.message
