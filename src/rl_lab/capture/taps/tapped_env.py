"""A Tap captures one environment of a script: its episodes, how they begin and the actions.

It is on the object that `gymnasium.make` returned, below all wrappers of the script, and changes nothing: it sets no
seed and converts no action. An episode that could not be re-simulated is counted without a recording.
"""

from __future__ import annotations

from operator import index
from typing import Any
from weakref import ref

from rl_lab.capture.env_groups import EnvGroup
from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_roles import EnvRoles
from rl_lab.capture.played_actions import Keeper, find_packing, make_keeper
from rl_lab.capture.taps.class_swap import swap_class
from rl_lab.core.bounds import CHECKSUM_STEPS
from rl_lab.portable.actions import Packing, bytes_per_step
from rl_lab.portable.generators import generator_state
from rl_lab.portable.slot import Slot


class Tap:
    def __init__(self, origin: Origin, roles: EnvRoles, env: Any) -> None:
        self.origin = origin
        self.is_closed = False
        self.is_late = False
        """Made after the script had begun to step another environment."""
        self.is_inside = False
        """True during a call: an environment may call its own `step` or `reset`, which are not calls of the script."""
        self.is_training = False
        self.seed: int | None = None
        self.generator = b""
        self.packing: Packing | None = None
        """How actions are stored; None before the first step, and when they cannot be."""
        self._is_reproducible = False
        """The start of the episode can be reproduced."""
        self._env = ref(env)
        self.roles = roles
        self.session = roles.session
        self._recorder = roles.recorder
        self._group: EnvGroup | None = None
        self._is_prepared = False
        self._slot = Slot(0, 0)
        self._stride = 0
        self._keeper: Keeper = _keep_nothing
        self._keep: Keeper = _keep_nothing
        self._keeps_rewards = False

    @property
    def is_over(self) -> bool:
        """Closed, or no longer referenced by the script."""
        return self.is_closed or self._env() is None

    @property
    def steps_taken(self) -> int:
        return self._slot.ended_steps + self._slot.steps

    def leave_group(self) -> None:
        """The next step joins a group again."""
        self._group = None

    def before_step(self, env: Any, action: Any) -> None:
        try:
            if self._group is None:
                self._join_group(env, action)
            self._keep(action)
        except Exception as error:  # the script may play any object as an action
            self.spoil(
                f"An episode of {self.origin.env_id} is not recorded: one action has another format ({error})."
            )

    def after_step(self, result: Any) -> None:
        slot = self._slot
        slot.steps += 1
        reward = float(result[1])
        slot.returned += reward
        if self._keeps_rewards:
            slot.rewards.append(reward)
        if slot.steps % CHECKSUM_STEPS == 0 and slot.stride:
            slot.states.add(result[0], reward)
        if result[2] or result[3]:
            self._end(result)
        elif slot.steps == slot.next_look and self.is_training:
            self._recorder.look(slot)

    def before_reset(self, env: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.seed, self.generator = None, b""
        self._is_reproducible = (
            not arguments and not named.get("options") and self._find_beginning(env, named.get("seed"))
        )
        if named.get("options"):
            self.session.not_captured(
                f"Episodes of {self.origin.env_id} that begin with reset(options=…) are counted but not recorded."
            )
        # Steps of an episode that the script abandons count as training steps.
        self._slot.ended_steps += self._slot.steps
        self._begin()

    def _join_group(self, env: Any, action: Any) -> None:
        """At the first step, and when a learner begins or ends; steps inside a reset are recorded and join none."""
        if not self._is_prepared:
            self._is_prepared = True
            self._prepare(env, action)
        self._group = self.roles.find_group(self, is_drawn=getattr(env, "render_mode", None) is not None)
        self._mark()

    def _prepare(self, env: Any, action: Any) -> None:
        if not self.origin.problem:
            self.packing = find_packing(env.action_space, action)
        self._slot = slot = self._recorder.slot(self.roles.number(self), bytes_per_step(self.packing))
        self._stride = slot.stride
        self._keeps_rewards = self._stride > 0 and not self.roles.is_trusted(self.origin)
        if self.packing and self._stride:
            self._keeper = make_keeper(slot.actions, self.packing)
        self._explain_missing(env)
        self._begin()

    def _explain_missing(self, env: Any) -> None:
        problem = self.origin.problem
        if not problem and self.packing is None:
            kind = type(env.action_space).__name__
            problem = f"the script's actions in its {kind} space cannot be stored"
        if problem:
            self.session.not_captured(
                f"Episodes of {self.origin.env_id} are counted but not recorded: {problem}."
            )

    def _mark(self) -> None:
        """Write the group into the events of the current episode."""
        if self._group is not None:
            self._slot.beginning["env_group"] = self._group.number

    def spoil(self, message: str = "") -> None:
        """The current episode cannot be re-simulated."""
        self._is_reproducible = False
        self._slot.stride = 0
        self._keep = _keep_nothing
        if message:
            self.session.not_captured(message)

    def _find_beginning(self, env: Any, seed: Any) -> bool:
        if seed is not None:
            try:
                self.seed = index(seed)
            except TypeError:
                return False
            return True
        state = generator_state(env) if self.origin.is_begun_by_generator else None
        self.generator = state or b""
        if state is None:
            self.session.not_captured(
                f"Episodes of {self.origin.env_id} that begin without a seed are counted but not recorded: their start "
                "cannot be reproduced."
            )
        return state is not None

    def _begin(self) -> None:
        slot = self._slot
        slot.begin(seed=self.seed, generator=self.generator)
        is_kept = self._is_reproducible and self._stride > 0
        slot.stride = self._stride if is_kept else 0
        self._keep = self._keeper if is_kept else _keep_nothing
        self._mark()

    def _end(self, result: Any) -> None:
        slot = self._slot
        if self._group is not None:
            info = result[4] if isinstance(result[4], dict) else {}
            success = info.get("is_success", info.get("success"))
            self._recorder.end(
                slot,
                terminated=bool(result[2]),
                truncated=bool(result[3]),
                success=None if success is None else bool(success),
                group=self._group,
            )
            self.session.after_episode()
        # Steps after the end without a reset: how that episode starts is unknown.
        self.seed, self.generator, self._is_reproducible = None, b"", False
        self._begin()


def tap_env(env: Any, origin: Origin, roles: EnvRoles) -> None:
    """Capture the episodes of this environment from now on."""
    tap, bare = Tap(origin, roles, env), type(env)
    methods = {
        "step": _tapped_step(bare, tap),
        "reset": _tapped_reset(bare, tap),
        "close": _tapped_close(bare, tap),
    }
    if swap_class(env, methods):
        roles.add(tap)
    else:
        roles.session.not_captured(
            f"The class of {origin.env_id} cannot be changed: its episodes are not captured."
        )


def _tapped_step(bare: Any, tap: Tap) -> Any:
    bare_step, session = bare.step, tap.session
    before_step, after_step = tap.before_step, tap.after_step

    def step(self: Any, action: Any) -> Any:
        if tap.is_inside:
            return bare_step(self, action)
        if session.attention:
            session.boundary()
        before_step(self, action)
        tap.is_inside = True
        try:
            result = bare_step(self, action)
        except BaseException:
            tap.spoil()
            raise
        finally:
            tap.is_inside = False
        try:
            after_step(result)
        except Exception as error:
            tap.spoil(f"Steps of {tap.origin.env_id} cannot be captured ({error}).")
        return result

    return step


def _tapped_reset(bare: Any, tap: Tap) -> Any:
    bare_reset = bare.reset

    def reset(self: Any, *arguments: Any, **named: Any) -> Any:
        if tap.is_inside:
            return bare_reset(self, *arguments, **named)
        try:
            tap.before_reset(self, arguments, named)
        except Exception as error:
            tap.spoil(
                f"An episode of {tap.origin.env_id} is not recorded: its start cannot be captured ({error})."
            )
        tap.is_inside = True
        try:
            return bare_reset(self, *arguments, **named)
        except BaseException:
            tap.spoil()
            raise
        finally:
            tap.is_inside = False

    return reset


def _tapped_close(bare: Any, tap: Tap) -> Any:
    bare_close = bare.close

    def close(self: Any, *arguments: Any, **named: Any) -> Any:
        tap.roles.remove(tap)
        return bare_close(self, *arguments, **named)

    return close


def _keep_nothing(action: Any) -> None:
    return None
