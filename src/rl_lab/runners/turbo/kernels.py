"""The arithmetic of the turbo learners: small MLPs with hand-written gradients, and Adam, in plain numpy.

Every network consists of `twins` identical MLPs (actor and critic, or one Q-network) with two hidden layers and the
same input. They are stacked, so that one BLAS call computes all of them. Parameters, gradients and Adam's moments are
flat float32 vectors, so that a checkpoint, a copy or an optimiser step is one operation. The inner loop allocates
no memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
Generator = np.random.Generator


@dataclass(frozen=True)
class Shape:
    """Sizes of a network: inputs, hidden width, the outputs of each twin, and free parameters such as log std."""

    inputs: int
    hidden: int
    outputs: tuple[int, ...]
    free: int = 0
    relu: bool = False

    @property
    def twins(self) -> int:
        return len(self.outputs)

    def layout(self) -> dict[str, tuple[int, ...]]:
        """Name → shape of each parameter block, in the order of the flat vector."""
        h, k = self.hidden, self.twins
        blocks: dict[str, tuple[int, ...]] = {
            "w1": (k, self.inputs, h),
            "b1": (k, 1, h),
            "w2": (k, h, h),
            "b2": (k, 1, h),
        }
        for twin, outputs in enumerate(self.outputs):
            blocks[f"w3_{twin}"] = (h, outputs)
            blocks[f"b3_{twin}"] = (outputs,)
        if self.free:
            blocks["free"] = (self.free,)
        return blocks

    @property
    def size(self) -> int:
        return sum(math.prod(shape) for shape in self.layout().values())

    def views(self, flat: F32) -> dict[str, F32]:
        """The blocks as views into one flat vector."""
        views, start = {}, 0
        for name, shape in self.layout().items():
            stop = start + math.prod(shape)
            views[name] = flat[start:stop].reshape(shape)
            start = stop
        return views


def initial_parameters(shape: Shape, rng: Generator, gains: tuple[float, ...]) -> F32:
    """Orthogonal weights (gain √2 inside, `gains` at each twin's output), zero biases."""
    flat = np.zeros(shape.size, np.float32)
    views = shape.views(flat)
    for name in ("w1", "w2"):
        for twin in range(shape.twins):
            views[name][twin] = _orthogonal(rng, views[name].shape[1:], math.sqrt(2))
    for twin, gain in enumerate(gains):
        views[f"w3_{twin}"][:] = _orthogonal(rng, views[f"w3_{twin}"].shape, gain)
    return flat


def _orthogonal(rng: Generator, shape: tuple[int, ...], gain: float) -> F32:
    rows, columns = shape
    q, r = np.linalg.qr(rng.standard_normal((max(shape), min(shape))))
    q *= np.sign(np.diag(r))
    return (gain * (q if rows >= columns else q.T)).astype(np.float32)


class Network:
    """Forward and backward passes of one `Shape` over batches; buffers are kept for each batch size."""

    def __init__(self, shape: Shape, flat: F32) -> None:
        self.shape, self.flat = shape, flat
        self.parameters = shape.views(flat)
        self.gradient = np.zeros_like(flat)
        self.gradients = shape.views(self.gradient)
        self._buffers: dict[int, dict[str, F32]] = {}

    def buffers(self, rows: int) -> dict[str, F32]:
        """The arrays of a batch size; `h1` and `h2` are the hidden layers of the last `forward`, by twin."""
        buffers = self._buffers.get(rows)
        if buffers is None:
            wide = (self.shape.twins, rows, self.shape.hidden)
            buffers = {name: np.empty(wide, np.float32) for name in ("h1", "h2", "d1", "d2", "slope")}
            buffers |= {f"y{t}": np.empty((rows, n), np.float32) for t, n in enumerate(self.shape.outputs)}
            buffers["ones"] = np.ones(rows, np.float32)
            self._buffers[rows] = buffers
        return buffers

    def forward(self, x: F32) -> list[F32]:
        """Outputs of every twin for the rows of `x`; the next call with the same size reuses the buffers."""
        p, b = self.parameters, self.buffers(len(x))
        hidden = np.matmul(x, p["w1"], out=b["h1"])
        self._activate(np.add(hidden, p["b1"], out=hidden))
        hidden = np.matmul(hidden, p["w2"], out=b["h2"])
        self._activate(np.add(hidden, p["b2"], out=hidden))
        outputs = []
        for twin in range(self.shape.twins):
            y = np.matmul(hidden[twin], p[f"w3_{twin}"], out=b[f"y{twin}"])
            outputs.append(np.add(y, p[f"b3_{twin}"], out=y))
        return outputs

    def forward_one(self, twin: int, x: F32) -> F32:
        """The outputs of one twin only, in a new array."""
        p = self.parameters
        hidden = x @ p["w1"][twin]
        hidden += p["b1"][twin]
        self._activate(hidden)
        hidden = hidden @ p["w2"][twin]
        hidden += p["b2"][twin]
        self._activate(hidden)
        y: F32 = hidden @ p[f"w3_{twin}"]
        y += p[f"b3_{twin}"]
        return y

    def _activate(self, hidden: F32) -> None:
        if self.shape.relu:
            np.maximum(hidden, 0, out=hidden)
        else:
            np.tanh(hidden, out=hidden)

    def backward(self, x: F32, d_outputs: list[F32]) -> F32:
        """Gradient of a loss; `d_outputs` is its derivative with respect to the outputs of the last `forward(x)`."""
        p, g, b = self.parameters, self.gradients, self.buffers(len(x))
        h1, h2, d1, d2, ones = b["h1"], b["h2"], b["d1"], b["d2"], b["ones"]
        for twin, d_output in enumerate(d_outputs):
            np.matmul(h2[twin].T, d_output, out=g[f"w3_{twin}"])
            np.matmul(ones, d_output, out=g[f"b3_{twin}"])
            np.matmul(d_output, p[f"w3_{twin}"].T, out=d2[twin])
        self._times_slope(d2, h2, b["slope"])
        np.matmul(h1.transpose(0, 2, 1), d2, out=g["w2"])
        np.matmul(ones, d2, out=g["b2"][:, 0])
        np.matmul(d2, p["w2"].transpose(0, 2, 1), out=d1)
        self._times_slope(d1, h1, b["slope"])
        np.matmul(x.T, d1, out=g["w1"])
        np.matmul(ones, d1, out=g["b1"][:, 0])
        return self.gradient

    def _times_slope(self, d: F32, h: F32, slope: F32) -> None:
        """d *= derivative of the activation, computed from its value `h`, which the weight gradients still need."""
        if self.shape.relu:
            np.multiply(d, h > 0, out=d)
            return
        np.multiply(h, h, out=slope)
        np.subtract(1, slope, out=slope)
        np.multiply(d, slope, out=d)


class Adam:
    """Adam with bias correction folded into the step size, over one flat vector."""

    def __init__(self, size: int, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-5) -> None:
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.mean = np.zeros(size, np.float32)
        self.square = np.zeros(size, np.float32)
        self.steps = 0
        self._work = np.empty(size, np.float32)

    def step(self, flat: F32, gradient: F32, rate: float, max_norm: float) -> float:
        """Updates `flat` in place with the gradient clipped to `max_norm`; returns the norm before clipping."""
        norm = math.sqrt(float(np.dot(gradient, gradient)))
        scale = min(1.0, max_norm / (norm + 1e-6)) if max_norm > 0 else 1.0
        self.steps += 1
        correction = math.sqrt(1 - self.beta2**self.steps)
        work = self._work
        np.multiply(gradient, (1 - self.beta1) * scale, out=work)
        self.mean *= np.float32(self.beta1)
        self.mean += work
        np.multiply(gradient, gradient, out=work)
        work *= np.float32((1 - self.beta2) * scale * scale)
        self.square *= np.float32(self.beta2)
        self.square += work
        np.sqrt(self.square, out=work)
        work += np.float32(self.epsilon * correction)
        np.divide(self.mean, work, out=work)
        work *= np.float32(rate * correction / (1 - self.beta1**self.steps))
        flat -= work
        return norm

    def state(self) -> dict[str, Any]:
        return {"mean": self.mean, "square": self.square, "steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        self.mean[:], self.square[:], self.steps = state["mean"], state["square"], int(state["steps"])
