"""Small ReLU networks with hand-written gradients, and Adam, on flat vectors of torch.

Autograd, modules and optimisers of torch cost more than the arithmetic of networks this small. Networks of the same
shape are stacked, so that one call computes all of them; parameters, gradients and Adam's moments of a learner are one
vector each, so that an optimiser step, a copy or a target update is one call; and the inner loop allocates no memory.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

WIDE = 128
"""Layers with fewer inputs or outputs are not worth rounding."""


def is_rounding_slow() -> bool:
    """Whether products of bfloat16 take longer here than those of float32: processors without them imitate them."""
    left = torch.ones(1, WIDE, WIDE)
    return _seconds(left.bfloat16()) > _seconds(left)


def _seconds(matrix: Tensor) -> float:
    """The shortest of a few products."""
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        torch.bmm(matrix, matrix)
        taken.append(time.perf_counter() - began)
    return min(taken)


class Stack:
    """`count` networks of the same sizes, which see the same rows or each its own."""

    def __init__(self, sizes: Sequence[int], count: int = 1, *, is_rounded: bool = False) -> None:
        """`is_rounded`: products of wide layers round their factors and sums to bfloat16; all else stays float32."""
        self.sizes, self.count, self._is_rounded = tuple(sizes), count, is_rounded
        self.layers = list(zip(self.sizes[:-1], self.sizes[1:], strict=True))
        self.size = count * sum((inputs + 1) * outputs for inputs, outputs in self.layers)
        self.weights: list[Tensor] = []
        self.biases: list[Tensor] = []
        self._weight_gradients: list[Tensor] = []
        self._bias_gradients: list[Tensor] = []
        self._buffers: dict[tuple[str, int], _Buffers] = {}

    def bind(self, flat: Tensor, gradient: Tensor | None = None) -> Stack:
        """Uses these vectors; without a gradient the networks only compute."""
        self.weights, self.biases = self._views(flat)
        if gradient is not None:
            self._weight_gradients, self._bias_gradients = self._views(gradient)
        return self

    def first(self) -> Stack:
        """Its first network alone, with the same parameters; for forward passes and gradients of inputs."""
        alone = Stack(self.sizes, is_rounded=self._is_rounded)
        alone.weights, alone.biases = [w[:1] for w in self.weights], [b[:1] for b in self.biases]
        return alone

    def initialise(self, generator: torch.Generator) -> None:
        """As `torch.nn.Linear` does."""
        for (inputs, _), weight, bias in zip(self.layers, self.weights, self.biases, strict=True):
            bound = 1 / math.sqrt(inputs)
            weight.uniform_(-bound, bound, generator=generator)
            bias.uniform_(-bound, bound, generator=generator)

    def forward(self, x: Tensor, use: str = "") -> Tensor:
        """(count, rows, outputs). The result is overwritten by the next call with the same number of rows and `use`."""
        buffers = self._buffers_of(use, x.shape[-2])
        if x.dim() == 2:
            x = x.expand(self.count, *x.shape)
        buffers.inputs[0] = x
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if self._is_wide(number):
                x = self._rounded(x, weight, buffers.sums[number]).add_(bias)
            elif _is_one_column(weight):
                x = _multiply_each(x, weight, buffers.sums[number]).add_(bias)
            else:
                x = torch.baddbmm(bias, x, weight, out=buffers.sums[number])
            if number < len(self.layers) - 1:
                buffers.inputs[number + 1] = x.relu_()
        return x

    def backward(self, gradient: Tensor, use: str = "") -> None:
        """The gradient of the parameters, from that of the outputs of the last `forward` with this `use`."""
        buffers = self._buffers_of(use, gradient.shape[-2])
        for number in range(len(self.layers) - 1, -1, -1):
            inputs = buffers.inputs[number]
            self._multiply(number, inputs.transpose(1, 2), gradient, self._weight_gradients[number])
            torch.sum(gradient, 1, keepdim=True, out=self._bias_gradients[number])
            if number:
                gradient = self._through(number, gradient, buffers)

    def input_gradient(self, gradient: Tensor, use: str = "") -> Tensor:
        """The gradient of the inputs; that of the parameters is left out."""
        buffers = self._buffers_of(use, gradient.shape[-2])
        for number in range(len(self.layers) - 1, 0, -1):
            gradient = self._through(number, gradient, buffers)
        return torch.bmm(gradient, self.weights[0].transpose(1, 2))

    def tensors(self, number: int, *, of_gradients: bool = False) -> list[tuple[Tensor, Tensor]]:
        """Weight (inputs × outputs) and bias of each layer of one network."""
        weights, biases = self.weights, self.biases
        if of_gradients:
            weights, biases = self._weight_gradients, self._bias_gradients
        return [(weight[number], bias[number, 0]) for weight, bias in zip(weights, biases, strict=True)]

    def hidden(self, number: int, rows: int) -> list[Tensor]:
        """What the hidden layers of one network put out in the last pass over so many rows."""
        uses = [use for use, count in self._buffers if count == rows]
        return [one[number] for one in self._buffers[uses[0], rows].inputs[1:]] if uses else []

    def _through(self, number: int, gradient: Tensor, buffers: _Buffers) -> Tensor:
        """Before a layer and the activation in front of it."""
        weight, before = self.weights[number].transpose(1, 2), buffers.gradients[number]
        if gradient.shape[2] == 1:
            torch.mul(gradient, weight, out=before)
        else:
            self._multiply(number, gradient, weight, before)
        return torch.ops.aten.threshold_backward.grad_input(
            before, buffers.inputs[number], 0, grad_input=before
        )

    def _multiply(self, number: int, left: Tensor, right: Tensor, out: Tensor) -> Tensor:
        if self._is_wide(number):
            return self._rounded(left, right, out)
        return _multiply_each(left, right, out) if _is_one_column(right) else torch.bmm(left, right, out=out)

    def _is_wide(self, number: int) -> bool:
        return self._is_rounded and min(self.layers[number]) >= WIDE

    @staticmethod
    def _rounded(left: Tensor, right: Tensor, out: Tensor) -> Tensor:
        return out.copy_(torch.bmm(left.bfloat16(), right.bfloat16()))

    def _views(self, flat: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        weights, biases, start = [], [], 0
        for inputs, outputs in self.layers:
            stop = start + self.count * inputs * outputs
            weights.append(flat[start:stop].view(self.count, inputs, outputs))
            start, stop = stop, stop + self.count * outputs
            biases.append(flat[start:stop].view(self.count, 1, outputs))
            start = stop
        return weights, biases

    def _buffers_of(self, use: str, rows: int) -> _Buffers:
        found = self._buffers.get((use, rows))
        if found is None:
            found = self._buffers[use, rows] = _Buffers(self.layers, self.count, rows)
        return found


def _is_one_column(right: Tensor) -> bool:
    return len(right) > 1 and right.shape[2] == 1


def _multiply_each(left: Tensor, right: Tensor, out: Tensor) -> Tensor:
    """One call per network: one for all is up to eight times as slow where each result is a single column."""
    for number in range(len(right)):
        torch.mm(left[number], right[number], out=out[number])
    return out


class _Buffers:
    """The arrays of one forward and backward pass."""

    def __init__(self, layers: Sequence[tuple[int, int]], count: int, rows: int) -> None:
        self.sums = [torch.empty(count, rows, outputs) for _, outputs in layers]
        self.inputs: list[Any] = [None] * len(layers)
        self.gradients = [torch.empty(count, rows, inputs) for inputs, _ in layers]


class Parameters:
    """All trained numbers of a learner as one vector with its gradient; `stacks` and `free` vectors are parts of it."""

    def __init__(self, stacks: Sequence[Stack], free: Sequence[int] = ()) -> None:
        sizes = [*(stack.size for stack in stacks), *free]
        self.flat, self.gradient = torch.zeros(sum(sizes)), torch.zeros(sum(sizes))
        parts = list(zip(self.flat.split(sizes), self.gradient.split(sizes), strict=True))
        for stack, (values, gradient) in zip(stacks, parts, strict=False):
            stack.bind(values, gradient)
        self.free = parts[len(stacks) :]
        """Value and gradient of each vector that belongs to no network."""
        self.parts = parts


class FusedAdam:
    """One optimiser step over a part of the parameters is one call."""

    def __init__(self, flat: Tensor, gradient: Tensor, learning_rate: float) -> None:
        self._flat, self._gradient, self._rate = [flat], [gradient], learning_rate
        self._first, self._second = [torch.zeros_like(flat)], [torch.zeros_like(flat)]
        self._steps = [torch.zeros(())]

    def step(self) -> None:
        self._steps[0] += 1
        torch._fused_adam_(
            self._flat,
            self._gradient,
            self._first,
            self._second,
            [],
            self._steps,
            lr=self._rate,
            beta1=0.9,
            beta2=0.999,
            weight_decay=0.0,
            eps=1e-8,
            amsgrad=False,
            maximize=False,
        )

    def state(self) -> dict[str, Tensor]:
        return {"first": self._first[0], "second": self._second[0], "steps": self._steps[0]}

    def restore(self, state: dict[str, Tensor]) -> None:
        for name, mine in self.state().items():
            mine.copy_(state[name].view_as(mine))  # a file has no arrays without a dimension
