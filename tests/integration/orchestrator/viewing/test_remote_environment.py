"""Replays of an environment that only the script has: its own module registers it, and the lab knows nothing of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from support.server import Server, command
from support.viewer import view

from rl_lab.orchestrator.confinement_probe import probe

CORRIDOR = '''
import pathlib
import gymnasium
import numpy as np


class Corridor(gymnasium.Env):
    """Walk to the right end; one reward on arrival."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Box(0.0, 9.0, (1,), np.float32)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        try:
            (pathlib.Path(__file__).parent / "written").write_text("by the environment")
        except OSError:
            pass

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = int(self.np_random.integers(0, 3))
        return np.array([self.at], np.float32), {}

    def step(self, action):
        self.at = max(0, self.at + (1 if action == 1 else -1))
        return np.array([self.at], np.float32), float(self.at == 5), self.at == 5, False, {}

    def render(self):
        frame = np.full((40, 60, 3), 255, np.uint8)
        frame[10:30, self.at * 6 : self.at * 6 + 6] = (0, 0, 200)
        return frame


gymnasium.register("Corridor-v0", entry_point=Corridor, max_episode_steps=30)
'''
SCRIPT = """
import corridor
import gymnasium

env = gymnasium.make("Corridor-v0")
for episode in range(3):
    env.reset(seed=episode)
    ended = False
    while not ended:
        _, _, terminated, truncated, _ = env.step(1)
        ended = terminated or truncated
"""


def trained(server: Server, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    (folder / "corridor.py").write_text(CORRIDOR)
    (folder / "train.py").write_text(SCRIPT)
    done = command(server.home, "run", "--yes", "--", "python", str(folder / "train.py"))
    assert done.returncode == 0, done.stderr
    [run] = server.client.get("/api/runs").json()["items"]
    (folder / "written").unlink(missing_ok=True)
    return dict(run)


def test_the_python_of_the_script_replays_what_the_lab_does_not_have(server: Server, tmp_path: Path) -> None:
    run = trained(server, tmp_path / "mine")
    [first, *_] = server.client.get(f"/api/runs/{run['id']}/episodes", params={"sort": "episode"}).json()[
        "items"
    ]
    assert first["recorded"]
    address = f"/api/runs/{run['id']}/episodes/{first['episode']}"
    table = server.client.get(f"{address}/steps").json()
    assert table.get("exact") is True, table
    assert table["steps"][-1]["observation"] == [5.0]
    assert table["steps"][-1]["return"] == 1.0

    with view(server, f"{address}/replay") as viewer:
        opened = viewer.next().header
        assert (opened["op"], opened["exact"], opened["length"]) == ("opened", True, first["length"])
        begin = block(viewer.picture().pixels)
        assert block(viewer.seek(opened["length"]).pixels) == 5
        assert block(viewer.seek(0).pixels) == begin
    with view(server, f"/api/runs/{run['id']}/frames") as viewer:
        assert viewer.picture().header["source"] == "best"

    film = tmp_path / "episode.gif"
    done = command(server.home, "replay", run["id"], str(first["episode"]), "--gif", str(film))
    assert done.returncode == 0, done.stderr
    assert film.read_bytes()[:3] == b"GIF"
    if probe().landlock:
        assert not (tmp_path / "mine" / "written").exists(), "looking at a run writes nothing"


def block(pixels: np.ndarray) -> int:
    """Where the walker stands."""
    blue = np.flatnonzero(pixels[20, :, 0] < 100)
    return int(blue.mean()) // 6


def test_an_environment_that_is_gone_is_said_in_words(server: Server, tmp_path: Path) -> None:
    run = trained(server, tmp_path / "mine")
    (tmp_path / "mine" / "corridor.py").unlink()
    refused = server.client.get(f"/api/runs/{run['id']}/episodes/0/steps")
    assert refused.status_code in (409, 502)
    assert "Corridor" in refused.json()["detail"]
    assert "Traceback" not in refused.text
