"""Replays: any moment of any recorded episode, exactly as it was, or a clear word about why not."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.server import command
from support.studio import (
    Studio,
    assert_plays_everywhere,
    decode,
    difference,
    frames_of,
    observations_of,
    train,
)
from support.viewer import view

from rl_lab.core.errors import NotReady
from rl_lab.core.words.file_names import file_name
from rl_lab.orchestrator.background import BackgroundTasks
from rl_lab.orchestrator.bus import Bus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.home import make_home
from rl_lab.orchestrator.run_folders import RunFolders
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.settings import Settings
from rl_lab.store.sql.database import Database
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation


@pytest.fixture(scope="module")
def longest(studio: Studio) -> int:
    [row] = studio.episodes(studio.expert, sort="-length", limit=1, recorded=True)
    return int(row["episode"])


def test_every_moment_looks_as_it_was_in_whatever_order(studio: Studio, longest: int) -> None:
    recording = studio.recording(studio.expert, longest)
    frames, seen = frames_of(Simulation(recording)), observations_of(recording)
    steps = random.Random(2).sample(range(recording.count + 1), 12)
    with view(studio.server, f"/api/runs/{studio.expert}/episodes/{longest}/replay") as viewer:
        opened = viewer.next().header
        assert (opened["op"], opened["length"], opened["exact"]) == ("opened", recording.count, True)
        assert opened["action_names"] == ["push left", "push right"]
        assert viewer.picture().header["step"] == 0
        for step in [*steps, recording.count, 0]:
            picture = viewer.seek(step)
            assert picture.jpeg == to_jpeg(frames[step]), f"step {step}"
            assert np.array_equal(np.float32(picture.header["observation"]), seen[step])
        assert np.isfinite(picture.header["value"])
        assert 0 < picture.header["chosen_probability"] <= 1


def test_a_viewer_plays_pauses_and_steps_both_ways(studio: Studio, longest: int) -> None:
    with view(studio.server, f"/api/runs/{studio.expert}/episodes/{longest}/replay?step=10") as viewer:
        viewer.next()
        assert viewer.picture().header["step"] == 10
        viewer.send("step", by=1)
        assert viewer.picture().header["step"] == 11
        viewer.send("step", by=-3)
        assert viewer.picture().header["step"] == 8
        viewer.send("play", speed=99)
        shown = []
        while not shown or shown[-1]["playing"]:
            shown.append(viewer.picture().header)
        assert shown[0]["speed"] == 16, "no faster than sixteen times"
        assert [s["step"] for s in shown] == sorted({s["step"] for s in shown})
        assert shown[-1]["step"] == studio.recording(studio.expert, longest).count
        assert shown[-1]["terminated"] or shown[-1]["truncated"]


def test_commands_that_make_no_sense_change_nothing(studio: Studio, longest: int) -> None:
    with view(studio.server, f"/api/runs/{studio.expert}/episodes/{longest}/replay") as viewer:
        viewer.next()
        viewer.picture()
        viewer._socket.send("{not json")
        assert "not a command" in viewer.error()["message"]
        viewer.send("dance", step="x")
        viewer.send("seek", step=10**9)
        assert viewer.picture().header["step"] == studio.recording(studio.expert, longest).count


def test_an_episode_that_is_not_there_says_why(studio: Studio) -> None:
    def problem(run_id: str, episode: int) -> dict[str, Any]:
        with view(studio.server, f"/api/runs/{run_id}/episodes/{episode}/replay") as viewer:
            found = viewer.error()
            assert viewer.is_closed()
        answer = studio.server.client.get(f"/api/runs/{run_id}/episodes/{episode}/steps")
        assert (answer.status_code, answer.json()["detail"]) == (found["status"], found["detail"])
        return found

    assert problem(studio.novice, 10**6)["status"] == 404
    silent = train(studio.server, total_timesteps=2048, record=False)
    assert "keeps none" in problem(silent, 0)["detail"]
    film = studio.refused(f"/api/runs/{silent}/films", show="episodes")
    assert film["status"] == 409 and "recording on" in film["next_step"]
    thinned = train(studio.server, total_timesteps=400_000)
    [row] = studio.episodes(thinned, recorded=False, limit=1)
    gone = problem(thinned, row["episode"])
    assert gone["status"] == 410
    assert "deleted to save space" in gone["detail"]
    assert "can be replayed" in gone["next_step"]
    never = studio.post("/api/runs", env_id="CartPole-v1", algorithm="ppo", runner="turbo", start=False)
    assert "not started yet" in problem(never["id"], 0)["detail"]


def test_another_version_of_the_environment_is_not_called_exact(studio: Studio, tmp_path: Path) -> None:
    async def opening() -> dict[str, Any]:
        viewing = _viewing(studio, tmp_path, package="gymnasium 0.0.1")
        async with viewing.replay(studio.novice, 0) as renderer:
            async for message in renderer.messages():
                header: dict[str, Any] = split_frame_message(message)[0]
                break
        assert (await viewing.steps(studio.novice, 0))["note"] == header["note"]
        await viewing.close()
        return header

    header = asyncio.run(opening())
    assert header["exact"] is None
    assert "gymnasium 0.0.1 is installed now" in header["note"]


def test_an_environment_that_is_gone_is_named_with_its_remedy(studio: Studio, tmp_path: Path) -> None:
    async def open_replay(**changes: Any) -> None:
        async with _viewing(studio, tmp_path, **changes).replay(studio.novice, 0):
            raise AssertionError("opened")

    with pytest.raises(NotReady, match="cannot be created: The Python package") as broken:
        asyncio.run(
            open_replay(problem="The Python package “pygame” is not installed.", remedy="pip install pygame")
        )
    assert broken.value.next_step == "pip install pygame"
    with pytest.raises(NotReady, match="is no longer installed"):
        asyncio.run(open_replay(id="Other-v1"))


def _viewing(studio: Studio, folder: Path, **changes: Any) -> Viewing:
    """The studio's runs, seen from a machine whose CartPole is another one."""
    make_home(folder)
    known = json.loads((studio.home / "cache" / "environments.json").read_text())
    for entry in known["environments"]:
        if entry["id"] == "CartPole-v1":
            entry.update(changes)
    (folder / "cache" / "environments.json").write_text(json.dumps(known))
    bus = Bus()
    database: Any = Database(studio.home)
    changes = ChangeFeed(database, bus)
    folders = RunFolders(studio.home, database, bus, changes)
    context = Context(Settings(), studio.home, database, bus, changes, folders, BackgroundTasks())
    environments: Any = SimpleNamespace(catalogue=_Known(replace(context, home=folder)))
    return Viewing(context, environments, lambda run_id, control: None)


