"""The live feed: the newest episode as it is played, two pictures under way at most, a process only while watched."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from support.studio import Studio, decode, difference
from support.viewer import view
from support.waiting import wait_until

from rl_lab.core.errors import LabError
from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.viewing.recordings import newest_recording
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation


@pytest.fixture(scope="module")
def endless(studio: Studio) -> Iterator[str]:
    """A training whose first episode never ends."""
    run = studio.post(
        "/api/runs",
        env_id="MountainCar-v0",
        env_kwargs={"max_episode_steps": 10_000_000},
        algorithm="ppo",
        runner="sb3",
        total_timesteps=100_000_000,
        seed=3,
        evaluate_after=0,
        start=True,
    )
    wait_until(lambda: newest_recording(studio.home, run["id"]), "the first steps of the episode")
    yield run["id"]
    studio.post(f"/api/runs/{run['id']}/stop")
    studio.server.wait(run["id"], "stopped")


def test_a_long_episode_is_seen_while_it_happens_pixel_by_pixel(studio: Studio, endless: str) -> None:
    with view(studio.server, f"/api/runs/{endless}/frames?fps=30") as viewer:
        shown = [viewer.picture() for _ in range(25)]
    steps = [p.header["step"] for p in shown]
    assert steps == sorted(set(steps))
    recording = newest_recording(studio.home, endless)
    assert recording is not None
    assert not recording.complete
    simulation = Simulation(recording)
    for picture in shown:
        simulation.advance_to(picture.header["step"])
        assert picture.jpeg == to_jpeg(simulation.frame()), f"step {picture.header['step']}"
        assert picture.header["return"] == simulation.returned
        assert (picture.header["terminated"], picture.header["source"]) == (False, "live")


def test_each_frame_is_newer_than_the_one_before(studio: Studio, endless: str) -> None:
    with view(studio.server, f"/api/runs/{endless}/frames?fps=30") as viewer:
        shown = [viewer.picture().header for _ in range(31)]
    assert [header["seq"] for header in shown] == sorted({header["seq"] for header in shown})
    drawn_at = [header["at"] for header in shown]
    assert drawn_at == sorted(set(drawn_at))


def test_a_stalled_viewer_gets_two_old_frames_and_then_the_newest(studio: Studio, endless: str) -> None:
    address = f"/api/runs/{endless}/frames?fps=30"
    with view(studio.server, address) as other, view(studio.server, address) as stalled:
        old = [stalled.next(ack=False), stalled.next(ack=False)]
        seen = [other.picture() for _ in range(20)]
        with pytest.raises(TimeoutError):
            stalled.next(ack=False, timeout_s=0.2)
        stalled.ack()
        fresh = stalled.next(ack=False)
    assert old[1].header["seq"] < seen[-1].header["seq"]
    assert fresh.header["seq"] >= seen[-1].header["seq"], "whatever was drawn meanwhile is skipped"


def test_a_late_viewer_sees_the_newest_picture_without_waiting(studio: Studio, endless: str) -> None:
    with view(studio.server, f"/api/runs/{endless}/frames") as early:
        early.picture()
        [renderer] = studio.renderers()
        renderer.suspend()  # nothing new is drawn, so the late viewer gets what is there
        try:
            with view(studio.server, f"/api/runs/{endless}/frames") as late:
                picture = late.picture()
        finally:
            renderer.resume()
        assert len(studio.renderers()) == 1, "one process draws for all"
        assert picture.pixels.shape == (400, 600, 3)


def test_the_renderer_ends_with_its_last_viewer(studio: Studio, endless: str) -> None:
    with view(studio.server, f"/api/runs/{endless}/frames") as viewer:
        viewer.picture()
        [renderer] = studio.renderers()
        assert renderer.nice() == os.nice(0) + 5, "whoever learns goes first"
    wait_until(lambda: not renderer.is_running() or renderer.status() == "zombie", "the renderer to end")
    assert studio.renderers() == []


def test_a_renderer_that_dies_is_explained_and_replaced(studio: Studio, endless: str) -> None:
    with view(studio.server, f"/api/runs/{endless}/frames") as viewer:
        viewer.picture()
        [renderer] = studio.renderers()
        renderer.send_signal(signal.SIGKILL)
        told = viewer.error()
        assert "This cannot be drawn" in told["message"]
        assert told["next_step"].startswith("Open it again")
        with view(studio.server, f"/api/runs/{endless}/frames") as next_viewer:
            assert next_viewer.picture().jpeg
    assert studio.server.client.get(f"/api/runs/{endless}").json()["status"] == "running"


def test_the_last_seconds_become_a_clip(studio: Studio, endless: str) -> None:
    refused = studio.refused(f"/api/runs/{studio.novice}/clips", seconds=5)
    assert (refused["status"], refused["next_step"]) == (409, "Watch the run, then record.")
    with view(studio.server, f"/api/runs/{endless}/frames?fps=60") as viewer:
        shown = [viewer.picture() for _ in range(230)]
        clip = studio.post(f"/api/runs/{endless}/clips", seconds=120)
    film = decode(studio.file(endless, clip["path"]))
    assert film.codec == "h264"
    assert 100 < len(film.frames) <= 200
    closest = min(difference(film.frames[-1], picture.pixels) for picture in shown[-60:])
    assert closest < 3


def test_slow_environments_move_too(studio: Studio) -> None:
    """FrozenLake takes four steps a second, far fewer than there are frames."""
    run = studio.post(
        "/api/runs",
        env_id="FrozenLake-v1",
        algorithm="dqn",
        runner="sb3",
        total_timesteps=1500,
        seed=1,
        evaluate_after=0,
        start=True,
    )
    with view(studio.server, f"/api/runs/{run['id']}/frames?fps=30") as viewer:
        shown = [viewer.picture() for _ in range(4)]
    assert len({(p.header["episode"], p.header["step"]) for p in shown}) == 4
    studio.server.wait(run["id"], "succeeded")


def test_an_evaluation_is_watched_like_a_training(studio: Studio) -> None:
    job = studio.post(f"/api/runs/{studio.expert}/evaluations", episodes=100, record=False)
    with view(studio.server, f"/api/runs/{job['id']}/frames") as viewer:
        shown = [viewer.picture() for _ in range(5)]
    recording = ended_episode(studio, job["id"], shown[0].header["episode"])
    simulation = Simulation(recording)
    simulation.advance_to(shown[0].header["step"])
    assert shown[0].jpeg == to_jpeg(simulation.frame())
    studio.server.client.post(f"/api/runs/{job['id']}/stop")
    studio.server.wait(job["id"], "stopped", "succeeded")


def ended_episode(studio: Studio, run_id: str, episode: int) -> Recording:
    return wait_until(
        lambda: next(iter(_finished(studio, run_id, episode)), None), f"episode {episode} to end"
    )


def _finished(studio: Studio, run_id: str, episode: int) -> list[Recording]:
    try:
        return [studio.recording(run_id, episode)]
    except LabError:
        return []


def test_an_ended_run_loops_its_best_episode_and_can_be_clipped(studio: Studio) -> None:
    best = studio.server.client.get(f"/api/runs/{studio.novice}/episodes/best").json()
    assert best == studio.episodes(studio.novice, sort="-reward", recorded=True, limit=1)[0]
    with view(studio.server, f"/api/runs/{studio.novice}/frames?fps=60") as viewer:
        shown = [viewer.picture().header for _ in range(best["length"] + 3)]
        viewer.send("restart")
        clip = studio.post(f"/api/runs/{studio.novice}/clips", seconds=120)
    assert {(header["source"], header["episode"]) for header in shown} == {("best", best["episode"])}
    steps = [header["step"] for header in shown]
    assert max(steps) == best["length"], "it is played to its end"
    again = steps.index(best["length"]) + 1
    assert steps[again] < 3, "and then again from its beginning"
    assert shown[again - 1]["return"] == best["reward"]
    assert clip["kind"] == "clip"


def test_a_run_without_recordings_has_no_best_episode(studio: Studio) -> None:
    made = studio.post("/api/runs", env_id="CartPole-v1", algorithm="ppo", runner="turbo", start=False)
    answer = studio.server.client.get(f"/api/runs/{made['id']}/episodes/best")
    assert (answer.status_code, answer.json()["detail"]) == (404, "No episode of this run is recorded.")
    assert answer.json()["next_step"]


def test_the_feed_of_an_ended_run_without_recordings_says_so(studio: Studio) -> None:
    wanted = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "total_timesteps": 2048}
    run = studio.post("/api/runs", **wanted, record=False, evaluate_after=0, start=True)
    studio.server.wait(run["id"], "succeeded")
    with view(studio.server, f"/api/runs/{run['id']}/frames") as viewer:
        told = viewer.error()
    assert (told["status"], told["message"]) == (404, "No episode of this run is recorded.")


def test_a_run_that_does_not_exist_is_said_so(studio: Studio) -> None:
    with view(studio.server, "/api/runs/nothing00000/frames") as viewer:
        assert viewer.error()["status"] == 404
