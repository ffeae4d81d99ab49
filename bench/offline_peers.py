"""One offline learner as a process: reads how many updates to make, a number per line, and prints the processor's time.

    python offline_peers.py lab|corl|d3rlpy '{"algorithm": "iql", "data": "data.npz", "hidden": [64, 64], …}'

Each library trains its own networks of the same sizes on the same steps with the same batches, sampled as its own loop
samples them. It runs in the interpreter of its library, so nothing of the lab is imported at the top.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

Update = Callable[[], Any]
RATE = 3e-4


def main() -> None:
    library, given = sys.argv[1], json.loads(sys.argv[2])
    import torch

    torch.set_num_threads(given["threads"])
    data = dict(np.load(given["data"]))
    update = {"lab": lab, "corl": corl, "d3rlpy": d3rlpy}[library](data, given)
    for _ in range(20):
        update()
    print("ready", flush=True)
    for line in sys.stdin:
        started = time.process_time()  # of all threads; what else the machine does counts little
        for _ in range(int(line)):
            update()
        print(time.process_time() - started, flush=True)


def lab(data: dict[str, Any], given: dict[str, Any]) -> Update:
    from pathlib import Path

    from rl_lab.runners.offline.batches import BatchSampler
    from rl_lab.runners.offline.learner import load_dataset, make_learner, read_params

    wanted: dict[str, Any] = {
        "net_arch": given["hidden"],
        "batch_size": given["batch"],
        "learning_rate": RATE,
        "precision": given["precision"],
    }
    if given["algorithm"] == "cql" and "n_actions" in given:
        wanted["n_actions"] = given["n_actions"]
    params = read_params(given["algorithm"], wanted)
    loaded = load_dataset(Path(given["folder"]), given["algorithm"], params)
    learner = make_learner(given["algorithm"], loaded.spaces, params, 0)
    sampler = BatchSampler(loaded, params.batch_size, 0, learner.noise)
    count = 0

    def update() -> None:
        nonlocal count
        learner.update(sampler.batch(count), False)
        count += 1

    return update


def corl(data: dict[str, Any], given: dict[str, Any]) -> Update:
    """The script of the user's checkout, with the classes it trains; only what updates do not call is replaced."""
    for name in ("gym", "d4rl", "wandb", "pyrallis"):
        module = types.ModuleType(name)
        vars(module).update(Env=object, wrap=lambda: lambda function: function)
        sys.modules[name] = module
    sys.path.insert(0, f"{given['checkout']}/algorithms/offline")
    script: Any = importlib.import_module(
        {"bc": "any_percent_bc"}.get(given["algorithm"], given["algorithm"])
    )
    size, actions = data["observations"].shape[1], data["actions"].shape[1]
    buffer = script.ReplayBuffer(size, actions, len(data["rewards"]), "cpu")
    buffer.load_d4rl_dataset(data)
    trainer = {"bc": corl_bc, "iql": corl_iql, "td3_bc": corl_td3_bc, "cql": corl_cql}[given["algorithm"]](
        script, size, actions, given
    )
    return lambda: trainer.train(buffer.sample(given["batch"]))


def corl_bc(script: Any, size: int, actions: int, given: dict[str, Any]) -> Any:
    actor = script.Actor(size, actions, 1.0)
    return script.BC(max_action=1.0, actor=actor, actor_optimizer=adam(actor))


def corl_iql(script: Any, size: int, actions: int, given: dict[str, Any]) -> Any:
    shape = {"hidden_dim": given["hidden"][0], "n_hidden": len(given["hidden"])}
    q_network, v_network = script.TwinQ(size, actions, **shape), script.ValueFunction(size, **shape)
    actor = script.GaussianPolicy(size, actions, 1.0, **shape)
    return script.ImplicitQLearning(
        max_action=1.0,
        actor=actor,
        actor_optimizer=adam(actor),
        q_network=q_network,
        q_optimizer=adam(q_network),
        v_network=v_network,
        v_optimizer=adam(v_network),
    )


def corl_td3_bc(script: Any, size: int, actions: int, given: dict[str, Any]) -> Any:
    actor = script.Actor(size, actions, 1.0)
    critics = [script.Critic(size, actions) for _ in range(2)]
    return script.TD3_BC(1.0, actor, adam(actor), critics[0], adam(critics[0]), critics[1], adam(critics[1]))


def corl_cql(script: Any, size: int, actions: int, given: dict[str, Any]) -> Any:
    critics = [script.FullyConnectedQFunction(size, actions) for _ in range(2)]
    actor = script.TanhGaussianPolicy(size, actions, 1.0)
    return script.ContinuousCQL(
        critics[0],
        adam(critics[0]),
        critics[1],
        adam(critics[1]),
        actor,
        adam(actor),
        target_entropy=-float(actions),
        bc_steps=0,
        cql_n_actions=given["n_actions"],
    )


def adam(module: Any) -> Any:
    import torch

    return torch.optim.Adam(module.parameters(), lr=RATE)


def d3rlpy(data: dict[str, Any], given: dict[str, Any]) -> Update:
    library: Any = importlib.import_module("d3rlpy")
    is_discrete = data["actions"].ndim == 1 or data["actions"].dtype.kind == "i"
    dataset = library.dataset.MDPDataset(
        observations=data["observations"],
        actions=data["actions"],
        rewards=data["rewards"],
        terminals=data["terminals"],
        timeouts=data["timeouts"],
        action_space=library.constants.ActionSpace.DISCRETE if is_discrete else None,
    )
    algorithm = d3rlpy_algorithm(library, given, is_discrete)
    algorithm.build_with_dataset(dataset)
    return lambda: algorithm.update(dataset.sample_transition_batch(given["batch"]))


def d3rlpy_algorithm(library: Any, given: dict[str, Any], is_discrete: bool) -> Any:
    encoder = library.models.encoders.VectorEncoderFactory(hidden_units=given["hidden"])
    names = {"bc": "BC", "iql": "IQL", "td3_bc": "TD3PlusBC", "cql": "CQL"}
    name = ("Discrete" if is_discrete else "") + names[given["algorithm"]]
    config: Any = getattr(library.algos, f"{name}Config")
    wanted = {field: encoder for field in config.__dataclass_fields__ if field.endswith("encoder_factory")}
    if "n_critics" in config.__dataclass_fields__:
        wanted["n_critics"] = 2
    if "n_action_samples" in config.__dataclass_fields__:
        wanted["n_action_samples"] = given["n_actions"]
    return config(batch_size=given["batch"], **wanted).create(device="cpu:0")


if __name__ == "__main__":
    main()
