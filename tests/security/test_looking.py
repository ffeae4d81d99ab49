"""Looking at a run never executes foreign code with the lab's rights: what draws it is confined, and writes nothing."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, make_settings, open_lab, wait_for
from support.waiting import wait_until_async

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.play import PlayConfig, TakeOver
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.runs import Run
from rl_lab.core.workbench.bench import BenchEpisodes, BenchRequest, BenchReward, RewardScore
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import looking
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.looking import is_foreign, looking_rights, own_code, require_confined
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.portable.frame_protocol import split_frame_message

ENV_ID = "trap:Trap-v0"
TRAP = '''
import os, pathlib
import gymnasium
import numpy as np

HOME, OUTSIDE = map(pathlib.Path, ({home!r}, {outside!r}))


def attempt(what):
    """What the code of an environment might try; an escape leaves a file behind."""
    try:
        return str(what())
    except OSError as error:
        return "refused: " + str(error.strerror)


def escape(name):
    (OUTSIDE / name).write_text("written")
    return "written"


SEEN = {{
    "token": attempt(lambda: (HOME / "token").read_text()),
    "database": attempt(lambda: (HOME / "lab.db").read_bytes()[:6]),
    "write": attempt(lambda: escape("module-" + str(os.getpid()))),
    "script": attempt(lambda: pathlib.Path(__file__).write_text("")),
    "temporary": attempt(lambda: open(os.environ["TMPDIR"] + "/cache", "w").close()),
}}


class Trap(gymnasium.Env):
    metadata = {{"render_modes": ["rgb_array"], "render_fps": 30}}
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Box(0.0, 9.0, (1,), np.float32)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        attempt(lambda: escape("made-" + str(os.getpid())))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = 0
        return np.array([0], np.float32), dict(SEEN)

    def step(self, action):
        self.at += 1
        return np.array([self.at], np.float32), 1.0, self.at >= 3, False, dict(SEEN)

    def render(self):
        return np.full((32, 32, 3), 40 * self.at, np.uint8)


gymnasium.register("Trap-v0", entry_point=Trap, max_episode_steps=5)
'''
SPY = """
def reward_function(info):
    try:
        open({token!r}).read()
    except OSError:
        return {{"refused": 1.0}}
    return {{"read": 1.0}}
"""
PROGRAM = """#!/bin/sh
echo '{config}'
echo '{episode}'
echo '{{"type": "finished", "outcome": "succeeded"}}'
"""

needs_landlock = pytest.mark.skipif(not probe().landlock, reason="this machine cannot confine")


class Trapped:
    """A lab with one run of a program that named the trap as its environment."""

    def __init__(self, lab: Lab, run: Run, outside: Path) -> None:
        self.lab, self.run, self.outside = lab, run, outside

    def assert_nothing_escaped(self, by: str) -> None:
        assert sorted(path.name for path in self.outside.iterdir()) == [], by


@pytest.fixture
def outside(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder beside the lab's; the trap is where the lab's own Python finds it, as in an editable install."""
    furnish(home)
    (home / "token").write_text("t" * 43)
    (home / "token").chmod(0o600)
    folder, code = tmp_path / "outside", tmp_path / "code"
    folder.mkdir()
    code.mkdir()
    (code / "trap.py").write_text(TRAP.format(home=str(home), outside=str(folder)))
    monkeypatch.setenv("PYTHONPATH", str(code))
    return folder


@asynccontextmanager
async def trapped(home: Path, outside: Path) -> AsyncIterator[Trapped]:
    program = outside.parent / "trainer"
    packing = {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}
    trace = {"count": 3, "actions": base64.b64encode(b"\0\1\0").decode()}
    config = {"type": "config", "env_id": ENV_ID, "action": packing}
    episode = {"type": "episode", "episode": 0, "seed": 1, "steps": 3, "return": 3.0, "terminated": True}
    episode |= {"truncated": False, "timestep": 3, "trace": trace}
    program.write_text(PROGRAM.format(config=json.dumps(config), episode=json.dumps(episode)))
    program.chmod(0o755)
    new = NewRun(runner="program", algorithm="protocol", params={"command": [str(program)]}, start=True)
    async with open_lab(home) as lab:
        preview = await lab.runs.preview_command(new)
        run = await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))
        yield Trapped(lab, await wait_for(lab, run.id), outside)


