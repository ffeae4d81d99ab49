"""The stage's player: a random agent in an environment, or models that take turns while it plays."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.core.job_file import PolicyInput
from rl_lab.portable.frame_protocol import FrameHeader, StageAgent, StageProblem, frame_message
from rl_lab.portable.shown_values import shown
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.failures import explain
from rl_lab.worker.policies import RandomPolicy, load_policy
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.runner import Decision, Policy

SPEEDS = (0.1, 4.0)
NOBODY: StageAgent = {"label": "Random actions"}


class _Loaded:
    """A policy that can act, or why it cannot."""

    def __init__(
        self, agent: StageAgent, policy: Policy | None = None, problem: StageProblem | None = None
    ) -> None:
        self.agent, self.policy, self.problem = agent, policy, problem


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
        self._chance = RandomPolicy(self._bare.action_space, self._seed)
        self._policy: Policy = self._chance
        self._agent, self._loading = NOBODY, ""
        self._problem: StageProblem | None = None
        self._loaded: queue.SimpleQueue[_Loaded] = queue.SimpleQueue()
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
                self._begin_loading(message["policy"])
            case "refuse":
                self._problem = message["problem"]
        return None

    def tick(self) -> bytes | None:
        changed = self._take_loaded()
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

    # models

    def _begin_loading(self, given: dict[str, Any] | None) -> None:
        """On a thread: loading a library takes seconds, in which the one before plays on."""
        self._problem = None
        if given is None:
            self._loading = ""
            self._loaded.put(_Loaded(NOBODY, self._chance))
            return
        policy = PolicyInput.model_validate(given)
        agent: StageAgent = {
            "label": policy.label,
            "run_id": policy.run_id,
            "timestep": policy.timestep,
            "role": policy.role,
            "checkpoint": policy.artifact_id,
        }
        self._loading = policy.label
        observation = self._observation
        threading.Thread(target=self._load, args=(policy, agent, observation), daemon=True).start()

    def _load(self, given: PolicyInput, agent: StageAgent, observation: Any) -> None:
        try:
            policy = load_policy(given)
            if not hasattr(policy, "wrap"):
                _try(policy, observation, self._bare.action_space)
            self._loaded.put(_Loaded(agent, policy))
        except Exception as error:  # the edge: whatever a model fails with, the one before plays on
            said = explain(error)
            message = error.detail if isinstance(error, LabError) else said.message
            step = (error.next_step or "") if isinstance(error, LabError) else said.next_step
            self._loaded.put(_Loaded(agent, problem={"message": message, "next_step": step}))

    def _take_loaded(self) -> bool:
        """Whether another model acts from now on, or could not be loaded; of several the last one counts."""
        changed = False
        while not self._loaded.empty():
            one = self._loaded.get()
            if one.agent["label"] != (self._loading or NOBODY["label"]):
                continue  # another one was asked for meanwhile
            self._loading, changed = "", True
            if one.policy is None:
                self._problem = one.problem
            else:
                self._use(one.policy, one.agent)
        return changed

    def _use(self, policy: Policy, agent: StageAgent) -> None:
        had_wrappers = self._env is not self._bare
        wrap = getattr(policy, "wrap", None)
        self._policy, self._agent = policy, agent
        self._env = wrap(self._bare) if wrap is not None else self._bare
        if had_wrappers or wrap is not None:
            self._reset()  # frames that a policy stacks are filled from the beginning of an episode

    # playing

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
        self._thought = self._policy.act(self._observation, self._deterministic)
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
            header |= {
                "agent": self._agent,
                "loading": self._loading,
                "problem": self._problem,
                "speed": self._speed,
                **self._thoughts(),
            }
        return frame_message(header, to_jpeg(np.asarray(self._bare.render(), dtype=np.uint8)))

    def _thoughts(self) -> FrameHeader:
        thought, found = self._thought, {}
        for name in ("value", "probabilities", "q_values"):
            value = getattr(thought, name, None)
            if value is not None:
                found[name] = shown(value)
        return found  # type: ignore[return-value]


def _try(policy: Policy, observation: Any, space: Any) -> None:
    """Refuses a model that acts in other spaces, before it takes over."""
    try:
        action = policy.act(observation, True).action
        fits = space.contains(action) or np.shape(action) == space.shape
    except Exception as error:
        raise InvalidInput(f"The model cannot act on what this environment shows: {error}.") from error
    if not fits:
        raise InvalidInput("The model's actions are not those of this environment.")
