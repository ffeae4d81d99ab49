"""Simulates recorded episodes again and keeps their steps, in pieces of bounded size, ready to be scored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.bounds import CHECKSUM_BYTES, CHECKSUM_STEPS
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import unpack
from rl_lab.portable.generators import begin
from rl_lab.portable.state_checksums import state_checksum
from rl_lab.worker.rendering.simulation import is_same_reward, recorded_environment
from rl_lab.worker.user_code.scorer import StepRows, added_up
from rl_lab.worker.user_code.step_values import plain, plain_info, stack_observations

PIECE_BYTES = 16 << 20
MOST_ROWS = 1 << 10
"""The time limit of user code is for one piece."""
BYTES_PER_VALUE = 400
"""About what an observation or info takes that is no array."""
MOST_TRIES = 3
TOLERANCE = 1e-4
"""Of a return, relative to all that was added up: learners may add single precision."""


@dataclass(slots=True)
class SimulatedEpisode:
    """What was found out about an episode while it was simulated."""

    length: int = 0
    returned: float = 0.0
    absolute: float = 0.0
    """The sum of the rewards without their signs."""
    is_same: bool = True
    """No state or reward differs from the recorded one."""
    pieces: list[StepRows] = field(default_factory=list)
    """Its steps, if they are to be kept."""
    size: int = 0

    def is_exact(self, recording: Recording) -> bool:
        """Whether this is the recorded episode."""
        if not self.is_same or self.length != recording.count:
            return False
        allowed = TOLERANCE * max(1.0, self.absolute)
        return recording.returned is None or abs(self.returned - recording.returned) <= allowed


class Simulator:
    """Plays recordings in environments that are used again, where that is exact."""

    def __init__(self) -> None:
        self._env: Any = None
        self._address = ""
        self._is_used = False
        """Whether the environment has played an episode."""
        self._needs_new = False
        """The environment carries something over from one episode to the next."""
        self._tries = 0
        """Episodes that a new environment did not play as they were recorded either."""
        self._was_used = False
        """Before the episode that is being played."""

    def _prepare(self, recording: Recording) -> None:
        """Creates its environment, unless the last one can be used again."""
        address = json.dumps([recording.env_id, recording.env_kwargs], sort_keys=True, default=str)
        if address != self._address:
            self._needs_new, self._tries = False, 0
        if self._env is None or address != self._address or (self._needs_new and self._is_used):
            self.close()
            self._env, self._address, self._is_used = recorded_environment(recording, None), address, False

    def simulate(
        self, recording: Recording, *, with_info: bool
    ) -> Iterator[tuple[SimulatedEpisode, StepRows]]:
        """Pieces of the episode, each with what is known so far."""
        self._prepare(recording)
        self._was_used, self._is_used = self._is_used, True
        episode = SimulatedEpisode()
        for rows in _play(self._env, recording, with_info):
            _note(episode, rows, recording)
            yield episode, rows

    def should_repeat(self, episode: SimulatedEpisode, recording: Recording) -> bool:
        """After an episode: whether a new environment may play it as it was recorded."""
        is_exact = episode.is_exact(recording)
        if self._was_used and not is_exact and self._tries < MOST_TRIES:
            self._needs_new = True
            return True
        if self._needs_new and not is_exact:
            self._tries += 1
            self._needs_new = self._tries < MOST_TRIES
        return False

    def close(self) -> None:
        if self._env is not None:
            self._env.close()
        self._env = None


def _play(env: Any, recording: Recording, with_info: bool) -> Iterator[StepRows]:
    observation, _ = begin(env, recording.seed, recording.generator)
    actions = unpack(recording.action, recording.actions)
    at = 0
    while at < len(actions):
        piece = _StepPiece(observation, len(actions) - at, with_info)
        for action in actions[at : at + piece.room]:
            outcome = env.step(action)
            piece.add(outcome)
            if outcome[2] or outcome[3]:
                break
        rows = piece.rows(actions[at : at + len(piece)], is_first=at == 0)
        yield rows
        observation, at = piece.last, at + len(rows)
        if rows.terminated[-1] or rows.truncated[-1]:
            return


class _StepPiece:
    """Some steps of an episode, one after the other."""

    def __init__(self, observation: Any, left: int, with_info: bool) -> None:
        self.last = observation
        self._is_array = isinstance(observation, np.ndarray | np.generic | int | float)
        first = np.asarray(observation) if self._is_array else None
        row_bytes = BYTES_PER_VALUE if first is None else max(1, first.nbytes)
        self.room = max(1, min(left, MOST_ROWS, PIECE_BYTES // row_bytes))
        self._table: Any = []
        if first is not None:
            self._table = np.empty((self.room + 1, *first.shape), first.dtype)
            self._table[0] = first
        else:
            self._table.append(plain(observation))
        self._rewards: list[float] = []
        self._ends = (False, False)
        self._infos: list[Any] | None = [] if with_info else None

    def __len__(self) -> int:
        return len(self._rewards)

    def add(self, outcome: Sequence[Any]) -> None:
        """Copies the observation: an environment may use the array again."""
        observation, reward, terminated, truncated, info = outcome
        self._rewards.append(float(reward))
        if self._is_array:
            self._put(np.asarray(observation))
        else:
            self._table.append(plain(observation))
        if self._infos is not None:
            self._infos.append(plain_info(info))
        if terminated or truncated:
            self._ends = bool(terminated), bool(truncated)
        self.last = observation

    def _put(self, observation: NDArray[Any]) -> None:
        """The first observation may have another type than the others, such as integers."""
        if observation.dtype != self._table.dtype:
            self._table = self._table.astype(np.promote_types(self._table.dtype, observation.dtype))
        self._table[len(self._rewards)] = observation

    def rows(self, actions: Sequence[Any], *, is_first: bool) -> StepRows:
        n = len(self)
        return StepRows(
            obs=self._table[:n],
            action=stack_observations(actions),
            next_obs=self._table[1 : n + 1],
            reward=np.array(self._rewards, np.float64),
            terminated=_only_last(n, self._ends[0]),
            truncated=_only_last(n, self._ends[1]),
            begins=_only_first(n, is_first),
            info=self._infos,
        )


def _only_last(n: int, value: bool) -> NDArray[np.bool_]:
    column = np.zeros(n, np.bool_)
    column[-1:] = value
    return column


def _only_first(n: int, value: bool) -> NDArray[np.bool_]:
    column = np.zeros(n, np.bool_)
    column[:1] = value
    return column


def _note(episode: SimulatedEpisode, rows: StepRows, recording: Recording) -> None:
    start, n = episode.length, len(rows)
    if episode.is_same:
        episode.is_same = _has_same_rewards(rows, recording, start) and _has_same_states(
            rows, recording, start
        )
    episode.length += n
    episode.returned = added_up(rows.reward, episode.returned)
    episode.absolute += float(np.abs(rows.reward).sum())


def _has_same_rewards(rows: StepRows, recording: Recording, start: int) -> bool:
    recorded = np.frombuffer(recording.rewards, "<f4")[start : start + len(rows)]
    return bool(np.all(is_same_reward(recorded, rows.reward[: len(recorded)])))


def _has_same_states(rows: StepRows, recording: Recording, start: int) -> bool:
    first = -(start + 1) % CHECKSUM_STEPS
    try:
        for row in range(first, len(rows), CHECKSUM_STEPS):
            end = (start + row + 1) // CHECKSUM_STEPS * CHECKSUM_BYTES
            recorded = recording.checksums[end - CHECKSUM_BYTES : end]
            if recorded and state_checksum(rows.next_obs[row], rows.reward[row]) != recorded:
                return False
    except (TypeError, ValueError):  # observations that are no numbers have no checksum
        return True
    return True
