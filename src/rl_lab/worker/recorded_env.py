"""RecordedEnv gives each episode of one environment its own seed and records the seed and the actions.

It wraps the environment directly, below the wrappers a learner adds, so that seed and actions are enough to
simulate the episode again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np

from rl_lab.core.bounds import CHECKSUM_STEPS
from rl_lab.portable.actions import Packing, action_packing, bytes_per_step, pack, unpack
from rl_lab.portable.generators import restore_generator
from rl_lab.portable.recorder import Recorder, episode_seed
from rl_lab.portable.slot import Slot
from rl_lab.worker.observation_digests import observation_digest


class RecordedEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """One per sub-environment of a vector environment; `env_index` is its place there."""

    def __init__(self, env: gymnasium.Env, recorder: Recorder, env_index: int = 0) -> None:
        super().__init__(env)
        self._packing = packing = action_packing(env.action_space)
        self._recorder = recorder
        self._slot = recorder.slot(env_index, bytes_per_step(packing))
        # No sub-environment has had more episodes than the run, so a run that is resumed without `bring_back`
        # repeats no seed.
        self._episode = recorder.episode0
        self._observation: Any = None
        """The last one."""
        self._is_box = packing is not None and packing["kind"] == "box"
        self._dtype = env.action_space.dtype
        self._keep_action = _keeper(self._slot, packing)
        self._keep_reward = self._slot.rewards.append if recorder.keep_rewards else None
        self.generator = b""
        """When set, the next reset without a seed starts from this state of the environment's generator."""
        self.about: Callable[[], Mapping[str, Any]] = dict
        """More facts about an episode, asked for when it ends."""

    @property
    def steps(self) -> int:
        """Steps of the episode so far."""
        return self._slot.steps

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        recorder, slot = self._recorder, self._slot
        generator, self.generator = self.generator if seed is None else b"", b""
        if generator:
            restore_generator(self.env, generator)
        elif seed is None:
            seed = episode_seed(recorder.run_seed, slot.env, self._episode)
        self._episode += 1
        slot.ended_steps += (
            slot.steps
        )  # steps of an episode that was reset before its end count as training steps
        slot.begin(seed=seed, generator=generator)
        result = self.env.reset(seed=seed, options=options)
        self._observation = result[0]
        return result

    def step(self, action: Any) -> Any:
        slot = self._slot
        if self._is_box:
            # The action played must be the one recorded: float64 cannot be restored from float32 bytes.
            action = np.asarray(action, self._dtype)
        result = self._play(action)
        if result[2] or result[3]:
            self._end(result)
        elif slot.steps == slot.next_look:
            self._recorder.look(slot)
        return result

    def send_steps(self) -> None:
        """The steps so far are written to the journal."""
        self._recorder.send_steps(self._slot)

    def cut_off(self) -> None:
        """The episode is over before the environment ended it; it is kept as truncated."""
        if self._slot.steps:
            self._recorder.end(
                self._slot, terminated=False, truncated=True, extra={**self.about(), "cut_off": True}
            )
            self._slot.begin(**self._slot.beginning)

    def state(self) -> dict[str, Any]:
        """The unfinished episode: what is needed to simulate it again, and what shows that it was the same."""
        slot = self._slot
        seed, generator = slot.beginning.get("seed"), slot.beginning.get("generator") or b""
        return {
            "episode": self._episode,
            "seed": seed,
            "generator": np.frombuffer(generator, np.uint8),
            "actions": np.frombuffer(bytes(slot.actions), np.uint8),
            "values": np.array(slot.values),
            "chosen": np.array(slot.chosen),
            "steps": slot.steps,
            "returned": slot.returned,
            "observation": observation_digest(self._observation),
        }

    def bring_back(self, state: Mapping[str, Any]) -> bool:
        """Simulates the unfinished episode of a checkpoint again; False when it came out differently.

        Then the next reset begins a new episode, with a seed that was not used before.
        """
        self._episode = int(state["episode"])
        if self._packing is None and state["steps"]:
            return False
        slot = self._slot
        generator = state["generator"].tobytes()
        slot.begin(seed=state["seed"], generator=generator)
        if generator:
            restore_generator(self.env, generator)
        self._observation, _ = self.env.reset(seed=state["seed"])
        is_same = all(self._plays_on(action) for action in self._unpacked(state["actions"]))
        slot.values[:], slot.chosen[:] = state["values"].tolist(), state["chosen"].tolist()
        slot.ended_steps = -slot.steps  # the run has counted them
        is_same = is_same and (slot.steps, slot.returned) == (state["steps"], state["returned"])
        return is_same and observation_digest(self._observation) == state["observation"]

    def _unpacked(self, actions: Any) -> list[Any]:
        return unpack(self._packing, actions.tobytes()) if self._packing is not None else []

    def _plays_on(self, action: Any) -> bool:
        """Plays a recorded action, after which the episode went on."""
        result = self._play(action)
        return not (result[2] or result[3])

    def _play(self, action: Any) -> Any:
        slot = self._slot
        self._keep_action(action)
        result = self.env.step(action)
        self._observation = result[0]
        slot.steps += 1
        slot.returned += float(result[1])  # a float32 reward would make the sum float32 too
        if self._keep_reward is not None:
            self._keep_reward(result[1])
        if slot.steps % CHECKSUM_STEPS == 0 and slot.stride:
            slot.states.add(result[0], result[1])
        return result

    def _end(self, result: Any) -> None:
        info = result[4]
        success = info.get("is_success", info.get("success"))
        self._recorder.end(
            self._slot,
            terminated=bool(result[2]),
            truncated=bool(result[3]),
            success=None if success is None else bool(success),
            extra=self.about(),
        )
        self._slot.begin(**self._slot.beginning)


def _keeper(slot: Slot, packing: Packing | None) -> Callable[[Any], object]:
    """The cheapest function that appends one action to the slot; a resume needs them even if nothing is recorded."""
    actions = slot.actions
    if packing is None:
        return lambda action: None
    if packing["kind"] == "discrete" and packing["dtype"] == "u1" and packing["start"] == 0:
        return actions.append
    if packing["kind"] == "box":
        return lambda action: actions.extend(action.tobytes())
    return lambda action: actions.extend(pack(packing, action))
