"""SelfDrawingEnv draws frames in the worker itself, and only while there is a viewer.

For non-deterministic environments: no other process can re-simulate what happens here. The newest frame is in one
file, replaced atomically, which the lab's live feed reads.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import gymnasium

from rl_lab.portable.frame_protocol import FRAME_FILE, FrameHeader, frame_message
from rl_lab.worker.environments.drawing import advance_render_clock, draw
from rl_lab.worker.rendering.jpeg import to_jpeg

if TYPE_CHECKING:
    from rl_lab.worker.session import Session

FRAMES_PER_SECOND = 15.0


class SelfDrawingEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Wraps an environment that was made with render_mode rgb_array."""

    def __init__(self, env: gymnasium.Env, session: Session) -> None:
        super().__init__(env)
        self._session = session
        self._path = session.job.frames_dir / FRAME_FILE
        self._due = 0.0
        self._seq = self._steps = 0
        self._returned = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        result = self.env.reset(seed=seed, options=options)
        self._steps, self._returned = 0, 0.0
        self._show(0.0, False, False)
        return result

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        advance_render_clock(self.env)
        self._steps += 1
        self._returned += float(result[1])
        self._show(float(result[1]), bool(result[2]), bool(result[3]))
        return result

    def _show(self, reward: float, terminated: bool, truncated: bool) -> None:
        now = time.monotonic()
        if now < self._due or not self._session.control.watched:
            return
        self._due = now + 1.0 / FRAMES_PER_SECOND
        self._seq += 1
        header: FrameHeader = {
            "seq": self._seq,
            "at": time.time(),
            "source": "live",
            "episode": self._session.recorder.episodes,
            "step": self._steps,
            "reward": reward,
            "return": self._returned,
            "terminated": terminated,
            "truncated": truncated,
        }
        self._write(frame_message(header, to_jpeg(draw(self.env, self._steps))))

    def _write(self, message: bytes) -> None:
        aside = self._path.with_suffix(".new")
        try:
            aside.write_bytes(message)
            aside.replace(self._path)
        except OSError:
            return  # on a full disk the frame is lost, the training continues
