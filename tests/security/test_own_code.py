"""Without Landlock, environments and wrappers of the user are executed only after their contents were approved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for
from support.waiting import wait_until_async

from rl_lab.core.errors import ConsentNeeded, LabError, WorkerFailed
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeQuestion, NewCode, code_hash
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents, looking
from rl_lab.orchestrator.foreign import isolation
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import consents
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes

MARKED = """
import os, pathlib
import gymnasium
import numpy as np

(pathlib.Path({outside!r}) / "{name}").write_text("executed")
MAX_EPISODE_STEPS = 5
"""
GRID = """
class Grid(gymnasium.Env):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Box(0.0, 9.0, (1,), np.float32)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.ones(1, np.float32), 1.0, False, False, {}

    def render(self):
        return np.zeros((32, 32, 3), np.uint8)
"""
SLOWER = """
class Slower(gymnasium.Wrapper):
    pass
"""
ENV_ID = "own:grid-v1"
WRAPPED = {"wrappers": [{"id": "custom", "code": "my slower@v1"}]}
SCRIPT = """
import gymnasium
env = gymnasium.make("own:grid-v1")
env.reset(seed=1)
for _ in range(5):
    env.step(0)
"""


class OwnCode:
    """A lab on a machine without Landlock, with an environment from a pack and a wrapper that was saved elsewhere."""

    def __init__(self, lab: Lab, outside: Path) -> None:
        self.lab, self.outside = lab, outside
        marked = {name: MARKED.format(outside=str(outside), name=name) for name in ("grid", "slower")}
        self.grid, self.slower = marked["grid"] + GRID, marked["slower"] + SLOWER

    async def lay_out(self) -> None:
        """As importing a pack does: nothing is executed."""
        folders = OwnEnvironmentFolders(self.lab.context.home)
        folders.write(OwnEnvironment("grid", 1), self.grid)
        folders.write(OwnEnvironment("my-slower", 1), self.slower)
        wrapper = NewCode(name="my slower", source=self.slower)
        await self.lab.context.db.write(lambda conn: codes.save(conn, CodeKind.environment, wrapper))

    async def approve(self, source: str) -> None:
        sha256 = code_hash(source)
        await self.lab.context.db.write(lambda conn: consents.put(conn, sha256, "for the test"))

    def executed(self) -> list[str]:
        return sorted(path.name for path in self.outside.iterdir())


@pytest.fixture
def outside(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    furnish(home)
    for module in (looking, code_consents, isolation):
        monkeypatch.setattr(module, "probe", lambda: Available("linux"))
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def in_a_lab(home: Path, outside: Path, story: Callable[[OwnCode], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with open_lab(home) as lab:
            own = OwnCode(lab, outside)
            await own.lay_out()
            await story(own)

    asyncio.run(whole())


async def describe(lab: Lab) -> None:
    assert (await lab.environments.get(ENV_ID)).action_space == "DISCRETE(2)"


async def thumbnail(lab: Lab) -> None:
    assert (await lab.environments.thumbnail(ENV_ID))[:2] == b"\xff\xd8"


async def smoke_test(lab: Lab) -> None:
    assert await lab.environments.smoke_test(ENV_ID)


async def repeatability(lab: Lab) -> None:
    assert (await lab.environments.check_repeatability(ENV_ID))["exact"] is True


async def keys(lab: Lab) -> None:
    assert (await lab.plays.controls(ENV_ID)).keys


async def preview(lab: Lab) -> None:
    async with lab.viewing.preview(await lab.environments.get(ENV_ID)) as renderer:
        async for message in renderer.messages():
            assert message
            return


async def train(lab: Lab) -> None:
    new = NewRun(env_id=ENV_ID, algorithm="ppo", runner="turbo", total_timesteps=200, start=True)
    ended = await wait_for(lab, (await lab.runs.create(new)).id)
    assert ended.status == "succeeded", ended.reason


async def play(lab: Lab) -> None:
    await _start_play(lab, PlayConfig(env_id=ENV_ID))


async def play_with_wrapper(lab: Lab) -> None:
    await _start_play(lab, PlayConfig(env_id="CartPole-v1", env_kwargs=WRAPPED))


async def evaluate_with_wrapper(lab: Lab) -> None:
    new = NewRun(env_id="CartPole-v1", algorithm="ppo", runner="turbo", total_timesteps=200, start=True)
    trained = await wait_for(lab, (await lab.runs.create(new)).id)
    job = await lab.jobs.start(EvaluateConfig(run_id=trained.id, episodes=1, env_kwargs=WRAPPED))
    ended = await wait_for(lab, job.id)
    assert ended.status == "succeeded", ended.reason


async def _start_play(lab: Lab, config: PlayConfig) -> None:
    run = await lab.jobs.start(config)
    await wait_for(lab, run.id, RunStatus.running)
    async with lab.plays.open(run.id) as seat:
        async for _ in seat.connection.messages():
            break


@pytest.mark.parametrize(
    "way",
    [
        describe,
        thumbnail,
        smoke_test,
        repeatability,
        keys,
        preview,
        train,
        play,
        play_with_wrapper,
        evaluate_with_wrapper,
    ],
)
def test_own_code_is_executed_only_after_its_contents_were_approved(
    home: Path, outside: Path, way: Callable[[Lab], Awaitable[None]]
) -> None:
    async def story(own: OwnCode) -> None:
        is_wrapper = "wrapper" in way.__name__
        needed, name = (own.slower, "slower") if is_wrapper else (own.grid, "grid")
        await own.approve(own.grid if is_wrapper else own.slower)
        with pytest.raises(ConsentNeeded) as refused:
            await way(own.lab)
        assert [one.allowed for one in refused.value.errors] == [[code_hash(needed)]]
        assert own.executed() == []
        await own.approve(needed)
        await way(own.lab)
        assert own.executed() == [name]

    in_a_lab(home, outside, story)


def test_the_approval_that_comes_with_a_new_training_is_enough(home: Path, outside: Path) -> None:
    async def story(own: OwnCode) -> None:
        new = NewRun(env_id=ENV_ID, algorithm="ppo", runner="turbo", total_timesteps=200, start=True)
        with pytest.raises(ConsentNeeded):
            await own.lab.runs.create(new.model_copy(update={"consent": code_hash("other")}))
        assert own.executed() == []
        run = await own.lab.runs.create(new.model_copy(update={"consent": code_hash(own.grid)}))
        ended = await wait_for(own.lab, run.id)
        assert (ended.status, ended.isolation) == ("succeeded", "none"), ended.reason
        assert own.executed() == ["grid"]

    in_a_lab(home, outside, story)


@pytest.mark.parametrize(
    "question",
    [
        {"env_id": ENV_ID},
        {"env_id": "CartPole-v1", "env_kwargs": WRAPPED},
        {"env_id": "CartPole-v1", "env_kwargs": {"wrappers": [{"id": "custom", "code": "my-slower@v01"}]}},
    ],
)
def test_a_process_refuses_what_is_not_approved_whoever_names_it(
    home: Path, outside: Path, question: dict[str, Any]
) -> None:
    """Recordings and checkpoints of a pack name environments as well, and no request is checked for those."""

    async def story(own: OwnCode) -> None:
        rights = await Looking(own.lab.context).rights()
        assert rights.approved_versions == []
        with pytest.raises(WorkerFailed, match="is not approved"):
            await call_worker("thumbnail", question, confine=rights)
        assert own.executed() == []
        await own.approve(own.grid)
        await own.approve(own.slower)
        rights = await Looking(own.lab.context).rights()
        assert (await call_worker("thumbnail", question, confine=rights))["jpeg"]

    in_a_lab(home, outside, story)


def test_a_recorded_episode_is_not_drawn_after_the_approval_was_taken_back(home: Path, outside: Path) -> None:
    async def story(own: OwnCode) -> None:
        await own.approve(own.slower)
        lab, brief = own.lab, {"total_timesteps": 500, "evaluate_after": 0, "start": True}
        new = NewRun(env_id="CartPole-v1", env_kwargs=WRAPPED, algorithm="ppo", runner="turbo", **brief)
        run = await lab.runs.create(new)
        assert (await wait_for(lab, run.id)).status == "succeeded"
        assert (await lab.viewing.steps(run.id, 0))["steps"]
        await lab.foreign.consents.withdraw(code_hash(own.slower))
        (outside / "slower").unlink()
        for look in (
            lab.viewing.steps(run.id, 0),
            lab.jobs.film_episode(run.id, 0, "gif"),
            lab.jobs.start(EvaluateConfig(run_id=run.id, episodes=1)),
        ):
            with pytest.raises(LabError, match=r"approved|cannot confine"):
                await look
        async with lab.viewing.watch(run.id, 15) as feed:
            await wait_until_async(lambda: feed.problem, "the feed to be refused")
        assert own.executed() == []
        page = await lab.queries.report(run.id, "html")
        assert run.name in page, "pages that show the run are there without it"
        assert own.executed() == []

    in_a_lab(home, outside, story)


def test_code_that_is_tried_wraps_nothing_that_is_not_approved(home: Path, outside: Path) -> None:
    async def story(own: OwnCode) -> None:
        source = own.slower + "\nTRIED = 1\n"
        asked = CodeQuestion(source=source, env_id=ENV_ID, consent=code_hash(source))
        found = await own.lab.workbench.own_environments.check(asked)
        assert any("is not approved" in one.message for one in found.remarks), found.remarks
        assert own.executed() == ["slower"]

    in_a_lab(home, outside, story)


def test_an_approved_script_executes_approved_environments_only(
    home: Path, outside: Path, tmp_path: Path
) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)

    async def run_script(lab: Lab) -> Run:
        new = NewRun(runner="script", algorithm="python", params={"command": [str(script)]}, start=True)
        preview = await lab.runs.preview_command(new)
        run = await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))
        return await wait_for(lab, run.id)

    async def story(own: OwnCode) -> None:
        assert (await run_script(own.lab)).status == "failed"
        assert own.executed() == []
        await own.approve(own.grid)
        ended = await run_script(own.lab)
        assert ended.status == "succeeded", ended.reason
        assert own.executed() == ["grid"]

    in_a_lab(home, outside, story)
