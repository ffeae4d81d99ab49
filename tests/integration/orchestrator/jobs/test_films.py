"""Films: the training from its first episode to its last, captioned, in real time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from support.server import command
from support.studio import Studio, assert_plays_everywhere, decode, difference
from support.waiting import wait_until

from rl_lab.worker.jobs.film_reel import END_S, HOLD_S, TITLE_S
from rl_lab.worker.rendering.captions import BAND, CURVE
from rl_lab.worker.rendering.simulation import Simulation


def test_a_film_shows_milestones_with_captions_and_the_curve(studio: Studio) -> None:
    wanted = {"show": "episodes", "scenes": 3, "seconds_per_scene": 1}
    job = studio.job(f"/api/runs/{studio.expert}/films", **wanted)
    scenes = job["summary"]["result"]["scenes"]
    best = max(
        studio.episodes(studio.expert, recorded=True, sort="-reward", limit=1), key=lambda e: e["reward"]
    )
    assert [s["episode"] for s in scenes] == sorted(s["episode"] for s in scenes)
    assert scenes[0]["episode"] == 0
    assert max(s["return"] for s in scenes) == best["reward"]
    film = decode(studio.file(job["id"], "film.mp4"))
    assert_plays_everywhere(film)
    cards = TITLE_S + END_S + 3 * HOLD_S
    assert len(film.frames) <= (3 + cards) * 26, "a long episode is shown faster, not longer"
    title = film.frames.pop(0)
    assert title.shape == film.frames[-1].shape
    assert title.min() < 90 < 200 < title[-40:].mean(), "dark words on light paper"
    opening = [n for n, frame in enumerate(film.frames) if difference(frame, title) > 5]
    film.frames[:] = film.frames[opening[0] :]
    first = Simulation(studio.recording(studio.expert, 0)).frame()
    height, width = first.shape[:2]
    assert film.frames[0].shape == (height + BAND, width, 3)
    assert difference(film.frames[0][CURVE[1] + 16 : height], first[CURVE[1] + 16 :]) < 3
    caption = film.frames[0][height:]
    assert caption.max() > 230
    assert caption.min() < 90, "dark words on light paper"
    corner = film.frames[-round(END_S * 26) - 4][8 : 8 + CURVE[1], width - CURVE[0] - 8 : width - 8].astype(
        int
    )
    assert (corner[..., 0] - corner[..., 1]).max() > 90, "the curve has its red part"
    wait_until(lambda: studio.file(studio.expert, "film.mp4").is_file(), "the film beside the model")
    assert (job["progress"]["timestep"], job["progress"]["total_timesteps"]) == (3, 3)


def test_checkpoints_play_one_seed_from_the_first_to_the_last(studio: Studio) -> None:
    wanted = {"scenes": 4, "seconds_per_scene": 1, "style": "captions"}
    job = studio.job(f"/api/runs/{studio.expert}/films", **wanted)
    result = job["summary"]["result"]
    steps = [scene["timestep"] for scene in result["scenes"]]
    assert len(steps) == 4
    assert steps == sorted(set(steps))
    saved = studio.server.client.get(f"/api/runs/{studio.expert}/artifacts").json()
    checkpoints = {one["timestep"]: one for one in saved if one["kind"] == "checkpoint"}
    assert steps[0] == min(checkpoints)
    assert steps[-1] == max(checkpoints)
    assert any(scene["role"] == "best" for scene in result["scenes"])
    evaluated = studio.job(
        f"/api/runs/{studio.expert}/evaluations",
        checkpoint=checkpoints[steps[-1]]["id"],
        seeds=[result["seed"]],
        record=False,
    )
    assert evaluated["summary"]["result"]["returns"] == [result["scenes"][-1]["return"]]
    assert len(decode(studio.file(job["id"], "film.mp4")).frames) <= 4 * 26 * (1 + HOLD_S) + 4


def test_a_film_of_checkpoints_needs_one(studio: Studio) -> None:
    run = studio.post("/api/runs", env_id="CartPole-v1", algorithm="ppo", runner="turbo")
    problem = studio.refused(f"/api/runs/{run['id']}/films", show="checkpoints")
    assert "no checkpoint" in problem["detail"]
    assert "recorded episodes" in problem["next_step"]


def test_the_command_makes_a_gif(studio: Studio, tmp_path: Path) -> None:
    target = tmp_path / "film.gif"
    done = command(
        studio.home,
        "film",
        studio.expert,
        "--gif",
        "--scenes",
        "2",
        "--seconds",
        "1",
        "--output",
        str(target),
    )
    assert done.returncode == 0, done.stderr
    assert "2 scenes" in done.stdout
    with Image.open(target) as gif:
        assert gif.n_frames > 10
        assert np.ptp(np.asarray(gif.convert("L"))) > 100
