"""Layers of stacked networks: their products forward and backward, each with the quickest call for its shape.

Arrays have the shape (networks, rows, numbers). Those whose values are used up at once are shared by all layers, so
that they stay in the processor's cache.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

WIDE = 128
"""Inputs and outputs from which on a layer is wide; narrower ones are not worth rounding."""
CLEARLY = 1.4
"""How much quicker oneDNN must be: far from both what it is on AMD's Zen 5 (2) and elsewhere (1.1), so that all
processes on a machine choose the same."""


@cache
def is_onednn_quicker() -> bool:
    """Whether oneDNN multiplies much quicker than MKL, which uses half of the registers of a processor of AMD."""
    if not torch.backends.mkldnn.is_available():
        return False
    rows = _square()
    return CLEARLY * _seconds(lambda: _linear(rows, rows)) < _seconds(lambda: torch.mm(rows, rows))


def _square() -> Tensor:
    """Large enough for a difference to be seen on a busy machine."""
    return torch.ones(2 * WIDE, 2 * WIDE)


def _seconds(product: Callable[[], object]) -> float:
    """The shortest of a few."""
    taken = []
    for _ in range(10):
        began = time.perf_counter()
        product()
        taken.append(time.perf_counter() - began)
    return min(taken)


class LayerTensors(NamedTuple):
    """Parts of a learner's vectors: weight (networks, inputs, outputs) and bias (networks, 1, outputs)."""

    weight: Tensor
    bias: Tensor
    weight_gradient: Tensor | None
    bias_gradient: Tensor | None
    """None where the networks only compute."""


class Layer:
    dtype = torch.float32
    """Of what its products take and give."""

    def __init__(self, tensors: LayerTensors, has_relu: bool) -> None:
        self._weight, self._bias, self._weight_gradient, self._bias_gradient = tensors
        self._has_relu = has_relu
        self._transposed = self._weight.transpose(1, 2)
        self._has_one_output = self._weight.shape[2] == 1
        self._has_columns = self._has_one_output and len(self._weight) > 1

    def forward(self, x: Tensor, out: Tensor) -> Tensor:
        """Its outputs, in `out` or in an array of their own."""
        if self._has_columns:
            _multiply_each(x, self._weight, out).add_(self._bias)
        else:
            torch.baddbmm(self._bias, x, self._weight, out=out)
        return out.relu_() if self._has_relu else out

    def set_weight_gradient(self, x: Tensor, gradient: Tensor) -> None:
        """That of its weight, from its inputs and the gradient of its outputs."""
        assert self._weight_gradient is not None
        if self._has_columns:
            _multiply_each(x.transpose(1, 2), gradient, self._weight_gradient)
        else:
            torch.bmm(x.transpose(1, 2), gradient, out=self._weight_gradient)

    def set_bias_gradient(self, gradient: Tensor) -> None:
        assert self._bias_gradient is not None
        torch.sum(gradient, 1, keepdim=True, out=self._bias_gradient)

    def through(self, gradient: Tensor, name: str) -> Tensor:
        """The gradient of its inputs, in the shared array of this name."""
        out = shared(name, (*gradient.shape[:2], self._transposed.shape[2]), self.dtype)
        multiply = torch.mul if self._has_one_output else torch.bmm
        return multiply(gradient, self._transposed, out=out)


class OneDnnLayer(Layer):
    """Its products are computed by oneDNN, one network at a time."""

    def __init__(self, tensors: LayerTensors, has_relu: bool) -> None:
        super().__init__(tensors, has_relu)
        self._activation = "relu" if has_relu else "none"

    def forward(self, x: Tensor, out: Tensor) -> Tensor:
        parts = zip(x.unbind(), self._transposed.unbind(), self._bias.flatten(1).unbind(), strict=True)
        return _stacked([_linear(*one, activation=self._activation) for one in parts], out)

    def set_weight_gradient(self, x: Tensor, gradient: Tensor) -> None:
        assert self._weight_gradient is not None
        for one, by, total in zip(x.unbind(), gradient.unbind(), self._weight_gradient.unbind(), strict=True):
            total.copy_(_linear(one.T, by.T))

    def through(self, gradient: Tensor, name: str) -> Tensor:
        parts = zip(gradient.unbind(), self._weight.unbind(), strict=True)
        out = shared(name, (*gradient.shape[:2], self._weight.shape[1]), self.dtype)
        return _stacked([_linear(*one) for one in parts], out)


class RoundedLayer(Layer):
    """Products take bfloat16, add up in float32, and give bfloat16. Parameters and their gradients are float32."""

    dtype = torch.bfloat16

    def __init__(self, tensors: LayerTensors, has_relu: bool) -> None:
        rounded = tensors._replace(weight=tensors.weight.bfloat16(), bias=tensors.bias.bfloat16())
        super().__init__(rounded, has_relu)
        self._exact = tensors.weight, tensors.bias

    def forward(self, x: Tensor, out: Tensor) -> Tensor:
        self._weight.copy_(self._exact[0])
        self._bias.copy_(self._exact[1])
        torch.baddbmm(self._bias, x, self._weight, out=out)
        if self._has_relu:
            out.view(torch.int16).clamp_min_(0)  # has the same sign, and is quicker
        return out

    def set_weight_gradient(self, x: Tensor, gradient: Tensor) -> None:
        assert self._weight_gradient is not None
        product = shared("weight", self._weight.shape, self.dtype)
        self._weight_gradient.copy_(torch.bmm(x.transpose(1, 2), gradient, out=product))


def make_layer(tensors: LayerTensors, *, has_relu: bool, is_rounded: bool) -> Layer:
    if min(tensors.weight.shape[1:]) < WIDE:
        return Layer(tensors, has_relu)
    if is_rounded:
        return RoundedLayer(tensors, has_relu)
    return (OneDnnLayer if is_onednn_quicker() else Layer)(tensors, has_relu)


def before_relu(gradient: Tensor, output: Tensor) -> Tensor:
    """In place: the gradient in front of an activation, from the one after it."""
    return torch.ops.aten.threshold_backward.grad_input(gradient, output, 0, grad_input=gradient)


_SHARED: dict[tuple[str, Sequence[int], torch.dtype], Tensor] = {}


def shared(name: str, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Its value is valid until the next call with this name: learners take turns, in one thread."""
    found = _SHARED.get((name, shape, dtype))
    if found is None:
        found = _SHARED[name, shape, dtype] = torch.empty(shape, dtype=dtype)
    return found


def cast(x: Tensor, dtype: torch.dtype, name: str) -> Tensor:
    """In the shared array of this name, unless it has this type already."""
    return x if x.dtype is dtype else shared(name, x.shape, dtype).copy_(x)


def _multiply_each(left: Tensor, right: Tensor, out: Tensor) -> Tensor:
    """One call per network: one for all is up to eight times as slow where each result is a single column."""
    for parts in zip(left.unbind(), right.unbind(), out.unbind(), strict=True):
        torch.mm(*parts[:2], out=parts[2])
    return out


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None = None, activation: str = "none") -> Tensor:
    """x · weightᵀ + bias by oneDNN, which torch calls for float32 in compiled programs only."""
    result: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, weight, bias, activation, [], "")
    return result


def _stacked(results: list[Tensor], out: Tensor) -> Tensor:
    """In `out`, unless there is only one."""
    return results[0].unsqueeze(0) if len(results) == 1 else torch.stack(results, out=out)
