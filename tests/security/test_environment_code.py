"""Environments and wrappers of the user that do harm: each in a real confined process, and what the user sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.evil_environment import evil_environment, evil_wrapper
from support.labs import furnish, open_lab, wait_for, wait_for_event
from support.waiting import wait_until_async

from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeCheck, CodeQuestion, NewCode
from rl_lab.orchestrator import looking
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.orchestrator.workbench import own_environments
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes

MEMORY_BYTES = 512 << 20
DEEDS = ("behave", "reach", "loop", "fork", "fill", "leave", "forge")
WRAPPED = {"wrappers": [{"id": "custom", "code": "sly@v1"}]}
REFUSED = "RuntimeError: " + " ".join(["PermissionError"] * 6)


class Story:
    """A lab in which every deed was done in a training of its own, and some of them in a check."""

    def __init__(self, folder: Path) -> None:
        self.home, self.outside = folder / "home", folder / "outside"
        self.ended: dict[str, Run] = {}
        self.stalled = ""
        self.checked: dict[str, CodeCheck] = {}
        self.token = ""

    async def tell(self) -> None:
        limits = {"own_code_memory_bytes": MEMORY_BYTES, "stop_grace_s": 0.5, "kill_grace_s": 0.5}
        async with open_lab(self.home, **limits) as lab:
            self.token = (self.home / "token").read_text()
            lab.execution.supervisor.own_code_stalled_s = 0.5
            await self._lay_out(lab)
            await asyncio.gather(
                *(self._train(lab, deed, env_id="own:evil-v1", env_kwargs={"does": deed}) for deed in DEEDS),
                self._train(lab, "wrapper", env_id="CartPole-v1", env_kwargs=WRAPPED),
                *(self._check(lab, deed) for deed in ("sleep", "fork", "fill", "leave")),
            )

    async def _lay_out(self, lab: Lab) -> None:
        """Saved without a check, as a pack would bring them."""
        where = str(self.home), str(self.outside)
        folders = OwnEnvironmentFolders(lab.context.home)
        folders.write(OwnEnvironment("evil", 1), evil_environment(*where))
        sly = NewCode(name="sly", source=evil_wrapper(*where))
        folders.write(OwnEnvironment("sly", 1), sly.source)
        await lab.context.db.write(lambda conn: codes.save(conn, CodeKind.environment, sly))

    async def _train(self, lab: Lab, deed: str, **fields: Any) -> None:
        brief = {"total_timesteps": 2000, "evaluate_after": 0, "start": True}
        run = await lab.runs.create(NewRun(algorithm="ppo", runner="turbo", **brief, **fields))
        if deed == "loop":
            log = self.home / "runs" / run.id / "attempts" / "1" / "log.txt"
            await wait_until_async(lambda: log.exists() and deed in log.read_text(), f"it to {deed}")
            self.stalled = (await wait_for_event(lab, run.id, "stalled")).message
            assert (await lab.queries.get_run(run.id)).status is RunStatus.running
            await lab.runs.move(run.id, "stop")
        self.ended[deed] = await wait_for(lab, run.id)

    async def _check(self, lab: Lab, deed: str) -> None:
        source = evil_environment(str(self.home), str(self.outside), at_reset=deed)
        self.checked[deed] = await lab.workbench.own_environments.check(CodeQuestion(source=source))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    story = Story(tmp_path_factory.mktemp("evil"))
    story.outside.mkdir()
    story.home.mkdir()
    furnish(story.home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(looking, "PROCESSES", 40)
        patch.setattr(own_environments, "TRY_S", 8.0)
        asyncio.run(story.tell())
    yield story


def reason_of(run: Run) -> tuple[str, str, str]:
    assert run.reason is not None
    return run.status, run.reason.cause, run.reason.message


@pytest.mark.parametrize("deed", ["reach", "wrapper"])
def test_it_reaches_neither_the_lab_nor_files_nor_the_network(story: Story, deed: str) -> None:
    status, _, message = reason_of(story.ended[deed])
    assert status == "failed"
    assert REFUSED in message, message
    assert list(story.outside.iterdir()) == []
    assert not (story.home / "evil.txt").exists()


def test_a_step_that_never_returns_is_mentioned_and_can_be_stopped(story: Story) -> None:
    assert "a reset() or step() of your own code may be in an endless loop" in story.stalled
    assert reason_of(story.ended["loop"])[:2] == ("stopped", "stopped-by-force")


def test_a_fork_bomb_ends_its_run(story: Story) -> None:
    status, cause, message = reason_of(story.ended["fork"])
    assert (status, cause) == ("failed", "too-many-processes")
    assert message == "It had more than 40 processes at once and was killed."


def test_a_memory_bomb_ends_its_run_and_names_the_limit(story: Story) -> None:
    status, cause, message = reason_of(story.ended["fill"])
    assert (status, cause) == ("failed", "memory-limit")
    assert message == "Its processes used more than 0.5 GiB of memory together and were killed."
    reason = story.ended["fill"].reason
    assert reason is not None and "RL_LAB_OWN_CODE_MEMORY_BYTES" in reason.next_step


def test_a_process_that_ends_itself_has_not_succeeded(story: Story) -> None:
    assert reason_of(story.ended["leave"])[:2] == ("failed", "no-finished-event")


def test_forged_returns_are_shown_as_not_checked(story: Story) -> None:
    """In the learner's process it can report what it likes, so the lab must not vouch for it."""
    forged = story.ended["forge"]
    assert forged.status == "succeeded", forged.reason
    assert forged.summary.mean_reward == 1e6
    for run in story.ended.values():
        assert run.returns_note.startswith("Returns are what the environment's own code reports")
        assert run.isolation == "confined"


def test_the_lab_and_its_other_runs_are_not_harmed(story: Story) -> None:
    healthy = story.ended["behave"]
    assert (healthy.status, healthy.summary.mean_reward) == ("succeeded", 20.0), healthy.reason
    assert (story.home / "token").read_text() == story.token


@pytest.mark.parametrize(
    ("deed", "message", "line"),
    [
        ("sleep", "It was still busy here after 8 s", "time.sleep(600)  # here"),
        ("fork", "it started too many processes and was ended", None),
        ("fill", "it used more memory than RL_LAB_OWN_CODE_MEMORY_BYTES allows and was ended", None),
        ("leave", "its process ended early, without an answer", None),
    ],
)
def test_a_check_refuses_it_with_the_reason(story: Story, deed: str, message: str, line: str | None) -> None:
    found = story.checked[deed]
    assert not found.is_usable
    (remark,) = found.remarks
    assert message in remark.message
    if line is not None:
        source = evil_environment(str(story.home), str(story.outside), at_reset=deed)
        assert remark.line is not None
        assert source.splitlines()[remark.line - 1].strip() == line
