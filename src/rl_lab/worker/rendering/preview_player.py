"""The preview's player: a random agent in an environment, before anyone trains."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rl_lab.portable.frame_protocol import FrameHeader, frame_message
from rl_lab.portable.shown_values import shown
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import render_fps


class PreviewPlayer:
    """A random agent in an environment, before anyone trains."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.fps = min(30.0, float(message.get("fps", 30)))
        self._env = make_environment(
            message["env_id"], message.get("env_kwargs") or {}, render_mode="rgb_array"
        )
        self._pace = render_fps(self._env) / self.fps
        self._playing, self._owed, self._seq, self._episode = True, 0.0, 0, -1
        self._seed = int(message.get("seed", 0))
        self._env.action_space.seed(self._seed)
        self._reset()

    def handle(self, message: dict[str, Any]) -> bytes | None:
        match message["op"]:
            case "play":
                self._playing = True
            case "pause":
                self._playing = False
                return self._next_frame()  # its header says that playback is paused
            case "step":
                self._playing = False
                self._step()
                return self._next_frame()
            case "reset":
                self._reset()
                return self._next_frame()
        return None

    def tick(self) -> bytes | None:
        if not self._playing:
            return None
        if self._seq == 0:
            return self._next_frame()
        self._owed += self._pace
        due = self._owed >= 1.0
        while self._owed >= 1.0:
            self._owed -= 1.0
            self._step()
        return self._next_frame() if due else None

    def close(self) -> None:
        self._env.close()

    def _reset(self) -> None:
        self._episode += 1
        self._observation, self._info = self._env.reset(seed=self._seed + self._episode)
        self._steps, self._reward, self._returned, self._ended = 0, 0.0, 0.0, False
        self._action: Any = None

    def _step(self) -> None:
        if self._ended:
            self._reset()
            return
        self._action = self._env.action_space.sample()
        self._observation, reward, terminated, truncated, self._info = self._env.step(self._action)
        self._reward = float(reward)
        self._returned += self._reward
        self._steps += 1
        self._ended = bool(terminated or truncated)

    def _next_frame(self) -> bytes:
        self._seq += 1
        header: FrameHeader = {
            "seq": self._seq,
            "at": time.time(),
            "source": "preview",
            "playing": self._playing,
            "episode": self._episode,
            "step": self._steps,
            "reward": self._reward,
            "return": self._returned,
            "observation": shown(self._observation),
            "action": shown(self._action),
            "info": {str(k): shown(v) for k, v in self._info.items()},
            "ended": self._ended,
        }
        return frame_message(header, to_jpeg(np.asarray(self._env.render(), dtype=np.uint8)))
