"""The hand-written gradients are the gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rl_lab.runners.turbo.kernels import Adam, Network, Shape, initial_parameters
from rl_lab.runners.turbo.policies import Gaussian, Softmax

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("relu", [False, True])
def test_backward_agrees_with_finite_differences(relu: bool) -> None:
    shape = Shape(3, 8, (2, 1), relu=relu)
    network = Network(shape, initial_parameters(shape, RNG, (1.0, 1.0)))
    network.flat += 0.1 * RNG.standard_normal(shape.size).astype(np.float32)
    x = RNG.standard_normal((32, 3)).astype(np.float32)
    weights = [RNG.standard_normal((32, n)).astype(np.float32) for n in shape.outputs]

    def loss() -> float:
        return sum(
            float((y.astype(np.float64) * w).sum()) for y, w in zip(network.forward(x), weights, strict=True)
        )

    loss()
    gradient = network.backward(x, weights).copy()
    for index in RNG.integers(0, shape.size, 40):
        assert gradient[index] == pytest.approx(_slope(loss, network.flat, int(index)), rel=0.05, abs=0.05)


def _slope(loss: Any, flat: Any, index: int, width: float = 1e-3) -> float:
    old = flat[index]
    flat[index] = old + width
    above = loss()
    flat[index] = old - width
    below = loss()
    flat[index] = old
    return float((above - below) / (2 * width))


def test_softmax_gradient_with_entropy_agrees_with_finite_differences() -> None:
    policy = Softmax()
    output = RNG.standard_normal((5, 3)).astype(np.float64)
    action = np.array([0, 1, 2, 1, 0])
    weight = RNG.standard_normal(5)

    def loss() -> float:
        log_p = output - np.log(np.exp(output).sum(axis=1, keepdims=True))
        entropy = -(np.exp(log_p) * log_p).sum()
        return float((weight * log_p[np.arange(5), action]).sum() - 0.3 * entropy)

    policy.log_prob(output, action)  # type: ignore[arg-type]
    gradient = policy.gradient(weight, 0.3)  # type: ignore[arg-type]
    flat = output.reshape(-1)
    for index in range(flat.size):
        assert gradient.reshape(-1)[index] == pytest.approx(_slope(loss, flat, index), rel=1e-3, abs=1e-5)


def test_softmax_samples_with_its_probabilities() -> None:
    policy, output = Softmax(), np.log(np.array([[0.2, 0.5, 0.3]], np.float32)).repeat(40_000, axis=0)
    noise = np.empty_like(output)
    policy.draw(np.random.default_rng(1), noise)
    action, _ = policy.sample(output.copy(), noise)
    assert np.bincount(action) / len(action) == pytest.approx([0.2, 0.5, 0.3], abs=0.01)


def test_gaussian_gradient_agrees_with_finite_differences() -> None:
    spec: Any = type(
        "Spec", (), {"action_low": np.full(2, -1, np.float32), "action_high": np.ones(2, np.float32)}
    )
    shape = Shape(1, 4, (2, 1), free=2)
    network = Network(shape, np.zeros(shape.size, np.float32))
    policy = Gaussian(spec, network)
    output = RNG.standard_normal((6, 2)).astype(np.float32)
    action = RNG.standard_normal((6, 2)).astype(np.float32)
    weight = RNG.standard_normal(6).astype(np.float32)

    def loss() -> float:
        return float((weight.astype(np.float64) * policy.log_prob(output, action)).sum())

    loss()
    gradient, d_log_std = policy.gradient(weight, 0.0).copy(), network.gradients["free"].copy()
    assert gradient.reshape(-1)[3] == pytest.approx(
        _slope(loss, output.reshape(-1), 3, 1e-2), rel=0.02, abs=0.01
    )
    slope = _slope(loss, network.parameters["free"], 1, 1e-2)
    assert d_log_std[1] == pytest.approx(slope, rel=0.02, abs=0.01)


def test_adam_walks_to_the_minimum_and_reports_the_unclipped_norm() -> None:
    flat, adam = np.array([3.0, -2.0], np.float32), Adam(2)
    first = adam.step(flat, 2 * flat, 0.1, max_norm=0.5)
    assert first == pytest.approx(np.hypot(6, 4), rel=1e-5)
    for _ in range(300):
        adam.step(flat, 2 * flat, 0.1, max_norm=0.5)
    assert np.abs(flat).max() < 0.05
