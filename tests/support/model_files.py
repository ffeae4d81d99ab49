"""Small model files in the forms that can be imported, made without training."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

BOX = "<class 'gymnasium.spaces.box.Box'>"
DISCRETE = "<class 'gymnasium.spaces.discrete.Discrete'>"


def torch_bytes(value: Any, **options: Any) -> bytes:
    import torch

    buffer = io.BytesIO()
    torch.save(value, buffer, **options)
    return buffer.getvalue()


def linear(tensors: dict[str, Any], name: str, inputs: int, outputs: int) -> None:
    import torch

    generator = torch.Generator().manual_seed(len(tensors))
    tensors[f"{name}.weight"] = torch.randn((outputs, inputs), generator=generator) * 0.3
    tensors[f"{name}.bias"] = torch.zeros(outputs)


def ppo_tensors(inputs: int = 4, width: int = 8, actions: int = 2) -> dict[str, Any]:
    """By the names of Stable-Baselines3."""
    tensors: dict[str, Any] = {}
    for net, head, size in (("policy_net", "action_net", actions), ("value_net", "value_net", 1)):
        linear(tensors, f"mlp_extractor.{net}.0", inputs, width)
        linear(tensors, f"mlp_extractor.{net}.2", width, width)
        linear(tensors, head, width, size)
    return tensors


def sb3_data(**changes: Any) -> dict[str, Any]:
    """`data` of a PPO for CartPole, as plain as the library writes it."""
    return {
        "policy_class": {
            ":type:": "<class 'abc.ABCMeta'>",
            ":serialized:": "gAU=",
            "__module__": "stable_baselines3.common.policies",
        },
        "policy_kwargs": {},
        "num_timesteps": 5000,
        "learning_rate": 0.001,
        "n_steps": 64,
        "n_epochs": 4,
        "batch_size": 32,
        "gamma": 0.98,
        "observation_space": {":type:": BOX, ":serialized:": "gAU=", "dtype": "float32", "_shape": [4]},
        "action_space": {":type:": DISCRETE, ":serialized:": "gAU=", "n": "2", "_shape": []},
        **changes,
    }


def sb3_zip(members: Mapping[str, bytes] | None = None, *, data: dict[str, Any] | None = None) -> bytes:
    """A PPO for CartPole; members replace its own."""
    own = {
        "data": json.dumps(data or sb3_data()).encode(),
        "policy.pth": torch_bytes(ppo_tensors()) if "policy.pth" not in (members or {}) else b"",
        "_stable_baselines3_version": b"1.6.2",
        "system_info.txt": b"OS: another machine",
    }
    return zip_bytes({**own, **(members or {})})


def zip_bytes(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def cleanrl_ppo(inputs: int = 4, actions: int = 2) -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    for net, size in (("critic", 1), ("actor", actions)):
        linear(tensors, f"{net}.0", inputs, 64)
        linear(tensors, f"{net}.2", 64, 64)
        linear(tensors, f"{net}.4", 64, size)
    return tensors


def onnx_graph(inputs: int = 4, outputs: int = 2, **changes: Any) -> bytes:
    """One layer from an observation to a score per action."""
    from onnx import TensorProto, helper, numpy_helper

    weight = numpy_helper.from_array(np.ones((inputs, outputs), np.float32), "w")
    node = helper.make_node("MatMul", ["observation", "w"], ["logits"], domain=changes.get("domain", ""))
    if "external" in changes:
        weight.data_location = TensorProto.EXTERNAL
        weight.ClearField("raw_data")
        weight.external_data.add(key="location", value=changes["external"])
    graph = helper.make_graph(
        [node],
        "policy",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["n", inputs])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", outputs])],
        [weight],
    )
    opsets = [
        helper.make_opsetid("", 17),
        *([helper.make_opsetid(changes["domain"], 1)] if "domain" in changes else []),
    ]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    data: bytes = model.SerializeToString()
    return data


def torchscript(body: str) -> bytes:
    """A program whose `forward` gets a batch of observations, `seen`, and has this body."""
    import torch

    program = type("Program", (torch.jit.ScriptModule,), {})()
    program.define(f"def forward(self, seen: Tensor) -> Tensor:\n    {body}\n")
    data: bytes = program.save_to_buffer()
    return data


def turbo_checkpoint(path: Path, *, weight: float = 0.01, **changes: Any) -> Path:
    """A PPO for CartPole whose weights are all the same."""
    from rl_lab.runners.turbo.checkpoints import Header, write_checkpoint
    from rl_lab.runners.turbo.envs import describe
    from rl_lab.runners.turbo.kernels import Shape
    from rl_lab.runners.turbo.params import TurboPpoParams

    env = describe("CartPole-v1", {})
    params = TurboPpoParams(hidden=16, normalize_observations=False, normalize_reward=False).model_dump()
    shape = Shape(
        env.observation_size, params["hidden"], (env.action_size, 1), 0, params["activation"] == "relu"
    )
    weights = np.full(shape.size, weight, np.float32)
    write_checkpoint(path, Header("ppo", params, env), {"parameters": weights, "timesteps": 400, **changes})
    return path