def in_a_trap(home: Path, outside: Path, story: Callable[[Trapped], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with trapped(home, outside) as found:
            await story(found)
            found.assert_nothing_escaped("anything")

    asyncio.run(whole())


@needs_landlock
def test_b3_looking_at_a_foreign_run_executes_its_code_confined(home: Path, outside: Path) -> None:
    """In every way there is: one lab for all of them, because its start takes longer than a look."""

    async def story(found: Trapped) -> None:
        for look in (
            see_steps,
            see_replay,
            see_feed,
            see_preview,
            see_video,
            see_report,
            see_film,
            see_bench,
            see_play,
        ):
            await look(found.lab, found.run.id)
            found.assert_nothing_escaped(look.__name__)

    in_a_trap(home, outside, story)


async def see_steps(lab: Lab, run_id: str) -> None:
    table = await lab.viewing.steps(run_id, 0)
    assert table["exact"] is True, table["note"]
    seen = table["steps"][0]["info"]
    for name in ("token", "database", "write", "script"):
        assert seen[name].startswith("refused"), name
    assert seen["temporary"] == "None", "libraries need a folder for their caches"


async def see_replay(lab: Lab, run_id: str) -> None:
    async with lab.viewing.replay(run_id, 0) as renderer:
        assert await picture_of(renderer.messages())


async def see_feed(lab: Lab, run_id: str) -> None:
    async with lab.viewing.watch(run_id, 15) as feed:
        await wait_until_async(lambda: feed.problem or feed.frame, "a frame of the feed")
        assert feed.problem is None


async def see_preview(lab: Lab, _: str) -> None:
    async with lab.viewing.preview(await lab.environments.get(ENV_ID)) as renderer:
        assert await picture_of(renderer.messages())
    assert (await lab.environments.thumbnail(ENV_ID))[:2] == b"\xff\xd8"


async def see_video(lab: Lab, run_id: str) -> None:
    video = await lab.jobs.film_episode(run_id, 0, "gif")
    file = lab.context.folders.find(run_id).path / video.path
    assert file.read_bytes()[:3] == b"GIF"
    assert file.stat().st_size == video.size


async def see_report(lab: Lab, run_id: str) -> None:
    assert "data:image/jpeg" in await lab.queries.report(run_id, "html")


async def see_film(lab: Lab, run_id: str) -> None:
    """A job is a run: it is confined to its own folder, and who looks at it is confined too."""
    job = await lab.jobs.start(FilmConfig(run_id=run_id, scenes=1, format="gif"))
    ended = await wait_for(lab, job.id)
    assert (ended.status, ended.isolation) == ("succeeded", "confined"), ended.reason
    assert is_foreign(ended)
    assert (lab.context.folders.find(job.id).path / "files" / "film.gif").read_bytes()[:3] == b"GIF"


async def see_play(lab: Lab, run_id: str) -> None:
    """A moment is taken over by a confined play, in the state that was recorded."""
    job = await lab.jobs.start(PlayConfig(start=TakeOver(run_id=run_id, episode=0, step=2)))
    async with lab.plays.open(job.id) as opened:
        taken = await frame_of(opened.connection.messages())
        assert (taken["step"], taken["taken_over_at"], taken["observation"]) == (2, 2, [2.0])
        assert taken["info"]["token"].startswith("refused")
        await opened.send({"op": "end"})
    ended = await wait_for(lab, job.id)
    assert (ended.status, ended.isolation) == ("succeeded", "confined"), ended.reason


async def frame_of(messages: AsyncIterator[bytes]) -> dict[str, Any]:
    async for message in messages:
        header, _ = split_frame_message(message)
        if "op" not in header:
            return dict(header)
    raise AssertionError("the play ended without a frame")


def bench_of(run_id: str, reward: BenchReward | None = None) -> BenchRequest:
    tried = reward or BenchReward(source="def reward_function(): return 1")
    return BenchRequest(rewards=[tried], run_ids=[run_id])


async def see_bench(lab: Lab, run_id: str) -> None:
    """The environment is confined; the reward, whose process that confined one starts, is confined once more."""
    reward = BenchReward(source=SPY.format(token=str(lab.context.home / "token")))
    bench = await lab.workbench.bench.prepare(bench_of(run_id, reward))
    messages = [message async for message in lab.workbench.bench.run(bench)]
    (episode,) = [one for message in messages if isinstance(message, BenchEpisodes) for one in message.items]
    assert episode.scores == [RewardScore(own_return=3.0, terms={"refused": 3.0})], messages
    assert (episode.env_return, episode.is_exact) == (3.0, True)


def test_b3_without_landlock_a_module_that_a_run_named_is_not_drawn(
    home: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(found: Trapped) -> None:
        monkeypatch.setattr(looking, "probe", lambda: Available("linux"))
        for look in (
            found.lab.viewing.steps(found.run.id, 0),
            found.lab.jobs.film_episode(found.run.id, 0, "gif"),
            found.lab.jobs.start(FilmConfig(run_id=found.run.id, scenes=1)),
            found.lab.jobs.start(PlayConfig(start=TakeOver(run_id=found.run.id, episode=0, step=0))),
            found.lab.workbench.bench.prepare(bench_of(found.run.id)),
        ):
            with pytest.raises(NotReady, match="cannot confine"):
                await look
        assert "cannot confine" in await found.lab.queries.report(found.run.id, "html")

    in_a_trap(home, outside, story)


def test_b3_only_what_foreign_code_named_needs_landlock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "probe", lambda: Available("linux"))
    rights = looking_rights(make_settings(home))
    require_confined(None, ENV_ID)
    require_confined(rights, "CartPole-v1")
    for env_id, is_remote in ((ENV_ID, False), ("Corridor-v0", True)):
        with pytest.raises(NotReady):
            require_confined(rights, env_id, is_remote=is_remote)


async def picture_of(messages: AsyncIterator[bytes]) -> bytes:
    async for message in messages:
        _, jpeg = split_frame_message(message)
        if jpeg:
            return jpeg
    raise AssertionError("the renderer ended without a picture")


@needs_landlock
@pytest.mark.parametrize("env_id", ["LunarLander-v3", "ALE/Pong-v5"])
def test_b3_installed_environments_are_drawn_confined_as_before(home: Path, env_id: str) -> None:
    async def both() -> list[Any]:
        rights, question = looking_rights(make_settings(home)), {"env_id": env_id}
        return [await call_worker("thumbnail", question, confine=one) for one in (None, rights)]

    plain, confined = asyncio.run(both())
    assert plain == confined


SURVIVOR = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        # Of the caller's pipes nothing is kept, so that nobody waits for this process.
        nowhere = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(nowhere, fd)
        os.closerange(3, 64)
        time.sleep(600)
    os._exit(0)
os.wait()
raise RuntimeError("left behind")
"""


@needs_landlock
def test_b3_nothing_that_a_looking_process_started_outlives_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = f"rl-lab-test-{os.getpid()}-{tmp_path.name}"
    code = tmp_path / "code"
    code.mkdir()
    (code / "survivor.py").write_text(SURVIVOR)
    monkeypatch.setenv("PYTHONPATH", str(code))
    monkeypatch.setenv("LC_RL_LAB_TEST", marker)  # of the kept variables, so that its processes can be found

    async def ask() -> None:
        rights = looking_rights(make_settings(home))
        with pytest.raises(Exception, match="left behind"):
            await call_worker("thumbnail", {"env_id": "survivor:Some-v0"}, confine=rights)

    asyncio.run(ask())
    assert marked(marker) == []


def marked(marker: str) -> list[int]:
    """Processes other than this one with the marker among their variables."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                variables = (folder / "environ").read_bytes()
            except OSError:
                continue
            if marker.encode() in variables:
                found.append(int(folder.name))
    return found


def test_b3_the_labs_own_files_are_not_readable_even_where_modules_lie_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "lab"
    home.mkdir()
    (tmp_path / "module.py").touch()
    (tmp_path / "secret.txt").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    readable = own_code(home)
    assert str(tmp_path / "module.py") in readable
    assert not any(home == Path(path) or Path(path) in home.parents for path in readable)
    assert str(tmp_path / "secret.txt") not in readable
    assert str(Path(sys.prefix)) in readable
