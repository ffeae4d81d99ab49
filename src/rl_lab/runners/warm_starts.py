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


def network_of(parent: TrainConfig, spec: RunnerSpec, algorithm: AlgorithmSpec) -> dict[str, Any]:
    """The network parameters that a run of this algorithm needs for the weights of `parent`.

    InvalidInput when the weights do not fit the algorithm at all.
    """
    source = spec_of(parent)
    known = next((one for one in source.algorithms if one.id == parent.algorithm), None) if source else None
    if source is None or known is None or not known.network:
        raise InvalidInput.of_field(
            START, f"The weights of a run of {source.name if source else parent.runner} cannot be taken over."
        )
    if not algorithm.network:
        raise InvalidInput.of_field("runner", f"{spec.name} cannot start with the weights of another run.")
    if source.id == spec.id:
        if known.network != algorithm.network:
            raise _other_algorithm(f"{known.name}", f"{algorithm.name}", parent)
        return {name: parent.params[name] for name in known.network_params if name in parent.params}
    if (source.id, spec.id) == ("turbo", "sb3") and known.id == algorithm.id and known.id in TURBO_TO_SB3:
        return _sb3_network(parent)
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


def _other_algorithm(source: str, wanted: str, parent: TrainConfig) -> InvalidInput:
    return InvalidInput.of_field(
        "algorithm",
        f"{wanted} cannot start with the weights of {source}: their networks are different.",
        [parent.algorithm],
    )
