"""Taps vector environments. If the members run in this process, they have their own taps, and only steps are counted
here. If they are hidden (other processes, a native simulator), episodes are computed from rewards and dones, without
recordings.
"""

from __future__ import annotations

from typing import Any

from rl_lab.capture.env_roles import EnvRoles
from rl_lab.capture.taps.class_swap import swap_class


class Tally:
    """Returns and lengths of the members of a vector environment, computed from its results."""

    def __init__(
        self, roles: EnvRoles, count: int, name: str, what: dict[str, Any], *, instead: str = "SyncVectorEnv"
    ) -> None:
        self._roles = roles
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
        self._is_training = self._roles.claim_training()
        if not self._is_training:
            return
        session = self._roles.session
        session.report_config(n_envs=len(self._returns), **self._what)
        session.not_captured(
            f"{self._name} runs its environments outside this process: episodes are counted with return and length, "
            f"but not recorded. With {self._instead} they are recorded."
        )

    def _end(self, member: int, terminated: bool, truncated: bool) -> None:
        returned, length = self._returns[member], self._lengths[member]
        self._returns[member], self._lengths[member] = 0.0, 0
        if not self._is_training:
            self._roles.report_evaluation(returned, length)
            return
        self._roles.recorder.finished_episodes(
            env=[member],
            seed=[None],
            steps=[length],
            returns=[returned],
            terminated=[terminated],
            truncated=[truncated],
            timestep=[self._steps],
        )


def tap_hidden(vector: Any, roles: EnvRoles, what: dict[str, Any]) -> None:
    """Count the episodes of a vector environment from its results."""
    bare = type(vector)
    bare_step, bare_reset = bare.step, bare.reset
    tally = Tally(roles, int(vector.num_envs), bare.__name__, what)
    rests, session = _rests(vector), roles.session

    def step(self: Any, actions: Any) -> Any:
        if session.attention:
            session.boundary()
        result = bare_step(self, actions)
        try:
            tally.count(result, rests)
        except (TypeError, ValueError, IndexError) as error:
            session.not_captured(f"Steps of {bare.__name__} cannot be captured ({error}).")
        return result

    def reset(self: Any, *arguments: Any, **named: Any) -> Any:
        options = named.get("options")
        if not (isinstance(options, dict) and "reset_mask" in options):
            tally.reset(arguments[0] if arguments else named.get("seed"))
        return bare_reset(self, *arguments, **named)

    swap_class(vector, {"step": step, "reset": reset})


def tap_clock(vector: Any, roles: EnvRoles) -> None:
    """The steps of this vector environment count as training steps, if its members are trained in."""
    bare_step, count = type(vector).step, int(vector.num_envs)

    def step(self: Any, actions: Any) -> Any:
        roles.vector_begins_step(self, count)
        try:
            return bare_step(self, actions)
        finally:
            roles.vector_ends_step()

    swap_class(vector, {"step": step})


def _rests(vector: Any) -> bool:
    """By default, Gymnasium 1.x resets in the step after the end; 0.29 in the same step."""
    mode = getattr(vector, "metadata", {}).get("autoreset_mode")
    return mode is not None and "NEXT" in str(getattr(mode, "name", mode)).upper()


def _numbers(column: Any) -> Any:
    """The column of numpy, torch or JAX as a list."""
    return column.tolist() if hasattr(column, "tolist") else list(column)
