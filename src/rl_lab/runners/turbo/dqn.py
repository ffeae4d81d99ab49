"""Double deep Q-learning on one page: many environments act ε-greedily while the learner takes gradient steps.

A round is a short rollout and, in parallel, `gradient_steps` gradient steps on the steps that were stored before it.
Acting uses the network as it was when the round started, so the results do not depend on which of the two is
faster, or on the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.checksums import checksum_column
from rl_lab.runners.turbo.envs import EnvSpec
from rl_lab.runners.turbo.episodes import EpisodeBatch, EpisodeLog
from rl_lab.runners.turbo.kernels import Adam, Network, Shape, initial_parameters
from rl_lab.runners.turbo.own_rewards import RolloutScorer
from rl_lab.runners.turbo.params import TurboDqnParams
from rl_lab.runners.turbo.ppo import Update
from rl_lab.runners.turbo.processes import shared_array
from rl_lab.runners.turbo.replay import Replay
from rl_lab.runners.turbo.rollouts import Rollouts

F32 = NDArray[np.float32]


class Dqn:
    """The learner: online, target and acting copies of one Q-network, a replay buffer, environments."""

    def __init__(
        self,
        spec: EnvSpec,
        params: TurboDqnParams,
        *,
        seed: int,
        schedule_left: Callable[[int], float],
        processes: int = 0,
        state: dict[str, Any] | None = None,
        own: RolloutScorer | None = None,
    ) -> None:
        """`own`: gives the rewards to learn from; None: the environment's."""
        self.own = own
        self.spec, self.params, self.schedule_left = spec, params, schedule_left
        self.rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
        self.shape = Shape(
            spec.observation_size, params.hidden, (spec.action_size,), relu=params.activation == "relu"
        )
        self.network = Network(self.shape, initial_parameters(self.shape, self.rng, gains=(0.1,)))
        self.target = Network(self.shape, self.network.flat.copy())
        self.acting = Network(self.shape, shared_array((self.shape.size,), np.float32))
        self.epsilon = shared_array((1,), np.float32)
        self.adam = Adam(self.shape.size, beta2=params.adam_beta2)
        slots = max(params.buffer_size // params.n_envs, params.train_freq + params.n_steps)
        self.replay = Replay(slots, params.n_envs, spec.observation_size, params.n_steps, params.gamma)
        self.log = EpisodeLog(params.n_envs, seed)
        self.timesteps = self.updates = self.gradient_steps = 0
        self._metrics: dict[str, float] = {}
        self._q: F32 = np.zeros((0, 0), np.float32)
        """Q-values of the last minibatch, before its gradient step."""
        if state is not None:
            self.restore(state)
        self.rollouts = Rollouts(
            spec,
            n_envs=params.n_envs,
            horizon=params.train_freq,
            seed=seed,
            act=self.act,
            noise_size=2,
            processes=processes,
            meanwhile=self._learn,
            episodes=self.log.finished,
            unfinished=self.log.open_actions() if state is not None else None,
            keep_infos=own is not None and own.wants_infos,
        )

    def advance(self) -> Update:
        """One round: acts and learns in parallel, then stores the new steps."""
        p = self.params
        self.acting.flat[:] = self.network.flat
        self.epsilon[0] = max(
            p.exploration_final_eps, 1 - (1 - p.exploration_final_eps) * self.timesteps / p.exploration_steps
        )
        self.rng.random(out=self.rollouts.noise, dtype=np.float32)
        self.rollouts.collect()
        self.replay.add(self.rollouts, self._rewards() * p.reward_scale)
        episodes = self._log()
        self.updates += 1
        return Update(self.timesteps, episodes, self._metrics | {"exploration_rate": float(self.epsilon[0])})

    def _rewards(self) -> NDArray[np.float64]:
        r = self.rollouts
        return r.reward if self.own is None else self.own.score(r, r.action, self.log, self.timesteps)

    def act(self, observation: F32, noise: F32) -> tuple[NDArray[Any], NDArray[Any]]:
        """The best action for each row, or a random one where noise[:, 0] < ε."""
        action = np.argmax(self.acting.forward_one(0, observation), axis=1)
        explore = noise[:, 0] < self.epsilon[0]
        if explore.any():
            action = np.where(explore, (noise[:, 1] * self.spec.action_size).astype(np.int64), action)
        return action, action

    def _learn(self) -> None:
        p = self.params
        if self.timesteps < max(p.learning_starts, p.n_steps * p.n_envs):
            return
        samples = self.replay.sample(self.rng, p.gradient_steps * p.batch_size)
        samples["target"] = td_targets(self.network, self.target, samples)
        rate, rows = (
            self._rate(),
            [slice(k * p.batch_size, (k + 1) * p.batch_size) for k in range(p.gradient_steps)],
        )
        stats = [self._step({name: column[part] for name, column in samples.items()}, rate) for part in rows]
        loss, norm = np.mean(stats, axis=0).tolist()
        best = self._q.max(axis=1) / p.reward_scale  # of the last minibatch
        self._metrics = {
            "loss": loss,
            "gradient_norm": norm,
            "learning_rate": rate,
            "q_mean": float(best.mean()),
            "q_max": float(best.max()),
        }

    def _step(self, m: dict[str, NDArray[Any]], rate: float) -> tuple[float, float]:
        gradient, self._q, loss = td_gradient(self.network, m)
        norm = self.adam.step(self.network.flat, gradient, rate, self.params.max_grad_norm)
        self.gradient_steps += 1
        if self.gradient_steps % self.params.target_update_interval == 0:
            self.target.flat[:] = self.network.flat
        return loss, norm

    def _rate(self) -> float:
        p = self.params
        left = max(0.0, self.schedule_left(self.timesteps))
        return p.learning_rate * (p.anneal_to + (1 - p.anneal_to) * left)

    def _log(self) -> EpisodeBatch:
        r = self.rollouts
        q = self.acting.forward_one(0, r.observation[:-1].reshape(-1, self.spec.observation_size))
        chosen = q[np.arange(len(q)), r.action.reshape(-1)]
        columns = {
            "action": r.action,
            "reward": r.reward,
            "value": (q.max(axis=1) / self.params.reward_scale).reshape(r.reward.shape),
            "chosen": (chosen / self.params.reward_scale).reshape(r.reward.shape),
            "checksum": checksum_column(r, self.log.open_length),
        }
        episodes = self.log.add(columns, r.terminated, r.truncated, self.timesteps)
        self.timesteps += r.reward.size
        return episodes

    def state(self) -> dict[str, Any]:
        """Everything the next round depends on: arrays, numbers and text only."""
        return {
            "parameters": self.network.flat.copy(),
            "target": self.target.flat.copy(),
            "adam": self.adam.state(),
            "replay": self.replay.state(),
            "log": self.log.state(),
            "rng": self.rng.bit_generator.state,
            "timesteps": self.timesteps,
            "updates": self.updates,
            "gradient_steps": self.gradient_steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.network.flat[:] = state["parameters"]
        self.target.flat[:] = state["target"]
        self.adam.restore(state["adam"])
        self.replay.restore(state["replay"])
        self.log.restore(state["log"])
        self.rng.bit_generator.state = state["rng"]
        self.timesteps, self.updates = int(state["timesteps"]), int(state["updates"])
        self.gradient_steps = int(state["gradient_steps"])

    def close(self) -> None:
        self.rollouts.close()


def td_targets(network: Network, target: Network, samples: dict[str, NDArray[Any]]) -> F32:
    """Reward + discount · the target network's value of the action that the online network prefers."""
    best = np.argmax(network.forward_one(0, samples["next"]), axis=1)
    value = target.forward_one(0, samples["next"])[np.arange(len(best)), best]
    wanted: F32 = samples["reward"] + samples["discount"] * value
    return wanted


def td_gradient(network: Network, m: dict[str, NDArray[Any]]) -> tuple[F32, F32, float]:
    """The gradient of the Huber loss on a minibatch; the Q-values before it, and the mean squared error."""
    n, rows = len(m["action"]), np.arange(len(m["action"]))
    q = network.forward(m["observation"])[0]
    error = q[rows, m["action"]] - m["target"]
    d_q = np.zeros_like(q)
    d_q[rows, m["action"]] = np.clip(error, -1, 1) / n
    return network.backward(m["observation"], [d_q]), q, float(np.dot(error, error)) / n
