"""IQL's last steps in the environment: one step there, one update on the dataset and all that was seen since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from rl_lab.core import event_log
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.runners.offline.batches import StepBatch, gather
from rl_lab.runners.offline.iql import Iql
from rl_lab.runners.offline.tensors import to_tensors
from rl_lab.runners.offline.transitions import STEP_COLUMNS, Transitions
from rl_lab.worker.session import Session

STREAM = 1
"""Sets the random numbers of this phase apart from those of the batches before it."""
LEAST_ROOM = 1024
"""Steps of the environment that memory is set aside for at once."""
NOT_REPEATED = (
    "the environment did not repeat its unfinished episode (it is not deterministic), so a new one begins"
)


def first_online_step(session: Session, params: Any, has_environment: bool) -> int:
    """The step from which the run learns in the environment; its last step when it does not.

    A run that was lengthened keeps that of its first plan, so it makes its further steps in the environment.
    """
    config, wanted = session.train_config, getattr(params, "online_steps", 0)
    if not wanted:
        return session.step_limit
    planned = config.lengthened.schedule_steps if config.lengthened else config.total_timesteps
    if wanted >= planned:
        raise InvalidInput.of_field(
            "params.online_steps",
            f"The last {wanted:,} steps are made in the environment, so the run needs more steps than that: -n.",
        )
    if not has_environment:
        raise NotReady(
            "The last steps of this run are made in its environment, which is not there.",
            cause="no-environment",
            next_step="Install it, or set online_steps to 0.",
        )
    return min(planned - wanted, session.step_limit)


class OnlinePhase:
    def __init__(self, session: Session, learner: Iql, data: Transitions, seed: int) -> None:
        self._session, self._learner, self._data, self._seed = session, learner, data, seed
        [make] = session.make_envs(1)
        self._env = make()
        self._steps, self._seen_rows = len(data), len(data.observations)
        """Of the dataset; what follows is new."""
        self._count, self._rows = self._steps, self._seen_rows
        self._make_room()

    def begin(self, timestep: int) -> None:
        """When the updates from the dataset alone are done."""
        self._session.recorder.count_from(timestep)
        message = f"From step {timestep:,} on, it learns in the environment too."
        self._session.telemetry.log("info", message, code=event_log.ONLINE_PHASE.name)
        self._see(self._env.reset()[0])

    def step(self, timestep: int, wants_metrics: bool) -> dict[str, Any]:
        """One step of the environment and one update; everything random follows from the seed and the step."""
        rng = np.random.Generator(np.random.PCG64([self._seed, STREAM, timestep]))
        learnt = self._choose(rng)
        observation, reward, terminated, truncated, _ = self._env.step(self._played(learnt))
        own = self._session.reward
        if own is not None:
            [reward] = own.score_noted(timestep + 1)
        self._add(learnt, float(reward), bool(terminated))
        self._see(observation)
        if terminated or truncated:
            self._see(self._env.reset()[0])
        return self._learner.update(self._batch(rng), wants_metrics)

    def state(self) -> dict[str, Any]:
        """What was seen, and the unfinished episode."""
        data, new = self._data, slice(self._steps, self._count)
        columns: dict[str, Any] = {name: getattr(data, name)[new] for name in STEP_COLUMNS}
        columns["observations"] = data.observations[self._seen_rows : self._rows]
        return {"columns": columns, "environment": self._env.state()}

    def restore(self, state: Mapping[str, Any]) -> str:
        """What differs from a training that was not stopped; empty for nothing."""
        data, columns = self._data, to_tensors(state["columns"])
        self._count = self._steps + len(columns["rewards"])
        self._rows = self._seen_rows + len(columns["observations"])
        self._make_room()
        for name in STEP_COLUMNS:
            getattr(data, name)[self._steps : self._count] = columns[name]
        data.observations[self._seen_rows : self._rows] = columns["observations"]
        with self._session.bringing_back():
            is_repeated = self._env.bring_back(state["environment"])
        if is_repeated:
            return ""
        self._see(self._env.reset()[0])
        return NOT_REPEATED

    def close(self) -> None:
        self._env.close()

    def _choose(self, rng: np.random.Generator) -> Tensor:
        """An action of the policy, by chance."""
        seen = self._data.observations[self._rows - 1 : self._rows]
        self._session.recorder.thought(0, self._learner.value_of(seen) / self._data.reward_scale)
        output = self._learner.stacks["actor"].forward(seen, "online")[0, 0]
        if self._data.spaces.is_discrete:
            chances = torch.softmax(output.double(), 0).cumsum(0)
            place = torch.searchsorted(chances, torch.tensor(rng.random()))
            return place.clamp_(max=len(output) - 1)
        assert self._learner.log_std is not None
        noise = torch.from_numpy(rng.standard_normal(len(output), np.float32))
        return torch.clamp(output.tanh() + self._learner.log_std.exp() * noise, -1, 1)

    def _played(self, learnt: Tensor) -> Any:
        spaces = self._data.spaces
        return int(learnt) + spaces.action_start if spaces.is_discrete else spaces.to_action(learnt.numpy())

    def _see(self, observation: Any) -> None:
        self._make_room()
        data = self._data
        row = torch.from_numpy(data.spaces.flatten(observation))
        data.observations[self._rows] = (row - data.shift) / data.spread
        self._rows += 1

    def _make_room(self) -> None:
        """For at least one more step and row: all that the plan needs, and again where the run was lengthened."""
        data, more = self._data, max(self._learner.params.online_steps, LEAST_ROOM)
        steps, rows = self._count - len(data), self._rows - len(data.observations)
        if max(steps, rows) >= 0:
            data.grow(max(0, steps) + more, max(0, rows) + 2 * more)  # an episode has one row more than steps

    def _add(self, learnt: Tensor, reward: float, terminated: bool) -> None:
        self._make_room()
        data, place = self._data, self._count
        data.rows[place], data.actions[place] = self._rows - 1, learnt
        data.rewards[place], data.goes_on[place] = reward * data.reward_scale, float(not terminated)
        self._count += 1

    def _batch(self, rng: np.random.Generator) -> StepBatch:
        size = self._learner.params.batch_size
        steps = torch.from_numpy(rng.integers(self._count, size=size))
        return gather(self._data, steps, torch.empty(size, 0), size)[0]
