"""A turbo checkpoint as a policy: only the network, without learner or environments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint
from rl_lab.runners.turbo.envs import flatten
from rl_lab.runners.turbo.kernels import Network, Shape
from rl_lab.runners.turbo.normalise import RewardScale, RunningNorm
from rl_lab.worker.runner import Decision


def load_policy(checkpoint: Path) -> TurboPolicy:
    return TurboPolicy(*read_checkpoint(checkpoint))


def network_of(header: Header, state: dict[str, Any]) -> Network:
    """The network of a checkpoint, with its observation scaling folded into the first layer."""
    env, params = header.env, header.params
    relu, is_ppo = params["activation"] == "relu", header.algorithm == "ppo"
    outputs = (env.action_size, 1) if is_ppo else (env.action_size,)
    free = env.action_size if is_ppo and not env.is_discrete else 0
    network = Network(
        Shape(env.observation_size, params["hidden"], outputs, free, relu),
        np.array(state["parameters"], np.float32),
    )
    if is_ppo and params["normalize_observations"]:
        norm = RunningNorm(env.observation_size, np.zeros, enabled=True)
        norm.restore(state["norm"])
        fold(network, norm)
    return network


def fold(network: Network, norm: RunningNorm) -> None:
    """Makes the network take unscaled observations: (x - shift) · factor @ w + b = x @ (factor · w) + (b - …)."""
    w, b = network.parameters["w1"], network.parameters["b1"]
    scaled = w.astype(np.float64) * norm.factor[:, None]
    b -= np.matmul(norm.shift.astype(np.float64), scaled)[:, None].astype(np.float32)
    w[:] = scaled


def reward_scale(header: Header, state: dict[str, Any]) -> float:
    """The learner's factor on rewards; used to convert values to the environment's units."""
    params = header.params
    if not params.get("normalize_reward"):
        return float(params["reward_scale"])
    scale = RewardScale(1, params["gamma"], params["reward_scale"], learned=True)
    scale.restore(state["scale"])
    return scale.current()


class TurboPolicy:
    """Acts on single observations and reports values and probabilities."""

    def __init__(self, header: Header, state: dict[str, Any]) -> None:
        self._header, self._env = header, header.env
        self._network = network_of(header, state)
        self._scale = reward_scale(header, state)
        self._rng = np.random.default_rng(0)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        outputs = self._network.forward(flatten(observation, self._env)[None])
        if self._header.algorithm == "dqn":
            return self._by_q_values(outputs[0][0] / self._scale, deterministic)
        value = float(outputs[1][0, 0]) / self._scale
        return self._by_policy(outputs[0][0].astype(np.float64), value, deterministic)

    def _by_policy(self, output: NDArray[np.float64], value: float, deterministic: bool) -> Decision:
        if self._env.is_discrete:
            chances = np.exp(output - output.max())
            chances /= chances.sum()
            choice = np.argmax(chances) if deterministic else self._rng.choice(len(chances), p=chances)
            return Decision(int(choice) + self._env.action_start, value, chances.tolist())
        if not deterministic:
            spread = np.exp(self._network.parameters["free"])
            output = output + spread * self._rng.standard_normal(len(output))
        action = np.clip(output.astype(np.float32), self._env.action_low, self._env.action_high)
        return Decision(action.reshape(self._env.action_shape), value)

    def _by_q_values(self, q_values: NDArray[np.float32], deterministic: bool) -> Decision:
        explores = not deterministic and self._rng.random() < self._header.params["exploration_final_eps"]
        action = int(self._rng.integers(len(q_values))) if explores else int(q_values.argmax())
        return Decision(
            action + self._env.action_start, float(q_values.max()), q_values=[float(q) for q in q_values]
        )
