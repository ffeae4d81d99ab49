"""Exports an offline policy as an ONNX graph, which acts exactly like the checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.runners.offline.checkpoints import Layers, OfflineHeader, critics_of, layers_of, read_checkpoint
from rl_lab.runners.onnx_policies import PolicyGraph, value_info


def export_onnx(checkpoint: Path, target: Path) -> None:
    """Writes a graph `observation (n × size) → action`, plus the output `scores`, `q_values` or `mean`."""
    from onnx import TensorProto, helper

    header, state = read_checkpoint(checkpoint, only_networks=True)
    spaces, graph = header.spaces, PolicyGraph("relu")
    layers = [(weight.T, bias) for weight, bias in policy_layers(header, state)]
    if spaces.is_discrete:
        scores = "scores" if layers_of(state, "actor") else "q_values"
        graph.mlp("observation", layers, scores)
        graph.best_of(scores, spaces.action_start)
        action = helper.make_tensor_value_info("action", TensorProto.INT64, ["n"])
    else:
        scores = "mean"
        graph.mlp("observation", layers, "output")
        graph.first_columns("output", spaces.action_size, scores)
        graph.squash(scores, spaces.action_middle, spaces.action_reach)
        action = value_info("action", TensorProto.FLOAT, spaces.action_size)
    graph.save(
        target,
        observation_size=spaces.observation_size,
        outputs=[action, value_info(scores, TensorProto.FLOAT, spaces.action_size)],
        about=f"{header.algorithm} for {header.env_id}",
    )


def policy_layers(header: OfflineHeader, state: dict[str, Any]) -> Layers:
    """The layers whose outputs choose an action: those of the actor, or else of the first critic."""
    return layers_of(state, "actor") or critics_of(state)[0]
