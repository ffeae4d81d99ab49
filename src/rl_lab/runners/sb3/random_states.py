"""The random generators that SB3 draws from, as plain data: those of torch, numpy, Python and the action space.

The noise that a policy has drawn and still uses belongs to them: gSDE's matrices, the last value of a noise process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

MATRICES = ("exploration_mat", "exploration_matrices")
"""Of the distribution of a policy that explores with gSDE."""

State = dict[str, Any]


def random_state(model: Any) -> State:
    name, keys, *rest = np.random.get_state()
    state: State = {
        "torch": torch.get_rng_state().numpy(),
        "numpy_keys": np.asarray(keys),
        "numpy_position": [name, *rest],
        "python": random.getstate(),
        "action_space": model.action_space.np_random.bit_generator.state,
        "noise": dict(_noise_processes(model)),
        "gsde": {name: matrix.detach().cpu().numpy() for _, name, matrix in _matrices(model)},
    }
    if model.device.type == "cuda":
        state["cuda"] = torch.cuda.get_rng_state(model.device).numpy()
    return state


def restore_random_state(model: Any, state: State) -> None:
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    if "cuda" in state and model.device.type == "cuda":
        torch.cuda.set_rng_state(torch.from_numpy(state["cuda"]), model.device)
    name, *rest = state["numpy_position"]
    np.random.set_state((name, state["numpy_keys"], *rest))
    version, internal, following = state["python"]
    random.setstate((version, tuple(internal), following))
    model.action_space.np_random.bit_generator.state = state["action_space"]
    for number, process in enumerate(_processes(model)):
        if str(number) in state.get("noise", {}):
            process.noise_prev = state["noise"][str(number)].copy()
    for distribution, name, _ in _matrices(model):
        if name in state.get("gsde", {}):
            setattr(distribution, name, torch.from_numpy(state["gsde"][name]).to(model.device))


def _noise_processes(model: Any) -> Iterator[tuple[str, Any]]:
    for number, process in enumerate(_processes(model)):
        yield str(number), np.asarray(process.noise_prev)


def _processes(model: Any) -> list[Any]:
    """Noise that depends on its last value (Ornstein-Uhlenbeck), one per environment."""
    noise = getattr(model, "action_noise", None)
    every = getattr(noise, "noises", [noise])
    return [one for one in every if hasattr(one, "noise_prev")]


def _matrices(model: Any) -> Iterator[tuple[Any, str, Any]]:
    if getattr(model, "use_sde", False):
        actor = getattr(model, "actor", None) or model.policy
        for name in MATRICES:
            yield actor.action_dist, name, getattr(actor.action_dist, name)
