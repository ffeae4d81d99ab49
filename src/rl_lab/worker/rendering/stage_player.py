"""The stage's player: a random agent in an environment, or models that take turns while it plays."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rl_lab.portable.frame_protocol import FrameHeader, frame_message
from rl_lab.portable.shown_values import shown
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.acting_agent import ActingAgent, thoughts_of
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.runner import Decision, Policy

SPEEDS = (0.1, 4.0)


class StagePlayer:
    def __init__(self, message: dict[str, Any]) -> None:
        self._source = message["mode"]
        self.fps = min(30.0, float(message.get("fps", 30)))
        self._bare = make_environment(
            message["env_id"], message.get("env_kwargs") or {}, render_mode="rgb_array"
        )
        self._env = self._bare
        self._speed, self._deterministic = 1.0, True
        self._playing, self._owed, self._seq, self._episode = True, 0.0, 0, -1
        self._seed = int(message.get("seed", 0))
        self._acting = ActingAgent(self._bare.action_space, self._seed)
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
            case "speed":
                self._speed = float(np.clip(message["speed"], *SPEEDS))
            case "sample":
                self._deterministic = not message["sample"]
            case "policy":
                self._acting.begin_loading(message["policy"], self._observation)
            case "refuse":
                self._acting.problem = message["problem"]
        return None

    def tick(self) -> bytes | None:
        changed = self._acting.take_loaded(self._use)
        if not self._playing:
            return self._next_frame() if changed else None
        if self._seq == 0:
            return self._next_frame()
        self._owed += self._speed * render_fps(self._bare) / self.fps
        due = self._owed >= 1.0
        while self._owed >= 1.0:
            self._owed -= 1.0
            self._step()
            if self._ended:  # the last state of an episode is always shown
                self._owed = 0.0
        return self._next_frame() if due or changed else None

    def close(self) -> None:
        self._bare.close()

    def _use(self, policy: Policy) -> None:
        had_wrappers = self._env is not self._bare
        wrap = getattr(policy, "wrap", None)
        self._env = wrap(self._bare) if wrap is not None else self._bare
        if had_wrappers or wrap is not None:
            self._reset()  # frames that a policy stacks are filled from the beginning of an episode

    def _reset(self) -> None:
        self._episode += 1
        self._observation, self._info = self._env.reset(seed=self._seed + self._episode)
        self._steps, self._reward, self._returned, self._ended = 0, 0.0, 0.0, False
        self._action: Any = None
        self._thought: Decision | None = None

    def _step(self) -> None:
        if self._ended:
            self._reset()
            return
        self._thought = self._acting.policy.act(self._observation, self._deterministic)
        self._action = self._thought.action
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
            "source": self._source,
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
        if self._source == "stage":
            header |= {**self._acting.header(), "speed": self._speed, **thoughts_of(self._thought)}
        return frame_message(header, to_jpeg(np.asarray(self._bare.render(), dtype=np.uint8)))
