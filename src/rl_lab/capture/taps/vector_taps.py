"""Vector environments: one that steps its members in this process only lends the training its step count; of one
that hides them (processes, a simulator of its own) episodes are told from rewards and endings, without recordings.
"""

from __future__ import annotations

from typing import Any

from rl_lab.capture.env_roles import Stage
from rl_lab.capture.taps.class_swap import disguise


class Tally:
    """Returns and lengths of the members of a vector environment, seen from outside."""

    def __init__(
        self, stage: Stage, count: int, name: str, what: dict[str, Any], *, instead: str = "SyncVectorEnv"
    ) -> None:
        self._stage = stage
        self._name, self._instead = name, instead
        self._what = what
        self._returns = [0.0] * count
        self._lengths = [0] * count
        self._is_resting = [False] * count
        """The next step of this member is its reset."""
        self._steps = 0
        self._is_training: bool | None = None

    def reset(self, seed: Any = None) -> None:
        if type(seed) is int and self._is_training is None:
            self._what = {**self._what, "seed": seed}
        count = len(self._returns)
        self._returns, self._lengths, self._is_resting = [0.0] * count, [0] * count, [False] * count

    def count(self, result: Any, rests: bool) -> None:
        """One step of all; `rests`: a member that ended spends its next step on its reset."""
        if self._is_training is None:
            self._begin()
        self._steps += len(self._returns)
        rewards, terminated, truncated = (_numbers(column) for column in result[1:4])
        for member, reward in enumerate(rewards):
            if self._is_resting[member]:
                self._is_resting[member] = False
                continue
            self._returns[member] += float(reward)
            self._lengths[member] += 1
            if terminated[member] or truncated[member]:
                self._end(member, bool(terminated[member]), bool(truncated[member]))
                self._is_resting[member] = rests

    def _begin(self) -> None:
        self._is_training = self._stage.claim()
        if not self._is_training:
            return
        session = self._stage.session
        session.learn(n_envs=len(self._returns), **self._what)
        session.not_captured(
            f"{self._name} keeps its environments out of this process's sight: episodes, returns and lengths are "
            f"counted, there are no recordings. With {self._instead} they are recorded."
        )

    def _end(self, member: int, terminated: bool, truncated: bool) -> None:
        returned, length = self._returns[member], self._lengths[member]
        self._returns[member], self._lengths[member] = 0.0, 0
        if not self._is_training:
            self._stage.report_evaluation(returned, length)
            return
        self._stage.recorder.finished_episodes(
            env=[member], seed=[None], steps=[length], returns=[returned], terminated=[terminated],
            truncated=[truncated], timestep=[self._steps],
        )  # fmt: skip


def tap_hidden(vector: Any, stage: Stage, what: dict[str, Any]) -> None:
    """Count the episodes of a vector environment from outside."""
    bare = type(vector)
    bare_step, bare_reset = bare.step, bare.reset
    tally = Tally(stage, int(vector.num_envs), bare.__name__, what)
    rests, session = _rests(vector), stage.session

    def step(self: Any, actions: Any) -> Any:
        if session.attention:
            session.boundary()
        result = bare_step(self, actions)
        try:
            tally.count(result, rests)
        except (TypeError, ValueError, IndexError) as error:
            session.not_captured(f"Steps of {bare.__name__} are not understood ({error}).")
        return result

    def reset(self: Any, *arguments: Any, **named: Any) -> Any:
        options = named.get("options")
        if not (isinstance(options, dict) and "reset_mask" in options):
            tally.reset(arguments[0] if arguments else named.get("seed"))
        return bare_reset(self, *arguments, **named)

    disguise(vector, {"step": step, "reset": reset})


def tap_clock(vector: Any, stage: Stage) -> None:
    """The steps of this vector environment are the training's steps, if the training is in it."""
    bare_step, count = type(vector).step, int(vector.num_envs)

    def step(self: Any, actions: Any) -> Any:
        stage.vector_begins_step(self, count)
        try:
            return bare_step(self, actions)
        finally:
            stage.vector_ends_step()

    disguise(vector, {"step": step})


def _rests(vector: Any) -> bool:
    """Gymnasium 1.x resets in the step after the end, unless told otherwise; 0.29 in the same step."""
    mode = getattr(vector, "metadata", {}).get("autoreset_mode")
    return mode is not None and "NEXT" in str(getattr(mode, "name", mode)).upper()


def _numbers(column: Any) -> Any:
    """A list, whatever holds the column (numpy, torch, JAX)."""
    return column.tolist() if hasattr(column, "tolist") else list(column)
