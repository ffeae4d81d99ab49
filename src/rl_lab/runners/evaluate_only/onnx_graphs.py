"""An ONNX graph as a policy: checked to be complete in itself and of standard operators, then run by onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.evaluate_only.acting import CHOOSE, Interface
from rl_lab.worker.runner import Decision

DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml"})
"""Operators that every ONNX runtime has; others are code of somebody's library."""
EXPORT = "Export the policy again: one file, standard operators, one input for the observation."


def read_graph(path: Path, name: str) -> Any:
    """The model, parsed and checked; no other file is opened."""
    import onnx

    try:
        model = onnx.load_model_from_string(path.read_bytes())
    except Exception as error:  # protobuf has errors of its own
        raise InvalidInput(f"“{name}” is not a whole ONNX graph: {error}.", next_step=EXPORT) from None
    own = {(function.domain, function.name) for function in model.functions}
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in _nodes(nodes):
            if node.domain not in DOMAINS and (node.domain, node.op_type) not in own:
                raise InvalidInput(
                    f"“{name}” uses the operator {node.domain}.{node.op_type}, which is not a standard one of ONNX.",
                    next_step=EXPORT,
                )
            _refuse_external((a.t for a in node.attribute), name)
    _refuse_external(model.graph.initializer, name)
    _refuse_external((sparse.values for sparse in model.graph.sparse_initializer), name)
    if len(inputs_of(model)) != 1 or not model.graph.output:
        raise InvalidInput(
            f"“{name}” takes {len(inputs_of(model))} inputs; a policy takes one, the observation.",
            next_step=EXPORT,
        )
    return model


def inputs_of(model: Any) -> list[Any]:
    constants = {tensor.name for tensor in model.graph.initializer}
    return [given for given in model.graph.input if given.name not in constants]


def dimensions(value: Any) -> list[int]:
    """Of an input or output; 0 for an open one."""
    return [int(d.dim_value) for d in value.type.tensor_type.shape.dim]


def _nodes(nodes: Any) -> Iterator[Any]:
    """With those of nested graphs."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        for attribute in node.attribute:
            waiting += attribute.g.node
            for graph in attribute.graphs:
                waiting += graph.node


def _refuse_external(tensors: Any, name: str) -> None:
    for tensor in tensors:
        if tensor.data_location == 1 or tensor.external_data:
            raise InvalidInput(
                f"“{name}” keeps weights in another file, which the lab does not open.",
                next_step="Export the policy again with all weights in one file.",
            )


def load_policy(checkpoint: Path, env_id: str, env_kwargs: dict[str, Any]) -> OnnxPolicy:
    model = read_graph(checkpoint, checkpoint.name)
    return OnnxPolicy(model, Interface(env_id, env_kwargs))


class OnnxPolicy:
    def __init__(self, model: Any, interface: Interface) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            # From bytes: without a folder no external file can be named.
            self._session = onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a class for each failure, none in common
            raise InvalidInput(f"The graph cannot be run: {_first(error)}", next_step=EXPORT) from None
        self._interface = interface
        given = inputs_of(model)[0]
        self._input = given.name
        self._shape = _input_shape(dimensions(given), interface)
        names = [output.name for output in model.graph.output]
        self._output = next((name for name in names if "action" in name.lower()), names[0])

    def act(self, observation: Any, deterministic: bool) -> Decision:
        """The graph has no chance in it: `deterministic` makes no difference."""
        batch = self._interface.batch(observation, self._shape)
        try:
            found = self._session.run([self._output], {self._input: batch})[0]
        except Exception as error:
            raise InvalidInput(
                f"The graph failed on an observation: {_first(error)}", next_step=CHOOSE
            ) from None
        return self._interface.decision(found)

    def try_out(self) -> None:
        """Raises when it does not fit the environment."""
        self.act(self._interface.sample(), deterministic=True)


def _input_shape(dims: list[int], interface: Interface) -> tuple[int, ...] | None:
    """The shape of one observation as the graph declares it; None where it leaves it open."""
    import numpy as np

    own = dims[1:]
    if not own or not all(own):
        return None
    if int(np.prod(own)) != int(np.prod(interface.input_shape)):
        raise InvalidInput(
            f"The policy does not fit {interface.env_id}: it takes observations of shape {tuple(own)}, and those of "
            f"{interface.env_id} have {interface.input_shape}.",
            next_step=CHOOSE,
        )
    return tuple(own)


def _first(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
