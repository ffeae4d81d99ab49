"""The live feed's player: a run's newest episode, or the best one in a loop, at the pace of its environment."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import msgspec

from rl_lab.core.recordings import Recording
from rl_lab.portable.frame_protocol import frame_message
from rl_lab.worker.environments.drawing import draw
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation, render_fps

END_PAUSE_S = 0.125
"""How long the last frame of an episode is shown before the next one begins."""
LOOP_PAUSE_S = 1.0
"""The same before an episode begins again."""


class LivePlayer:
    """Plays the newest episode it was given; newer ones wait for the end, one to be looped begins at once."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.fps = float(message.get("fps", 15))
        self._simulation: Simulation | None = None
        self._newest: Recording | None = None
        self._loops = False
        self._pace = 1.0
        self._owed = 0.0
        self._ended_at: float | None = None
        self._seq = 0
        if "env_id" in message:
            _load(message["env_id"], message["env_kwargs"])

    def handle(self, message: dict[str, Any]) -> bytes | None:
        match message["op"]:
            case "episode":
                self._take(
                    msgspec.convert(message["recording"], Recording), loops=message.get("loops", False)
                )
            case "restart" if self._loops and self._simulation is not None:
                self._newest = self._simulation.recording
        return None

    def tick(self) -> bytes | None:
        if self._should_switch():
            self._begin()
            return self._next_frame()
        if self._simulation is None:
            return None
        if self._is_at_end():
            return self._begin_again() if self._loops and self._has_paused(LOOP_PAUSE_S) else None
        self._owed += self._pace
        moved = False
        while self._owed >= 1.0:
            if not self._simulation.advance():
                self._owed = (
                    0.0  # steps that do not exist yet are not owed, so that playback does not rush later
                )
                break
            self._owed -= 1.0
            moved = True
        return self._next_frame() if moved else None

    def close(self) -> None:
        if self._simulation:
            self._simulation.close()

    def _take(self, recording: Recording, *, loops: bool) -> None:
        self._loops = loops
        # Identified by its beginning: an episode that is still running has no number yet.
        if self._simulation and self._simulation.recording.is_stretch_of(recording):
            self._simulation.extend(recording)
            self._newest = None if loops else self._newest
        else:
            self._newest = recording

    def _should_switch(self) -> bool:
        if self._newest is None:
            return False
        if self._simulation is None or self._loops:
            return True
        return self._is_at_end() and self._has_paused(END_PAUSE_S)

    def _is_at_end(self) -> bool:
        assert self._simulation is not None
        return self._simulation.ended or self._simulation.step >= self._simulation.available

    def _has_paused(self, seconds: float) -> bool:
        """Counted from the first call at the end of an episode."""
        self._ended_at = self._ended_at or time.monotonic()
        return time.monotonic() - self._ended_at >= seconds

    def _begin_again(self) -> bytes:
        assert self._simulation is not None
        self._newest = self._simulation.recording
        self._begin()
        return self._next_frame()

    def _begin(self) -> None:
        assert self._newest is not None
        self.close()
        self._simulation, self._newest = Simulation(self._newest), None
        self._pace = render_fps(self._simulation.env) / max(1.0, self.fps)
        self._owed, self._ended_at = 0.0, None

    def _next_frame(self) -> bytes:
        assert self._simulation is not None
        self._seq += 1
        source = "best" if self._loops else "live"
        header = {"seq": self._seq, "at": time.time(), "source": source, **self._simulation.describe()}
        return frame_message(header, to_jpeg(self._simulation.frame()))


def _load(env_id: str, env_kwargs: dict[str, Any]) -> None:
    """Draws the environment once, so that what it imports is loaded before the first episode comes."""
    # Any error of the environment is raised again by the first episode, and reported then.
    with contextlib.suppress(Exception):
        env = make_environment(env_id, env_kwargs, render_mode="rgb_array")
        env.reset(seed=0)
        to_jpeg(draw(env, 0))
        env.close()
