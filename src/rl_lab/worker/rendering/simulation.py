"""Re-simulates a recorded episode: same start, same actions, hence the same states and frames."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rl_lab.core.bounds import CHECKSUM_BYTES, CHECKSUM_STEPS
from rl_lab.core.plays.players import WHO, halves
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import unpack
from rl_lab.portable.generators import begin
from rl_lab.portable.shown_values import shown
from rl_lab.portable.state_checksums import checksum_bytes, state_checksum
from rl_lab.worker.environments.drawing import Frame, advance_render_clock, draw
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.environments.remote_env import RemoteEnv

if TYPE_CHECKING:
    from rl_lab.worker.user_code.noted_steps import NotedSteps

DEFAULT_RENDER_FPS = 30.0


class Simulation:
    """A cursor on a recording; it only goes forward."""

    def __init__(
        self, recording: Recording, *, render: bool = True, env: Any = None, noted: NotedSteps | None = None
    ) -> None:
        """`env`: one that exists already, and is reset for this recording; `noted`: gets its steps, to score them."""
        self.recording = recording
        self.env = (
            env if env is not None else recorded_environment(recording, "rgb_array" if render else None)
        )
        self._noted = noted if not self.is_remote else None
        if self._noted is not None:
            # Imported only here: every process that draws or simulates would start later.
            from rl_lab.worker.user_code.noted_steps import NotingEnv

            self.env = NotingEnv(self.env, self._noted)
        self.actions = unpack(recording.action, recording.actions)
        self.step = 0
        """Actions played so far."""
        self.reward = 0.0
        self.returned = 0.0
        self.terminated = False
        self.truncated = False
        self.parted_at: int | None = None
        """The first step whose reward is not the recorded one, where those were kept."""
        self.differs_at: int | None = None
        """The first checked step whose state is not the recorded one, where checksums were kept."""
        self.info: dict[str, Any] = {}
        begin_here = self.env.begin if isinstance(self.env, RemoteEnv) else partial(begin, self.env)
        self.observation, self.info = begin_here(recording.seed, recording.generator)

    @property
    def is_remote(self) -> bool:
        """Whether the environment lives in another process: forking this one does not copy it."""
        return isinstance(self.env, RemoteEnv)

    @property
    def available(self) -> int:
        return len(self.actions)

    @property
    def ended(self) -> bool:
        return self.terminated or self.truncated

    def extend(self, recording: Recording) -> None:
        """Take over a longer recording of the same episode."""
        if recording.count > self.available:
            self.actions = unpack(recording.action, recording.actions)
        self.recording = recording

    def advance(self) -> bool:
        """Play one more action; False when there is none or the episode is over."""
        if self.ended or self.step >= self.available:
            return False
        outcome = self.env.step(self.actions[self.step])
        self.observation, reward, self.terminated, self.truncated, self.info = outcome
        self.reward = float(reward)
        self.returned += self.reward
        self.step += 1
        if self.recording.rewards and self.parted_at is None:
            self._compare()
        if self.step % CHECKSUM_STEPS == 0 and self.differs_at is None:
            self._compare_state()
        advance_render_clock(self.env)
        return True

    def stop_noting(self) -> None:
        """In a copy of the process: the steps are noted where they are made for the first time."""
        if self._noted is not None:
            self._noted.is_paused = True

    def advance_to(self, step: int) -> None:
        while self.step < step and self.advance():
            pass

    def frame(self) -> Frame:
        return draw(self.env, self.step)

    def close(self) -> None:
        self.env.close()

    def describe(self) -> dict[str, Any]:
        """What is known about the current step, ready for JSON."""
        return {
            "episode": self.recording.episode,
            "step": self.step,
            "reward": self.reward,
            "return": self.returned,
            "terminated": self.terminated,
            "truncated": self.truncated,
            **self._parting(),
        }

    def _compare(self) -> None:
        recorded = np.frombuffer(self.recording.rewards, "<f4")
        if self.step <= len(recorded) and not is_same_reward(recorded[self.step - 1], self.reward):
            self.parted_at = self.step

    def _compare_state(self) -> None:
        """Observations of another process are only a summary, so they are not compared."""
        last = checksum_bytes(0, self.step)
        recorded = self.recording.checksums[last - CHECKSUM_BYTES : last]
        if len(recorded) < CHECKSUM_BYTES or self.is_remote:
            return
        try:
            is_same = state_checksum(self.observation, self.reward) == recorded
        except (TypeError, ValueError):
            return
        self.differs_at = None if is_same else self.step

    def difference(self) -> str | None:
        """What is known about where this left the recording."""
        if self.differs_at is None:
            return None
        before = self.differs_at - CHECKSUM_STEPS
        since = f"at step {before} it was still the same" if before else "states are compared every 50 steps"
        return f"From step {self.differs_at} on the replay differs from the recording ({since})."

    def _parting(self) -> dict[str, Any]:
        """The note for viewers when this is no longer the recorded episode."""
        if self.parted_at is None:
            return {} if self.differs_at is None else {"note": self.difference()}
        env_id, step = self.recording.env_id, self.parted_at
        return {"note": f"{env_id} is not deterministic: since step {step} this is another episode."}

    def describe_fully(self) -> dict[str, Any]:
        """The same with observation, the action that led here and what the policy thought of this state."""
        return {
            **self.describe(),
            "observation": shown(self.observation),
            "action": shown(self.actions[self.step - 1]) if self.step else None,
            "next_action": shown(self.actions[self.step]) if self.step < self.available else None,
            "info": {str(k): shown(v) for k, v in self.info.items()},
            **thought_at(self.recording, self.step),
        }


def recorded_environment(recording: Recording, render_mode: str | None) -> Any:
    """Created in this Python, or in the Python of its script where only that has it."""
    if recording.place is None:
        return make_environment(recording.env_id, recording.env_kwargs, render_mode=render_mode)
    return RemoteEnv(recording, render_mode)


def is_same_reward(recorded: Any, played: Any) -> Any:
    """As numbers of single precision, alone or in arrays."""
    return np.isclose(recorded, played, rtol=1e-5, atol=1e-6, equal_nan=True)


def render_fps(env: Any) -> float:
    return float(env.metadata.get("render_fps") or DEFAULT_RENDER_FPS)


def who_acted(recording: Recording) -> list[int]:
    """For each step of a play: 1 for a person, 0 for the agent; empty for other recordings."""
    return [int(chosen > 0) for chosen in halves(recording.extra.get(WHO, b""))]


def thought_at(recording: Recording, step: int) -> dict[str, Any]:
    """Value and probability the policy gave when it chose the action at `step`; nothing when not recorded."""
    thought: dict[str, Any] = {}
    values = np.frombuffer(recording.values, dtype="<f2")
    chosen = np.frombuffer(recording.chosen, dtype="u1")
    if step < len(values) and np.isfinite(values[step]):
        thought["value"] = float(values[step])
    if step < len(chosen):
        thought["chosen_probability"] = float(chosen[step]) / 255
    who = who_acted(recording)
    if 0 < step <= len(who):
        thought[WHO] = "person" if who[step - 1] else "agent"
    for name, column in recording.extra.items():
        if name == WHO:
            continue
        width = len(column) // 2 // max(1, recording.count)
        row = np.frombuffer(column, dtype="<f2").reshape(recording.count, width)
        if step < len(row):
            thought[name] = [float(x) for x in row[step]]
    return thought
