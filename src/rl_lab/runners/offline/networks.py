"""Small ReLU networks with hand-written gradients, and Adam, on flat vectors of torch.

Autograd, modules and optimisers of torch cost more than the arithmetic of networks this small. Networks of the same
shape are stacked, so that one call computes all of them; parameters, gradients and Adam's moments of a learner are one
vector each, so that an optimiser step, a copy or a target update is one call; and the inner loop allocates no memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from rl_lab.runners.offline.layers import Layer, LayerTensors, before_relu, cast, make_layer, shared


class Stack:
    """`count` networks of the same sizes, which see the same rows or each its own."""

    def __init__(self, sizes: Sequence[int], count: int = 1, *, is_rounded: bool = False) -> None:
        """`is_rounded`: products of wide layers take and give bfloat16; all else is float32."""
        self.sizes, self.count, self._is_rounded = tuple(sizes), count, is_rounded
        self.layers = list(zip(self.sizes[:-1], self.sizes[1:], strict=True))
        self.size = count * sum((inputs + 1) * outputs for inputs, outputs in self.layers)
        self.weights: list[Tensor] = []
        self.biases: list[Tensor] = []
        self._weight_gradients: list[Tensor] = []
        self._bias_gradients: list[Tensor] = []
        self._layers: list[Layer] = []
        self._passes: dict[tuple[str, int], _Pass] = {}

    def bind(self, flat: Tensor, gradient: Tensor | None = None) -> Stack:
        """Uses these vectors; without a gradient the networks only compute."""
        self.weights, self.biases = self._views(flat)
        if gradient is not None:
            self._weight_gradients, self._bias_gradients = self._views(gradient)
        self._make_layers()
        return self

    def first(self) -> Stack:
        """Its first network alone, with the same parameters; for forward passes and gradients of inputs."""
        alone = Stack(self.sizes, is_rounded=self._is_rounded)
        alone.weights, alone.biases = [w[:1] for w in self.weights], [b[:1] for b in self.biases]
        alone._make_layers()
        return alone

    def initialise(self, generator: torch.Generator) -> None:
        """As `torch.nn.Linear` does."""
        for (inputs, _), weight, bias in zip(self.layers, self.weights, self.biases, strict=True):
            bound = 1 / math.sqrt(inputs)
            weight.uniform_(-bound, bound, generator=generator)
            bias.uniform_(-bound, bound, generator=generator)

    def forward(self, x: Tensor, use: str = "") -> Tensor:
        """(count, rows, outputs). The result is overwritten by the next call with the same number of rows and `use`."""
        kept = self._pass(use, x.shape[-2])
        if x.dim() == 2:
            x = x.expand(self.count, *x.shape)
        for number, layer in enumerate(self._layers):
            if x.dtype is not layer.dtype:
                x = kept.inputs[number].copy_(x)
            kept.inputs[number] = x
            x = layer.forward(x, kept.outputs[number])
        return x.float()

    def values(self, x: Tensor) -> Tensor:
        """As `forward`, for outputs whose gradient is not asked for: between layers it keeps nothing."""
        if x.dim() == 2:
            x = x.expand(self.count, *x.shape)
        for number, layer in enumerate(self._layers):
            x = cast(x, layer.dtype, "inputs")
            x = layer.forward(x, self._result(number, x.shape[1]))
        return x.float()

    def keep_rows(self, rows: Tensor, of: int, use: str, kept_use: str) -> None:
        """Prepares a `backward` with `kept_use` through these rows only: (count, rows).

        They are of the last `forward` over `of` rows with `use`. Both have arrays of their own: what `forward` keeps
        may be one array for all networks.
        """
        kept = self._pass(kept_use, rows.shape[1])
        for number, inputs in enumerate(self._pass(use, of).inputs):
            for one, some, out in zip(inputs, rows, kept.inputs[number], strict=True):
                torch.index_select(one, 0, some, out=out)

    def backward(self, gradient: Tensor, use: str = "") -> None:
        """The gradient of the parameters, from that of the outputs of the last `forward` with this `use`."""
        kept = self._pass(use, gradient.shape[-2])
        for number in range(len(self._layers) - 1, -1, -1):
            layer = self._layers[number]
            factor = cast(gradient, layer.dtype, "outputs")
            layer.set_weight_gradient(kept.inputs[number], factor)
            layer.set_bias_gradient(
                cast(factor if factor.dtype is torch.float32 else gradient, torch.float32, "sums")
            )
            if number:
                gradient = self._before(number, factor, kept)

    def input_gradient(self, gradient: Tensor, use: str = "") -> Tensor:
        """The gradient of the inputs; that of the parameters is left out."""
        kept = self._pass(use, gradient.shape[-2])
        for number in range(len(self._layers) - 1, 0, -1):
            factor = cast(gradient, self._layers[number].dtype, "outputs")
            gradient = self._before(number, factor, kept)
        factor = cast(gradient, self._layers[0].dtype, "outputs")
        return self._layers[0].through(factor, "input gradient").float()

    def tensors(self, number: int, *, of_gradients: bool = False) -> list[tuple[Tensor, Tensor]]:
        """Weight (inputs × outputs) and bias of each layer of one network."""
        weights, biases = self.weights, self.biases
        if of_gradients:
            weights, biases = self._weight_gradients, self._bias_gradients
        return [(weight[number], bias[number, 0]) for weight, bias in zip(weights, biases, strict=True)]

    def hidden(self, number: int, rows: int) -> list[Tensor]:
        """What the hidden layers of one network put out in the last pass over a batch of so many rows."""
        kept = self._passes.get(("policy", rows)) or self._passes.get(("", rows))
        return [one[number].float() for one in kept.inputs[1:]] if kept else []

    @property
    def has_rounded_layers(self) -> bool:
        return any(layer.dtype is not torch.float32 for layer in self._layers)

    def _before(self, number: int, gradient: Tensor, kept: _Pass) -> Tensor:
        """In front of a layer and of the activation before it."""
        name = f"gradient {number % 2}"  # a layer reads the one and writes the other
        return before_relu(self._layers[number].through(gradient, name), kept.inputs[number])

    def _make_layers(self) -> None:
        none: list[None] = [None] * len(self.layers)
        columns = (self.weights, self.biases, self._weight_gradients or none, self._bias_gradients or none)
        last = len(self.layers) - 1
        self._layers = [
            make_layer(LayerTensors(*parts), has_relu=number < last, is_rounded=self._is_rounded)
            for number, parts in enumerate(zip(*columns, strict=True))
        ]

    def _views(self, flat: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        weights, biases, start = [], [], 0
        for inputs, outputs in self.layers:
            stop = start + self.count * inputs * outputs
            weights.append(flat[start:stop].view(self.count, inputs, outputs))
            start, stop = stop, stop + self.count * outputs
            biases.append(flat[start:stop].view(self.count, 1, outputs))
            start = stop
        return weights, biases

    def _result(self, number: int, rows: int) -> Tensor:
        shape, dtype = (self.count, rows, self.layers[number][1]), self._layers[number].dtype
        is_last = number == len(self._layers) - 1
        return torch.empty(shape, dtype=dtype) if is_last else shared(f"layer {number % 2}", shape, dtype)

    def _pass(self, use: str, rows: int) -> _Pass:
        found = self._passes.get((use, rows))
        if found is None:
            found = self._passes[use, rows] = _Pass(self, rows)
        return found


class _Pass:
    """The arrays of one forward pass: what each layer takes is kept for the pass back."""

    def __init__(self, stack: Stack, rows: int) -> None:
        types = [layer.dtype for layer in stack._layers]
        self.inputs = [
            torch.empty((stack.count, rows, inputs), dtype=dtype)
            for (inputs, _), dtype in zip(stack.layers, types, strict=True)
        ]
        self.outputs = [
            mine if mine.dtype is dtype else shared("rounded", mine.shape, dtype)
            for mine, dtype in zip(self.inputs[1:], types, strict=False)
        ]
        self.outputs.append(torch.empty((stack.count, rows, stack.sizes[-1]), dtype=types[-1]))


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
