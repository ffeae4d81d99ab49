"""Action distributions over the actor's outputs: a softmax for discrete, a Gaussian for continuous actions.

`log_prob` stores intermediate results that the next call of `gradient` uses.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.envs import EnvSpec
from rl_lab.runners.turbo.kernels import Network

F32 = NDArray[np.float32]
LOG_2PI = float(np.log(2 * np.pi))


class ActionDistribution(Protocol):
    def draw(self, rng: np.random.Generator, noise: F32) -> None:
        """Fills `noise` with the random numbers that `sample` needs."""

    def sample(self, output: F32, noise: F32) -> tuple[NDArray[Any], NDArray[Any]]:
        """Actions for the learner and for the environment; zero noise gives the most likely action."""

    def played(self, action: NDArray[Any]) -> NDArray[Any]:
        """The learner's actions, converted for the environment."""

    def log_prob(self, output: F32, action: NDArray[Any]) -> F32: ...

    def gradient(self, weight: F32, entropy_weight: float) -> F32:
        """Derivative of Σ weight · log_prob − entropy_weight · Σ entropy by the outputs; call `log_prob` first."""


def make_distribution(spec: EnvSpec, network: Network, log_std_init: float) -> ActionDistribution:
    if spec.is_discrete:
        return Softmax()
    network.parameters["free"][:] = log_std_init
    return Gaussian(spec, network)


class Softmax:
    """Categorical actions."""

    def draw(self, rng: np.random.Generator, noise: F32) -> None:
        """Gumbel noise: the argmax of logits + noise is a sample of the softmax."""
        rng.standard_exponential(out=noise, dtype=np.float32)
        np.log(np.maximum(noise, 1e-20, out=noise), out=noise)
        np.negative(noise, out=noise)

    def sample(self, output: F32, noise: F32) -> tuple[NDArray[Any], NDArray[Any]]:
        action = np.argmax(np.add(output, noise, out=output), axis=1)
        return action, action

    def played(self, action: NDArray[Any]) -> NDArray[Any]:
        return action

    def log_prob(self, output: F32, action: NDArray[Any]) -> F32:
        rows = np.arange(len(action))
        log_p = output - output.max(axis=1, keepdims=True)
        e = np.exp(log_p)
        total = e.sum(axis=1, keepdims=True)
        log_p -= np.log(total)
        e /= total
        self._rows, self._action, self._p, self._log_p = rows, action, e, log_p
        chosen: F32 = log_p[rows, action]
        return chosen

    def gradient(self, weight: F32, entropy_weight: float) -> F32:
        p = self._p
        d: F32 = p * -weight[:, None]
        d[self._rows, self._action] += weight
        if entropy_weight:
            p_log_p = p * self._log_p
            d += entropy_weight * (p_log_p - p * p_log_p.sum(axis=1, keepdims=True))
        return d


class Gaussian:
    """Continuous actions: the network gives the mean, a free parameter per dimension the log of the deviation."""

    def __init__(self, spec: EnvSpec, network: Network) -> None:
        self._low, self._high = spec.action_low, spec.action_high
        self._log_std, self._d_log_std = network.parameters["free"], network.gradients["free"]

    def draw(self, rng: np.random.Generator, noise: F32) -> None:
        rng.standard_normal(out=noise, dtype=np.float32)

    def sample(self, output: F32, noise: F32) -> tuple[NDArray[Any], NDArray[Any]]:
        action = output + np.exp(self._log_std) * noise
        return action, self.played(action)

    def played(self, action: NDArray[Any]) -> NDArray[Any]:
        clipped: F32 = np.clip(action, self._low, self._high)
        return clipped

    def log_prob(self, output: F32, action: NDArray[Any]) -> F32:
        self._inverse = np.exp(-self._log_std)
        self._z = (action - output) * self._inverse
        log_p: F32 = -0.5 * np.square(self._z).sum(axis=1)
        log_p -= self._log_std.sum() + np.float32(0.5 * LOG_2PI * len(self._log_std))
        return log_p

    def gradient(self, weight: F32, entropy_weight: float) -> F32:
        column = weight[:, None]
        self._d_log_std[:] = (column * (np.square(self._z) - 1)).sum(axis=0) - entropy_weight * len(weight)
        d: F32 = column * self._z * self._inverse
        return d
