"""The Recorder, shared by all sub-environments, numbers episodes and sends their seeds and actions.

`worker/recorded_env.py` and `capture/taps/tapped_env.py` feed it step by step; a vectorised learner passes whole
episodes to `finished_episodes` and `partial`. An `episode` event carries its whole trace, except when that is too long
for a line: then the first steps are sent before it in `steps` events of the same env and seed, and `trace.start` > 0.
Episodes are numbered as they end: the number in a `steps` event of a running episode is only the next free one.

Standard library only: captured scripts import it too.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rl_lab.core.bounds import MAX_SEED, REWARD_WINDOW
from rl_lab.portable.emitter import Emitter
from rl_lab.portable.slot import Slot
from rl_lab.portable.slot_groups import SlotGroup
from rl_lab.portable.step_columns import NAN, pad, put
from rl_lab.portable.traces import MAX_TRACE_BYTES, trace_fields

PARTIAL_S = 0.25
LOOK_S = 0.05


def episode_seed(run_seed: int, env_index: int, episode: int) -> int:
    """The reset seed of the n-th episode of one sub-environment."""
    import numpy as np

    return int(np.random.SeedSequence([run_seed, env_index, episode]).generate_state(1)[0]) & MAX_SEED


class Recorder:
    """Numbers episodes in the order of their ending and keeps the mean of the last hundred."""

    def __init__(
        self,
        telemetry: Emitter,
        *,
        run_seed: int = 0,
        episode0: int = 0,
        timestep0: int = 0,
        record: bool = True,
        keep_rewards: bool = False,
        is_training: bool = True,
    ) -> None:
        self.telemetry = telemetry
        self._episode_event = telemetry.maker("episode")
        self._steps_event = telemetry.maker("steps")
        self.run_seed = run_seed
        self.episode0 = episode0
        self.record = record
        self.keep_rewards = keep_rewards
        """Only for environments that are not deterministic."""
        self._is_training = is_training
        """Only a training counts timesteps; other jobs report their progress in episodes or scenes."""
        self.episodes = episode0
        """Episodes of the run so far = the number the next one gets."""
        self._timestep0 = timestep0
        self._reported = timestep0
        self._slots: dict[int, Slot] = {}
        self._returns: deque[float] = deque(maxlen=REWARD_WINDOW)
        self._last_partial = time.monotonic()
        self.clock: Callable[[], int] | None = None
        """Steps since the start by the learner's own count, where sub-environments see more (skipped frames)."""

    def count_from(self, timestep: int) -> None:
        """Of a learner whose first steps were none of an environment."""
        self._timestep0 = self._reported = timestep

    @property
    def timestep(self) -> int:
        """Environment steps of the run so far, all sub-environments together."""
        if self.clock is not None:
            return self._timestep0 + self.clock()
        stepped = self._timestep0 + sum(s.ended_steps + s.steps for s in self._slots.values())
        return max(self._reported, stepped)

    @property
    def mean_reward(self) -> float | None:
        return sum(self._returns) / len(self._returns) if self._returns else None

    @property
    def has_undefined_return(self) -> bool:
        """Whether the environment returned a reward that is no finite number, in a recent or a running episode."""
        running = (slot.returned for slot in self._slots.values())
        return not all(map(math.isfinite, chain(self._returns, running)))

    @property
    def window_episodes(self) -> int:
        """How many episodes `mean_reward` is the mean of."""
        return len(self._returns)

    @property
    def is_window_full(self) -> bool:
        return len(self._returns) == REWARD_WINDOW

    def state(self) -> dict[str, Any]:
        """What the numbers and means of later episodes depend on, as plain data for a checkpoint."""
        return {"episodes": self.episodes, "returns": list(self._returns)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.episodes = int(state["episodes"])
        self._returns = deque(map(float, state["returns"]), maxlen=REWARD_WINDOW)

    def slot(self, env: int, stride: int) -> Slot:
        self._slots[env] = slot = Slot(env, stride if self.record else 0)
        return slot

    def thought(
        self,
        env: int,
        value: float | None,
        chosen: float | None = None,
        extra: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        """The policy's value and probability for the state it acts in next; call it before the step.

        `extra` has rows of always the same width, "probabilities" or "q_values": for evaluations, not training.
        """
        slot = self._slots[env]
        if value is not None:
            put(slot.values, slot.steps, value)
        if chosen is not None:
            put(slot.chosen, slot.steps, chosen)
        for name, row in (extra or {}).items():
            put(slot.extra.setdefault(name, []), slot.steps, row, [NAN] * len(row))

    def thoughts(self, values: Sequence[float] | None, chosen: Sequence[float] | None = None) -> None:
        """The same for all sub-environments at once; lists (`array.tolist()`) are faster than arrays."""
        for column, numbers in (("values", values), ("chosen", chosen)):
            if numbers is None or len(numbers) != len(self._slots):
                continue  # a batch of another size is not about these environments
            for slot, number in zip(self._slots.values(), numbers, strict=True):
                put(getattr(slot, column), slot.steps, number)

    def look(self, slot: Slot) -> None:
        """Called regularly during an episode: sends the new steps of env 0, at most four times a second."""
        now = time.monotonic()
        slot.pace = _new_pace(slot.pace, now - slot.last_look)
        slot.last_look = now
        slot.next_look = slot.steps + slot.pace
        if slot.env == 0 and slot.stride and now - self._last_partial >= PARTIAL_S:
            self._last_partial = now
            self.send_steps(slot)

    def send_steps(self, slot: Slot) -> None:
        """Sends the steps that were not sent yet."""
        if slot.sent >= slot.steps:
            return
        timestep, upto = self._event_timestep(), slot.steps
        self.telemetry.emit_many(
            self._partial(slot, trace, timestep) for trace in _traces(slot, slot.sent, upto)
        )
        slot.sent = upto

    def end(
        self,
        slot: Slot,
        *,
        terminated: bool,
        truncated: bool,
        success: bool | None = None,
        group: SlotGroup | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """The episode of this slot is over; the caller begins the next one. The lab numbers episodes of groups."""
        traces = list(_traces(slot, 0, slot.steps)) if slot.stride else []
        timestep = self._event_timestep()
        events = [self._partial(slot, trace, timestep) for trace in traces[:-1]]
        events.append(
            self._episode_event(
                **slot.beginning,
                episode=self.episodes if group is None else None,
                group_step=None if group is None else group.steps,
                env=slot.env,
                steps=slot.steps,
                return_=float(slot.returned),
                terminated=terminated,
                truncated=truncated,
                success=success,
                timestep=timestep,
                trace=traces[-1] if traces else None,
                **({"extra": dict(extra)} if extra else {}),
            )
        )
        self.telemetry.emit_many(events)
        self._count(float(slot.returned), group)
        slot.ended_steps += slot.steps

    def hidden_episode(
        self, group: SlotGroup, *, env: int, steps: int, returned: float, **ending: bool
    ) -> None:
        """An episode of which only return and length are known."""
        event = self._episode_event(
            env=env,
            env_group=group.number,
            group_step=group.steps,
            steps=steps,
            return_=returned,
            timestep=self.timestep,
            **ending,
        )
        self.telemetry.emit(event)
        self._count(returned, group)

    def finished_episodes(
        self,
        *,
        env: Sequence[int],
        seed: Sequence[int | None],
        steps: Sequence[int],
        returns: Sequence[float],
        terminated: Sequence[bool],
        truncated: Sequence[bool],
        timestep: Sequence[int],
        actions: Sequence[bytes | None] | None = None,
        values: Sequence[Any] | None = None,
        chosen: Sequence[Any] | None = None,
        checksums: Sequence[bytes] | None = None,
    ) -> None:
        """Whole episodes of a vectorised learner, one entry each, in the order of their ending.

        `actions` are packed bytes, None for an episode that is not kept; `values` and `chosen` hold one
        number a step each (arrays or lists), or None. All columns of one episode must fit a line (256 KiB).
        """
        batch = []
        for i in range(len(steps)):
            trace = None
            if self.record and actions is not None and actions[i] is not None:
                trace = trace_fields(
                    0,
                    int(steps[i]),
                    actions[i] or b"",
                    values=_at(values, i),
                    chosen=_at(chosen, i),
                    checksums=_at(checksums, i) or b"",
                )
            batch.append(
                self._episode_event(
                    episode=self.episodes,
                    env=int(env[i]),
                    seed=None if seed[i] is None else int(seed[i] or 0),
                    steps=int(steps[i]),
                    return_=float(returns[i]),
                    terminated=bool(terminated[i]),
                    truncated=bool(truncated[i]),
                    timestep=int(timestep[i]),
                    trace=trace,
                )
            )
            self._count(float(returns[i]))
            self._reported = max(self._reported, int(timestep[i]))
        self.telemetry.emit_many(batch)

    def partial(
        self,
        *,
        env: int,
        seed: int,
        start: int,
        count: int,
        actions: bytes,
        returned: float,
        timestep: int,
        values: Any = None,
        chosen: Any = None,
        checksums: bytes = b"",
    ) -> None:
        """Steps `start` to `start + count` of a running episode of a vectorised learner."""
        trace = trace_fields(start, count, actions, values=values, chosen=chosen, checksums=checksums)
        self._reported = max(self._reported, timestep)
        self.telemetry.emit(
            self._steps_event(
                episode=self.episodes,
                env=env,
                seed=seed,
                timestep=timestep,
                returned=float(returned),
                trace=trace,
            )
        )

    def partial_is_due(self) -> bool:
        """True four times a second: a vectorised learner asks at its update boundaries."""
        now = time.monotonic()
        if not self.record or now - self._last_partial < PARTIAL_S:
            return False
        self._last_partial = now
        return True

    def _event_timestep(self) -> int | None:
        return self.timestep if self._is_training else None

    def _partial(self, slot: Slot, trace: Any, timestep: int | None) -> Any:
        return self._steps_event(
            **slot.beginning,
            episode=self.episodes,
            env=slot.env,
            timestep=timestep,
            returned=float(slot.returned),
            trace=trace,
        )

    def _count(self, returned: float, group: SlotGroup | None = None) -> None:
        if group is not None:
            group.episodes += 1
            if not group.is_training:
                return
        self.episodes += 1
        self._returns.append(returned)


def _traces(slot: Slot, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """The steps from `start` to `stop` in traces that fit a line each; at least one."""
    most = max(1, MAX_TRACE_BYTES // (max(slot.stride, 8) + _extra_bytes(slot)))
    pad(slot.values, stop, NAN)
    pad(slot.chosen, stop, NAN)
    for rows in slot.extra.values():
        pad(rows, stop, [NAN] * len(rows[0]))
    for first in range(start, max(stop, start + 1), most):
        last = min(first + most, stop)
        yield trace_fields(
            first,
            last - first,
            bytes(slot.actions[first * slot.stride : last * slot.stride]),
            values=slot.values[first:last],
            chosen=slot.chosen[first:last],
            rewards=slot.rewards[first:last].tobytes(),
            checksums=slot.states.between(first, last),
            extra={name: list(chain.from_iterable(rows[first:last])) for name, rows in slot.extra.items()},
        )


def _extra_bytes(slot: Slot) -> int:
    return sum(2 * len(rows[0]) for rows in slot.extra.values())


def _new_pace(pace: int, elapsed_s: float) -> int:
    """Steps that take about LOOK_S, changed by no more than a factor of four at once."""
    wanted = int(pace * LOOK_S / max(elapsed_s, 1e-6))
    return max(1, min(wanted, pace * 4, 4096))


def _at(column: Sequence[Any] | None, index: int) -> Any:
    return None if column is None else column[index]
