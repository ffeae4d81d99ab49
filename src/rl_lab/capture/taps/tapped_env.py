"""A Tap captures one environment of a script: its episodes, how they begin and the actions.

It is on the object that `gymnasium.make` returned, below all wrappers of the script, and changes nothing: it sets no
seed and converts no action. An episode that could not be re-simulated is counted without a recording.
"""

from __future__ import annotations

from operator import index
from typing import Any

from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_roles import EnvRoles
from rl_lab.capture.played_actions import Keeper, make_keeper
from rl_lab.capture.taps.class_swap import swap_class
from rl_lab.portable.actions import Packing
from rl_lab.portable.generators import generator_state
from rl_lab.portable.recorder import Slot


class Tap:
    def __init__(self, origin: Origin, roles: EnvRoles) -> None:
        self.origin = origin
        self.is_reset = False
        self.is_closed = False
        self.is_inside = False
        """True during a call: an environment may call its own `step` or `reset`, which are not calls of the script."""
        self.seed: int | None = None
        self.generator = b""
        self._is_reproducible = False
        """The start of the episode can be reproduced."""
        self.roles = roles
        self.session = roles.session
        self._recorder = roles.recorder
        self._has_role = self._is_training = False
        self._slot = Slot(0, 0)
        self._stride = 0
        self._keeper: Keeper = _keep_nothing
        self._keep: Keeper = _keep_nothing
        self._keeps_rewards = False

    def before_step(self, env: Any, action: Any) -> None:
        try:
            if not self._has_role:
                self._has_role = True
                self.roles.assign_role(self, env, action)
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
        if result[2] or result[3]:
            self._end(result)
        elif self._is_training and slot.steps == slot.next_look:
            self._recorder.look(slot)

    def before_reset(self, env: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.is_reset = True
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

    def train(self, slot: Slot, packing: Packing | None) -> None:
        """The episodes of this environment are the run's training episodes."""
        self._has_role = self._is_training = True
        self._slot, self._stride = slot, slot.stride
        self._keeps_rewards = self._stride > 0 and not self.roles.is_trusted(self.origin)
        self._keeper = make_keeper(slot.actions, packing) if packing and self._stride else _keep_nothing
        self._begin()

    def evaluate(self) -> None:
        """The episodes of this environment are evaluation episodes."""
        self._begin()

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

    def _end(self, result: Any) -> None:
        slot = self._slot
        if not self._is_training:
            self.roles.report_evaluation(slot.returned, slot.steps)
        else:
            info = result[4] if isinstance(result[4], dict) else {}
            success = info.get("is_success", info.get("success"))
            self._recorder.end(
                slot,
                terminated=bool(result[2]),
                truncated=bool(result[3]),
                success=None if success is None else bool(success),
            )
        # Steps after the end without a reset: how that episode starts is unknown.
        self.seed, self.generator, self._is_reproducible = None, b"", False
        self._begin()


def tap_env(env: Any, origin: Origin, roles: EnvRoles) -> None:
    """Capture the episodes of this environment from now on."""
    tap, bare = Tap(origin, roles), type(env)
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
