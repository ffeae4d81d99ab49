"""Collects experience: every process steps its share of the environment groups for a whole horizon.

The learner draws the random numbers of a horizon in advance, and the values of a group depend only on its own
environments, so a rollout is bit-identical for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.envs import EnvSpec, Group, StepArrays, cut_groups, make_group
from rl_lab.runners.turbo.infos import InfoFiles, Infos
from rl_lab.runners.turbo.processes import ForkPool, most_processes, shared_array, usable_cores
from rl_lab.worker.user_code.step_values import plain_info

F32 = NDArray[np.float32]
Act = Callable[[F32, F32], tuple[NDArray[Any], NDArray[Any]]]
"""(observations, noise) → (actions for the learner, actions for the environment)"""


class Rollouts:
    """`horizon` steps of `n_envs` environments, in arrays shared by all processes; time is the first axis.

    `meanwhile` is work of the learner that does not depend on the rollout; it runs in parallel.
    """

    def __init__(
        self,
        spec: EnvSpec,
        *,
        n_envs: int,
        horizon: int,
        seed: int,
        act: Act,
        noise_size: int,
        processes: int = 0,
        meanwhile: Callable[[], None] | None = None,
        episodes: NDArray[np.int64] | None = None,
        unfinished: list[NDArray[Any]] | None = None,
        keep_infos: bool = False,
    ) -> None:
        self.spec, self.n_envs, self.horizon, self._seed = spec, n_envs, horizon, seed
        self._act, self._unfinished = act, unfinished
        self._meanwhile = meanwhile
        size, steps = spec.observation_size, (horizon, n_envs)
        self.observation = shared_array((horizon + 1, n_envs, size), np.float32)
        self.noise = shared_array((*steps, noise_size), np.float32)
        self.action = (
            shared_array(steps, np.int64)
            if spec.is_discrete
            else shared_array((*steps, spec.action_size), np.float32)
        )
        self.reward = shared_array(steps, np.float64)
        self.terminated = shared_array(steps, np.bool_)
        self.truncated = shared_array(steps, np.bool_)
        self.last = shared_array((*steps, size), np.float32)
        self.episodes = shared_array((n_envs,), np.int64)
        if episodes is not None:
            self.episodes[:] = episodes
        self._slices = cut_groups(spec, n_envs)
        self._groups: list[tuple[slice, Group]] | None = None
        useful = len(self._slices) + (meanwhile is not None)
        self.processes = min(processes or usable_cores(), useful, most_processes())
        self._infos = InfoFiles(self.processes, n_envs) if keep_infos else None
        self._pool = ForkPool(self.processes, self._collect)

    def collect(self) -> None:
        """Fills the arrays with the next `horizon` steps; `noise` must be drawn before."""
        self._pool.run()

    def read_infos(self) -> Infos:
        """Of the steps in the arrays, in their order."""
        assert self._infos is not None
        return self._infos.read(self.horizon)

    def close(self) -> None:
        self._pool.close()
        if self._infos is not None:
            self._infos.close()
        for _, group in self._groups or []:
            group.close()

    def _collect(self, number: int) -> None:
        if self._groups is None:
            self._groups = [(part, self._begin(part)) for part in self._share(number)]
        infos = [(part, self._play(part, group)) for part, group in self._groups]
        if self._infos is not None:
            self._infos.write(number, infos)
        if number == 0 and self._meanwhile is not None:
            self._meanwhile()

    def _share(self, number: int) -> list[slice]:
        """The groups of one process; the learner's process gets none if it has other work in the meantime."""
        if self._meanwhile is None or self.processes == 1:
            return self._slices[number :: self.processes]
        return [] if number == 0 else self._slices[number - 1 :: self.processes - 1]

    def _begin(self, part: slice) -> Group:
        group = make_group(self.spec, part, self._seed, self.episodes)
        group.reset()
        if self._unfinished is not None:
            group.replay(self._unfinished[part])
        return group

    def _play(self, part: slice, group: Group) -> list[Infos]:
        """Returns the infos of each step, if they are wanted."""
        observation, action, noise = self.observation[:, part], self.action[:, part], self.noise[:, part]
        reward, last = self.reward[:, part], self.last[:, part]
        terminated, truncated = self.terminated[:, part], self.truncated[:, part]
        infos: list[Infos] = []
        for t in range(self.horizon):
            observation[t] = group.observation
            action[t], played = self._act(group.observation, noise[t])
            group.step(played, StepArrays(reward[t], terminated[t], truncated[t], last[t]))
            if self._infos is not None:
                infos.append([plain_info(one) for one in group.infos])
        observation[self.horizon] = group.observation
        return infos
