"""Taps vector environments. If the members run in this process, they have their own taps, and only steps are counted
here. If they are hidden (other processes, a native simulator), episodes are computed from rewards and dones, without
recordings.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from rl_lab.capture.env_groups import EnvGroup
from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_places import Place
from rl_lab.capture.env_roles import EnvRoles
from rl_lab.capture.taps.class_swap import swap_class


class Tally:
    """Returns and lengths of the members of a vector environment, computed from its results."""

    def __init__(
        self, roles: EnvRoles, vector: Any, what: dict[str, Any], *, instead: str = "SyncVectorEnv"
    ) -> None:
        self._roles = roles
        self._name, self._instead = type(vector).__name__, instead
        self._origin = _origin(what)
        self._seed: int | None = what.get("seed")
        self._vector = ref(vector)
        self._is_late = bool(roles.groups)
        count = int(vector.num_envs)
        self._returns = [0.0] * count
        self._lengths = [0] * count
        self._is_resting = [False] * count
        """The next step of this member is its reset."""
        self.steps_taken = 0
        self.is_closed = False
        self.is_training = False
        self._group: EnvGroup | None = None

    @property
    def is_over(self) -> bool:
        return self.is_closed or self._vector() is None

    def leave_group(self) -> None:
        self._group = None

    def reset(self, seed: Any = None) -> None:
        if type(seed) is int and self._group is None:
            self._seed = seed
        count = len(self._returns)
        self._returns, self._lengths, self._is_resting = [0.0] * count, [0] * count, [False] * count

    def count(self, result: Any, rests: bool) -> None:
        """One step of all; `rests`: a member that ended spends its next step on its reset."""
        group = self._group or self._join_group()
        self.steps_taken += len(self._returns)
        rewards, terminated, truncated = (_numbers(column) for column in result[1:4])
        for member, reward in enumerate(rewards):
            if self._is_resting[member]:
                self._is_resting[member] = False
                continue
            self._returns[member] += float(reward)
            self._lengths[member] += 1
            if terminated[member] or truncated[member]:
                self._end(
                    group, member, terminated=bool(terminated[member]), truncated=bool(truncated[member])
                )
                self._is_resting[member] = rests

    def _join_group(self) -> EnvGroup:
        place = Place(False, self._vector(), len(self._returns))
        self._group = group = self._roles.hidden_group(
            place, self, self._origin, seed=self._seed, is_late=self._is_late
        )
        self._roles.session.not_captured(
            f"{self._name} runs its environments outside this process: episodes are counted with return and length, "
            f"but not recorded. With {self._instead} they are recorded."
        )
        return group

    def _end(self, group: EnvGroup, member: int, **ending: bool) -> None:
        returned, length = self._returns[member], self._lengths[member]
        self._returns[member], self._lengths[member] = 0.0, 0
        self._roles.recorder.hidden_episode(group, env=member, steps=length, returned=returned, **ending)


def tap_hidden(vector: Any, roles: EnvRoles, what: dict[str, Any]) -> None:
    """Count the episodes of a vector environment from its results."""
    bare = type(vector)
    bare_step, bare_reset, bare_close = bare.step, bare.reset, bare.close
    tally = Tally(roles, vector, what)
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

    def close(self: Any, *arguments: Any, **named: Any) -> Any:
        tally.is_closed = True
        return bare_close(self, *arguments, **named)

    swap_class(vector, {"step": step, "reset": reset, "close": close})


def tap_clock(vector: Any, roles: EnvRoles) -> None:
    """The steps of this vector environment are counted as scripts count them: one for each member."""
    bare_step, count = type(vector).step, int(vector.num_envs)
    clock = roles.clock_of(vector)

    def step(self: Any, actions: Any) -> Any:
        clock.steps += count
        return bare_step(self, actions)

    swap_class(vector, {"step": step})


def _origin(what: dict[str, Any]) -> Origin | None:
    """What is known about the hidden environments."""
    if not what.get("env_id"):
        return None
    version = what.get("env_version") or ""
    return Origin(
        what["env_id"], what.get("env_kwargs") or {}, version, None, False, "its members are hidden"
    )


def _rests(vector: Any) -> bool:
    """By default, Gymnasium 1.x resets in the step after the end; 0.29 in the same step."""
    mode = getattr(vector, "metadata", {}).get("autoreset_mode")
    return mode is not None and "NEXT" in str(getattr(mode, "name", mode)).upper()


def _numbers(column: Any) -> Any:
    """The column of numpy, torch or JAX as a list."""
    return column.tolist() if hasattr(column, "tolist") else list(column)