class _Known(Catalogue):
    """A catalogue that takes its file at its word."""

    async def _load(self) -> Any:
        return self._read(json.loads(self._file.read_bytes())["key"])


def test_the_command_prints_steps_and_saves_a_video(studio: Studio, longest: int, tmp_path: Path) -> None:
    target = tmp_path / "episode.mp4"
    done = command(studio.home, "replay", studio.expert, str(longest), "--steps", "--mp4", str(target))
    assert done.returncode == 0, done.stderr
    recording = studio.recording(studio.expert, longest)
    rows = [line for line in done.stdout.splitlines() if line.strip().split(" ")[0].isdigit()]
    assert len(rows) == recording.count + 1
    assert f"?tab=episodes&episode={longest}" in done.stdout
    film = decode(target)
    assert_plays_everywhere(film)
    last = frames_of(Simulation(recording))[-1]
    assert difference(film.frames[-1], last) < 3
    listed = command(studio.home, "episodes", studio.expert, "--limit", "3", "--recorded")
    assert listed.stdout.count("yes") == 3
    wrong = command(studio.home, "replay", studio.expert, "nicest")
    assert wrong.returncode == 2
    assert "best, worst" in wrong.stderr


def test_the_command_saves_a_gif_named_after_run_and_episode(studio: Studio, tmp_path: Path) -> None:
    name = studio.server.client.get(f"/api/runs/{studio.expert}").json()["name"]
    target = tmp_path / file_name(name, "best episode", ".gif")
    done = command(studio.home, "replay", studio.expert, "best", "--gif", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert f"Video: {target}" in done.stdout
    assert target.read_bytes().startswith(b"GIF8")
    again = command(studio.home, "replay", studio.expert, "best", "--gif", str(target))
    assert again.returncode != 0 and "exists already" in again.stderr and "Next:" in again.stderr


@pytest.mark.parametrize(
    ("option", "file", "said"),
    [
        ("--gif", "best.mp4", "Name a file that ends in .gif, or a folder."),
        ("--mp4", "best.gif", "Name a file that ends in .mp4, or a folder."),
        ("--mp4", "no/where/best.mp4", "does not exist"),
    ],
)
def test_a_wrong_place_for_a_video_is_refused(
    studio: Studio, tmp_path: Path, option: str, file: str, said: str
) -> None:
    refused = command(studio.home, "replay", studio.expert, "best", option, str(tmp_path / file))
    assert refused.returncode != 0 and said in refused.stderr, refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_video_of_an_unknown_run_is_refused(studio: Studio, tmp_path: Path) -> None:
    refused = command(studio.home, "replay", "no-such-run", "--gif", str(tmp_path / "a.gif"))
    assert refused.returncode != 0 and "no-such-run" in refused.stderr and "Next:" in refused.stderr
