"""One lab with a novice (short episodes) and an expert on CartPole, and ways to look at what they did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import psutil

from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.worker.rendering.simulation import Simulation
from support.server import Server, serve

TESTS = Path(__file__).resolve().parent.parent
FINAL = ("succeeded", "failed", "stopped", "lost")


@dataclass
class Studio:
    server: Server
    novice: str
    expert: str

    @property
    def home(self) -> Path:
        return self.server.home

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.server.client.post(path, json=body)
        assert answer.status_code < 300, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def job(self, path: str, **body: Any) -> dict[str, Any]:
        """A job, once it has ended well."""
        job = self.server.wait(self.post(path, **body)["id"], *FINAL)
        assert job["status"] == "succeeded", job["reason"]
        return job

    def refused(self, path: str, **body: Any) -> dict[str, Any]:
        """The problem a request is answered with."""
        answer = self.server.client.post(path, json=body)
        assert answer.status_code >= 400, answer.text
        problem: dict[str, Any] = answer.json()
        return problem

    def recording(self, run_id: str, episode: int) -> Recording:
        return read_recording(self.home, run_id, episode)

    def episodes(self, run_id: str, **query: Any) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.server.client.get(
            f"/api/runs/{run_id}/episodes", params=query
        ).json()["items"]
        return items

    def events(self, run_id: str, type: str) -> list[dict[str, Any]]:
        items = self.server.client.get(f"/api/runs/{run_id}/events", params={"limit": 200}).json()["items"]
        return [event for event in items if event["type"] == type]

    def has_event(self, run_id: str, type: str, words: str) -> bool:
        return any(words in event["message"] for event in self.events(run_id, type))

    def file(self, run_id: str, path: str) -> Path:
        return self.home / "runs" / run_id / path

    def renderers(self) -> list[psutil.Process]:
        """Drawing processes of this lab, without the moments they keep by forking."""
        children = psutil.Process(self.server.process.pid).children()
        return [c for c in children if "rl_lab.worker.rendering" in _command(c)]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@contextmanager
def open_studio(home: Path) -> Iterator[Studio]:
    home.mkdir()
    with serve(home, PYTHONPATH=str(TESTS), RL_LAB_RECORDING_BUDGET_BYTES=str(1 << 16)) as server:
        novice = train(server, name="novice", total_timesteps=2048, params={"learning_rate": 1e-9})
        expert = train(server, name="expert", total_timesteps=16_384)
        yield Studio(server, novice, expert)


def train(server: Server, **wanted: Any) -> str:
    body = {
        "env_id": "CartPole-v1",
        "algorithm": "ppo",
        "runner": "turbo",
        "seed": 1,
        "evaluate_after": 0,
        "start": True,
    }
    answer = server.client.post("/api/runs", json={**body, **wanted})
    assert answer.status_code == 201, answer.text
    run = server.wait(answer.json()["id"], *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    return str(run["id"])


def frames_of(simulation: Simulation) -> list[np.ndarray]:
    """Every picture of an episode, one by one."""
    frames = [simulation.frame()]
    while simulation.advance():
        frames.append(simulation.frame())
    return frames


def observations_of(recording: Recording, most: int = 10_000) -> list[np.ndarray]:
    simulation = Simulation(recording, render=False)
    seen = [np.array(simulation.observation)]
    while len(seen) <= most and simulation.advance():
        seen.append(np.array(simulation.observation))
    return seen


@dataclass
class Film:
    codec: str
    pixel_format: str
    width: int
    height: int
    fps: float
    frames: list[np.ndarray]
    key_frames: list[int]
    starts_fast: bool
    """A browser can begin before the file is complete."""


def decode(path: Path) -> Film:
    data = path.read_bytes()
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        context = stream.codec_context
        decoded = list(video.decode(stream))
        return Film(
            context.name,
            context.pix_fmt,
            stream.width,
            stream.height,
            float(stream.average_rate),
            [frame.to_ndarray(format="rgb24") for frame in decoded],
            [n for n, frame in enumerate(decoded) if frame.key_frame],
            data.index(b"moov") < data.index(b"mdat"),
        )


def assert_plays_everywhere(film: Film) -> None:
    assert (film.codec, film.pixel_format) == ("h264", "yuv420p")
    assert film.width % 2 == film.height % 2 == 0
    assert film.width <= 1280
    assert film.height <= 720
    assert film.starts_fast
    assert film.key_frames == list(range(0, len(film.frames), 10))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Mean distance of two pictures of one size, 0 to 255; a good codec stays under 3."""
    return float(np.abs(one.astype(float) - other.astype(float)).mean())
