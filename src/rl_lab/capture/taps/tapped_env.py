"""A Tap listens to one environment a script made: episodes, their beginnings and the actions really played.

It lies directly on what `gymnasium.make` returned, below all wrappers of the script, and changes nothing: no seed is
given, no action converted. An episode that could not be played again is counted without a recording.
"""

from __future__ import annotations

from operator import index
from typing import Any

from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_roles import Stage
from rl_lab.capture.played_actions import Keeper, make_keeper
from rl_lab.capture.taps.class_swap import disguise
from rl_lab.portable.actions import Packing
from rl_lab.portable.generators import generator_state
from rl_lab.portable.recorder import Slot


class Tap:
    def __init__(self, origin: Origin, stage: Stage) -> None:
        self.origin = origin
        self.is_reset = False
        self.is_closed = False
        self.is_inside = False
        """An environment may call its own `step` or `reset`: that is not the script's."""
        self.seed: int | None = None
        self.generator = b""
        self._is_explained = False
        """The episode's beginning can be brought about again."""
        self._stage = stage
        self._session = stage.session
        self._recorder = stage.recorder
        self._is_cast = self._is_training = False
        self._slot = Slot(0, 0)
        self._stride = 0
        self._keeper: Keeper = _nothing
        self._keep: Keeper = _nothing
        self._keeps_rewards = False

    def before_step(self, env: Any, action: Any) -> None:
        try:
            if not self._is_cast:
                self._is_cast = True
                self._stage.cast(self, env, action)
            self._keep(action)
        except Exception as error:  # whatever a script plays is its own affair
            self.spoil(
                f"An episode of {self.origin.env_id} is not recorded: an action of another kind was played ({error})."
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
        self._is_explained = (
            not arguments and not named.get("options") and self._find_beginning(env, named.get("seed"))
        )
        if named.get("options"):
            self._session.not_captured(
                f"Episodes of {self.origin.env_id} that begin with reset(options=…) are counted, not recorded."
            )
        self._slot.ended_steps += (
            self._slot.steps
        )  # steps of an episode given up half way count as training steps
        self._begin()

    def train(self, slot: Slot, packing: Packing | None) -> None:
        """This environment's episodes are the run's."""
        self._is_cast = self._is_training = True
        self._slot, self._stride = slot, slot.stride
        self._keeps_rewards = self._stride > 0 and not self._stage.is_trusted(self.origin)
        self._keeper = make_keeper(slot.actions, packing) if packing and self._stride else _nothing
        self._begin()

    def evaluate(self) -> None:
        self._begin()

    def spoil(self, words: str = "") -> None:
        """The episode so far cannot be played again."""
        self._is_explained = False
        self._slot.stride = 0
        self._keep = _nothing
        if words:
            self._session.not_captured(words)

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
            self._session.not_captured(
                f"Episodes of {self.origin.env_id} that begin without a seed are counted, not recorded: nothing says "
                "how they began."
            )
        return state is not None

    def _begin(self) -> None:
        slot = self._slot
        slot.begin(seed=self.seed, generator=self.generator)
        is_kept = self._is_explained and self._stride > 0
        slot.stride = self._stride if is_kept else 0
        self._keep = self._keeper if is_kept else _nothing

    def _end(self, result: Any) -> None:
        slot = self._slot
        if not self._is_training:
            self._stage.report_evaluation(slot.returned, slot.steps)
        else:
            info = result[4] if isinstance(result[4], dict) else {}
            success = info.get("is_success", info.get("success"))
            self._recorder.end(
                slot,
                terminated=bool(result[2]),
                truncated=bool(result[3]),
                success=None if success is None else bool(success),
            )
        # What is played without a reset after the end began in a way nobody saw.
        self.seed, self.generator, self._is_explained = None, b"", False
        self._begin()


def tap_env(env: Any, origin: Origin, stage: Stage) -> None:
    """Listen to this environment from now on."""
    tap = Tap(origin, stage)
    if disguise(env, _methods(type(env), tap, stage)):
        stage.enter(tap)
    else:
        stage.session.not_captured(
            f"{origin.env_id} is of a kind that cannot be listened to: its episodes are not seen."
        )


def _methods(bare: type, tap: Tap, stage: Stage) -> dict[str, Any]:
    bare_step, bare_reset, bare_close = bare.step, bare.reset, bare.close  # type: ignore[attr-defined]
    session, before_step, after_step = stage.session, tap.before_step, tap.after_step

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
            tap.spoil(
                f"Steps of {tap.origin.env_id} are not understood ({error}): its episodes are not seen."
            )
        return result

    def reset(self: Any, *arguments: Any, **named: Any) -> Any:
        if tap.is_inside:
            return bare_reset(self, *arguments, **named)
        try:
            tap.before_reset(self, arguments, named)
        except Exception as error:
            tap.spoil(
                f"An episode of {tap.origin.env_id} is not recorded: its beginning is not understood ({error})."
            )
        tap.is_inside = True
        try:
            return bare_reset(self, *arguments, **named)
        except BaseException:
            tap.spoil()
            raise
        finally:
            tap.is_inside = False

    def close(self: Any, *arguments: Any, **named: Any) -> Any:
        stage.leave(tap)
        return bare_close(self, *arguments, **named)

    return {"step": step, "reset": reset, "close": close}


def _nothing(action: Any) -> None:
    return None
