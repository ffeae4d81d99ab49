"""Policies as ONNX graphs: the nodes of small networks, and the action they choose."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
Layers = list[tuple[F32, F32]]
"""(weight of shape inputs × outputs, bias) of each layer"""


class PolicyGraph:
    """Collects the nodes and constants of an ONNX graph."""

    def __init__(self, activation: str) -> None:
        self._activation = "Relu" if activation == "relu" else "Tanh"
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def mlp(self, source: str, layers: Layers, result: str) -> None:
        for number, (weight, bias) in enumerate(layers):
            is_last = number == len(layers) - 1
            sums = result if is_last else f"{result}_sums_{number}"
            inputs = [
                source,
                self._constant(f"{result}_w{number}", weight),
                self._constant(f"{result}_b{number}", bias),
            ]
            self._node("Gemm", inputs, sums)
            source = sums
            if not is_last:
                source = f"{result}_hidden_{number}"
                self._node(self._activation, [sums], source)

    def best_of(self, scores: str, start: int) -> None:
        self._node("ArgMax", [scores], "best", axis=1, keepdims=0)
        self._node("Add", ["best", self._constant("start", np.array(start, np.int64))], "action")

    def clip(self, mean: str, low: F32, high: F32) -> None:
        self._node("Max", [mean, self._constant("low", low)], "above")
        self._node("Min", ["above", self._constant("high", high)], "action")

    def squash(self, output: str, middle: F32, reach: F32) -> None:
        """middle + reach · tanh(output)"""
        self._node("Tanh", [output], "squashed")
        self._node("Mul", ["squashed", self._constant("reach", reach)], "scaled")
        self._node("Add", ["scaled", self._constant("middle", middle)], "action")

    def first_columns(self, output: str, count: int, result: str) -> None:
        parts = [
            self._constant(n, np.array([v], np.int64)) for n, v in (("from", 0), ("to", count), ("axis", 1))
        ]
        self._node("Slice", [output, *parts], result)

    def save(self, target: Any, *, observation_size: int, outputs: list[Any], about: str) -> None:
        """`outputs`: the action first."""
        import onnx
        from onnx import TensorProto, helper

        observation = value_info("observation", TensorProto.FLOAT, observation_size)
        made = helper.make_graph(self.nodes, "policy", [observation], outputs, self.constants)
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        model.doc_string = about
        onnx.checker.check_model(model)
        onnx.save(model, target)

    def _node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name


def value_info(name: str, kind: int, size: int) -> Any:
    from onnx import helper

    return helper.make_tensor_value_info(name, kind, ["n", size])
