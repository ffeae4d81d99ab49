"""Which runs can start with the weights of which others, and the network parameters that they then must have."""

from __future__ import annotations

from typing import Any

from rl_lab.core.errors import FieldError, InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, RunnerSpec
from rl_lab.runners.registry import spec_of

START = "start_from"
TURBO_TO_SB3 = frozenset({"ppo", "dqn"})
"""Algorithms whose turbo networks can be written as those of SB3 (`runners/turbo/export.py`)."""

ACTOR_CRITICS = ("sb3/ppo", "sb3/a2c")
AFTER_OFFLINE: dict[tuple[str, str], tuple[str, ...]] = {
    ("bc", "discrete"): (*ACTOR_CRITICS, "turbo/ppo"),
    ("bc", "continuous"): ("sb3/sac", "sb3/td3", *ACTOR_CRITICS),
    ("iql", "discrete"): (*ACTOR_CRITICS, "turbo/ppo"),
    ("iql", "continuous"): ("sb3/sac", "sb3/td3", *ACTOR_CRITICS),
    ("cql", "discrete"): ("sb3/dqn", "turbo/dqn"),
    ("cql", "continuous"): ("sb3/sac", *ACTOR_CRITICS),
    ("td3_bc", "continuous"): ("sb3/td3",),
}
"""Online learners that can begin with the policy of an offline one, by its algorithm and actions: they choose the same
actions (`runners/sb3/offline_weights.py`, `runners/turbo/warm_start.py`). The usual one first."""
TURBO_WIDTHS = range(4, 1025)


def followers_of(algorithm: AlgorithmSpec) -> dict[str, list[str]]:
    """The online learners that can begin with the policy of an offline algorithm, by the kind of actions."""
    return {
        kind: list(able)
        for (known, kind), able in AFTER_OFFLINE.items()
        if known == algorithm.id and kind in algorithm.action_kinds
    }


def network_of(
    parent: TrainConfig, spec: RunnerSpec, algorithm: AlgorithmSpec, actions: str = ""
) -> dict[str, Any]:
    """The network parameters that a run of this algorithm needs for the weights of `parent`.

    `actions`: their kind, which decides what can follow a training from a dataset. InvalidInput when the weights do
    not fit the algorithm at all.
    """
    source = spec_of(parent)
    known = next((one for one in source.algorithms if one.id == parent.algorithm), None) if source else None
    if source is None or known is None or not known.network:
        raise InvalidInput.of_field(
            START, f"The weights of a run of {source.name if source else parent.runner} cannot be taken over."
        )
    if not algorithm.network:
        raise InvalidInput.of_field("runner", f"{spec.name} cannot start with the weights of another run.")
    if spec.capabilities.dataset:
        raise InvalidInput.of_field(
            START,
            f"{spec.name} learns from the beginning. Give its run a later end, or go on in the environment.",
        )
    if source.id == spec.id:
        if known.network != algorithm.network:
            raise _other_algorithm(f"{known.name}", f"{algorithm.name}", parent)
        return {name: parent.params[name] for name in known.network_params if name in parent.params}
    if (source.id, spec.id) == ("turbo", "sb3") and known.id == algorithm.id and known.id in TURBO_TO_SB3:
        return _sb3_network(parent)
    if source.capabilities.dataset:
        _require_follower(known, spec, algorithm, actions)
        return (
            _turbo_after_offline(parent, algorithm)
            if spec.id == "turbo"
            else _after_offline(parent, algorithm, actions)
        )
    raise _other_algorithm(f"{source.name} ({known.id})", f"{spec.name} ({algorithm.id})", parent)


def require_network(given: dict[str, Any], network: dict[str, Any], run_name: str) -> None:
    """InvalidInput with both values for each parameter that makes another network than that of the weights."""
    errors = [
        FieldError(
            field=f"params.{name}",
            message=f"The weights of “{run_name}” have {name} = {value}, not {given[name]}. Leave it out, or start "
            "without them.",
            allowed=[value],
        )
        for name, value in network.items()
        if name in given and given[name] != value
    ]
    if errors:
        raise InvalidInput.of_fields(errors)


def _sb3_network(parent: TrainConfig) -> dict[str, Any]:
    """The exported network has its observation scaling in the first layer."""
    width = parent.params["hidden"]
    return {
        "net_arch": [width, width],
        "activation": parent.params["activation"],
        "normalize_observations": False,
    }


def _require_follower(known: AlgorithmSpec, spec: RunnerSpec, algorithm: AlgorithmSpec, actions: str) -> None:
    able = AFTER_OFFLINE.get((known.id, actions), ())
    if f"{spec.id}/{algorithm.id}" in able:
        return
    named = f"{known.name} for {actions} actions" if actions else known.name
    rest = f"These can: {', '.join(able)}." if able else "Start without them."
    raise InvalidInput.of_field(
        "algorithm",
        f"{algorithm.name} ({spec.id}) cannot start with the weights of {named}: their networks are different. {rest}",
        list(able),
    )


def _after_offline(parent: TrainConfig, algorithm: AlgorithmSpec, actions: str) -> dict[str, Any]:
    """The offline checkpoint has its observation scaling in the first layer, and squashes continuous actions."""
    network = {
        "net_arch": parent.params["net_arch"],
        "activation": "relu",
        "normalize_observations": False,
    }
    if actions == "discrete":
        return network
    if "squash_output" in algorithm.network_params:
        return {**network, "use_sde": True, "squash_output": True}
    has_critics = "n_critics" in parent.params
    return {**network, "n_critics": parent.params["n_critics"]} if has_critics else network


def _turbo_after_offline(parent: TrainConfig, algorithm: AlgorithmSpec) -> dict[str, Any]:
    """Turbo's networks have two hidden layers of one width."""
    widths = parent.params["net_arch"]
    if len(widths) != 2 or widths[0] != widths[1] or widths[0] not in TURBO_WIDTHS:
        raise InvalidInput.of_field(
            "runner",
            f"Turbo has two hidden layers of the same width; the weights have net_arch = {widths}. Choose the runner "
            "sb3.",
            ["sb3"],
        )
    network = {"hidden": widths[0], "activation": "relu", "normalize_observations": False}
    return {name: value for name, value in network.items() if name in algorithm.network_params}


def _other_algorithm(source: str, wanted: str, parent: TrainConfig) -> InvalidInput:
    return InvalidInput.of_field(
        "algorithm",
        f"{wanted} cannot start with the weights of {source}: their networks are different.",
        [parent.algorithm],
    )
