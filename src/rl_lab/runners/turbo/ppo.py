"""Proximal policy optimisation on one page: collect, estimate advantages, take a few epochs of clipped gradient steps.

Actor and critic are two identical MLPs stacked into one network (`kernels.py`); experience comes from `rollouts.py`.
`Ppo.advance` does one update. `Ppo.state` contains everything between two updates, so a run can stop there and
resume exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.checksums import checksum_column
from rl_lab.runners.turbo.envs import EnvSpec
from rl_lab.runners.turbo.episodes import EpisodeBatch, EpisodeLog
from rl_lab.runners.turbo.kernels import Adam, Network, Shape, initial_parameters
from rl_lab.runners.turbo.normalise import RewardScale, RunningNorm
from rl_lab.runners.turbo.own_rewards import RolloutScorer
from rl_lab.runners.turbo.params import TurboPpoParams
from rl_lab.runners.turbo.policies import ActionDistribution, make_distribution
from rl_lab.runners.turbo.processes import shared_array
from rl_lab.runners.turbo.rollouts import Rollouts

F32 = NDArray[np.float32]
_METRICS = ("policy_loss", "value_loss", "kl", "clip_fraction", "gradient_norm")
CHUNK = 1024
"""Rows per forward pass outside minibatches: the activations stay in the cache."""


@dataclass(frozen=True)
class Update:
    """The result of one `advance`."""

    timesteps: int
    episodes: EpisodeBatch
    metrics: dict[str, float]


class Ppo:
    """The learner: policy, critic, optimiser, environments."""

    def __init__(
        self,
        spec: EnvSpec,
        params: TurboPpoParams,
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
        self.shape = policy_shape(spec, params)
        flat = shared_array((self.shape.size,), np.float32)
        flat[:] = initial_parameters(self.shape, self.rng, gains=(0.01, 1.0))
        self.network = Network(self.shape, flat)
        self.policy = make_distribution(spec, self.network, params.log_std_init)
        self.adam = Adam(self.shape.size, beta2=params.adam_beta2)
        self.norm = RunningNorm(spec.observation_size, shared_array, enabled=params.normalize_observations)
        self.scale = RewardScale(params.n_envs, params.gamma, params.reward_scale, params.normalize_reward)
        self.log = EpisodeLog(params.n_envs, seed)
        self.timesteps = self.updates = 0
        if state is not None:
            self.restore(state)
        self.rollouts = Rollouts(
            spec,
            n_envs=params.n_envs,
            horizon=params.n_steps,
            seed=seed,
            act=self.act,
            noise_size=spec.action_size,
            processes=processes,
            episodes=self.log.finished,
            unfinished=self.log.open_actions() if state is not None else None,
            keep_infos=own is not None and own.wants_infos,
        )

    def advance(self) -> Update:
        """Collects one rollout and learns from it."""
        self.policy.draw(self.rng, self.rollouts.noise)
        self.rollouts.collect()
        batch = self._batch()
        episodes = self._log(batch)
        metrics = self._learn(batch)
        self.norm.update(self.rollouts.observation[:-1].reshape(-1, self.spec.observation_size))
        self.updates += 1
        return Update(self.timesteps, episodes, metrics)

    # acting

    def act(self, observation: F32, noise: F32) -> tuple[NDArray[Any], NDArray[Any]]:
        """An action for each row, for the learner and for the environment; zero noise gives the most likely one."""
        return self.policy.sample(self.network.forward_one(0, self.norm.apply(observation)), noise)

    # advantages

    def _batch(self) -> dict[str, NDArray[Any]]:
        """The data for learning, flattened from (time, env): values, log-probabilities, advantages, targets."""
        r, p, size = self.rollouts, self.params, self.spec.observation_size
        x = self.norm.apply(r.observation.reshape(-1, size))
        outputs, values = self._forward(x)
        values = values.reshape(p.n_steps + 1, p.n_envs)
        x, outputs = x[: -p.n_envs], outputs[: -p.n_envs]
        action = r.action.reshape(len(x), *r.action.shape[2:])
        reward = self.scale.apply(self._rewards(), r.terminated | r.truncated)
        cut = r.truncated & ~r.terminated
        if cut.any():  # truncated: add the value of the final state to the last reward
            reward[cut] += p.gamma * self._forward(self.norm.apply(r.last[cut]))[1]
        advantage = advantages(reward, values, r.terminated | r.truncated, p)
        return {
            "x": x,
            "action": action,
            "logp": self.policy.log_prob(outputs, action),
            "value": values[:-1].reshape(-1).copy(),
            "advantage": advantage.reshape(-1),
            "target": (advantage + values[:-1]).reshape(-1),
        }

    def _rewards(self) -> NDArray[np.float64]:
        r = self.rollouts
        if self.own is None:
            return r.reward
        return self.own.score(r, self.policy.played(r.action), self.log, self.timesteps)

    def _forward(self, x: F32) -> tuple[F32, F32]:
        outputs, values = np.empty((len(x), self.shape.outputs[0]), np.float32), np.empty(len(x), np.float32)
        for start in range(0, len(x), CHUNK):
            rows = slice(start, start + CHUNK)
            outputs[rows], column = self.network.forward(x[rows])
            values[rows] = column[:, 0]
        return outputs, values

    # learning

    def _learn(self, batch: dict[str, NDArray[Any]]) -> dict[str, float]:
        p, total = self.params, len(batch["x"])
        advantage, before = batch["advantage"], self.network.flat.copy()
        mean, spread = advantage.mean(), advantage.std()
        batch["advantage"] = (advantage - mean) / (spread + 1e-8)
        rate, metrics = self._rate(), {}
        for _epoch in range(p.n_epochs):
            order = self.rng.permutation(total)
            shuffled = {name: column[order] for name, column in batch.items()}
            sums = np.zeros(5)
            starts = range(0, total - p.batch_size + 1, p.batch_size)
            for start in starts:
                rows = slice(start, start + p.batch_size)
                stats = self._step({k: c[rows] for k, c in shuffled.items()}, rate)
                sums += stats
            metrics = dict(zip(_METRICS, (sums / max(1, len(starts))).tolist(), strict=True))
            if p.target_kl and metrics["kl"] > p.target_kl:
                break
        metrics |= self._batch_metrics(batch, rate) | change_of(before, self.network.flat)
        metrics |= {"advantage_mean": float(mean), "advantage_std": float(spread)}
        losses = metrics["policy_loss"] + p.vf_coef * metrics["value_loss"]
        return metrics | {"loss": losses - p.ent_coef * metrics["entropy"]}

    def _rate(self) -> float:
        p = self.params
        left = max(0.0, self.schedule_left(self.timesteps))
        return p.learning_rate * (p.anneal_to + (1 - p.anneal_to) * left)

    def _step(self, m: dict[str, NDArray[Any]], rate: float) -> tuple[float, ...]:
        """One gradient step on a minibatch; returns its statistics in the order of `_METRICS`."""
        gradient, *stats = clipped_gradient(self.network, self.policy, self.params, m)
        return *stats, self.adam.step(self.network.flat, gradient, rate, self.params.max_grad_norm)

    def _batch_metrics(self, batch: dict[str, NDArray[Any]], rate: float) -> dict[str, float]:
        spread = float(batch["target"].var())
        unexplained = float((batch["target"] - batch["value"]).var())
        return {
            "entropy": -float(batch["logp"].mean()),  # estimated from the sampled actions
            "explained_variance": 1 - unexplained / spread if spread else 0.0,
            "learning_rate": rate,
        }

    # between updates

    def _log(self, batch: dict[str, NDArray[Any]]) -> EpisodeBatch:
        r = self.rollouts
        columns = {
            "action": self.policy.played(r.action),
            "reward": r.reward,
            "value": (batch["value"] / self.scale.current()).reshape(r.reward.shape),
            "chosen": np.exp(batch["logp"]).reshape(r.reward.shape),
            "checksum": checksum_column(r, self.log.open_length),
        }
        episodes = self.log.add(columns, r.terminated, r.truncated, self.timesteps)
        self.timesteps += r.reward.size
        return episodes

    def state(self) -> dict[str, Any]:
        """Everything the next update depends on: arrays, numbers and text only."""
        return {
            "parameters": self.network.flat.copy(),
            "adam": self.adam.state(),
            "norm": self.norm.state(),
            "scale": self.scale.state(),
            "log": self.log.state(),
            "rng": self.rng.bit_generator.state,
            "timesteps": self.timesteps,
            "updates": self.updates,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.network.flat[:] = state["parameters"]
        self.adam.restore(state["adam"])
        self.norm.restore(state["norm"])
        self.scale.restore(state["scale"])
        self.log.restore(state["log"])
        self.rng.bit_generator.state = state["rng"]
        self.timesteps, self.updates = int(state["timesteps"]), int(state["updates"])

    def close(self) -> None:
        self.rollouts.close()


def clipped_gradient(
    network: Network, policy: ActionDistribution, p: TurboPpoParams, m: dict[str, NDArray[Any]]
) -> tuple[F32, float, float, float, float]:
    """The gradient of PPO's loss on a minibatch; its policy loss, value loss, KL and share of clipped ratios."""
    n = len(m["x"])
    output, value = network.forward(m["x"])
    log_ratio = policy.log_prob(output, m["action"]) - m["logp"]
    ratio = np.exp(log_ratio)
    gain = ratio * m["advantage"]
    inside = np.where(m["advantage"] > 0, ratio < 1 + p.clip_range, ratio > 1 - p.clip_range)
    error = value[:, 0] - m["target"]
    d_output = policy.gradient(gain * inside * (-1 / n), p.ent_coef / n)
    d_value = (error * (2 * p.vf_coef / n))[:, None]
    gradient = network.backward(m["x"], [d_output, d_value])
    kl = float((ratio - 1 - log_ratio).mean())
    return gradient, float(-gain.mean()), float(np.dot(error, error)) / n, kl, 1 - float(inside.mean())


def advantages(reward: F32, values: F32, ended: NDArray[np.bool_], p: TurboPpoParams) -> F32:
    """Generalised advantage estimation over (time, env); `values` has one row more than `reward`."""
    going = (~ended).astype(np.float32)
    delta = reward + p.gamma * values[1:] * going - values[:-1]
    going *= p.gamma * p.gae_lambda
    for t in range(len(delta) - 2, -1, -1):
        delta[t] += going[t] * delta[t + 1]
    return delta


def change_of(before: F32, after: F32) -> dict[str, float]:
    """How far an update moved the parameters, and relative to their length."""
    moved = after - before
    change = math.sqrt(float(np.dot(moved, moved)))
    length = math.sqrt(float(np.dot(before, before)))
    return {"parameter_change": change, "relative_parameter_change": change / length if length else 0.0}


def policy_shape(spec: EnvSpec, params: TurboPpoParams) -> Shape:
    free = 0 if spec.is_discrete else spec.action_size
    return Shape(
        spec.observation_size, params.hidden, (spec.action_size, 1), free, params.activation == "relu"
    )
