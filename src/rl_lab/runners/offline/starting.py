"""The networks of an offline checkpoint, for other learners that begin with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.offline.checkpoints import Layers, layers_of, read_checkpoint

Networks = dict[str, Any]


def find_networks(checkpoint: Path) -> Networks | None:
    """By the names that `checkpoints` gives them; None for a file of another kind."""
    try:
        return read_checkpoint(checkpoint, only_networks=True)[1]
    except InvalidInput:
        return None


def require_layers(networks: Networks, name: str) -> Layers:
    layers = layers_of(networks, name)
    if not layers:
        raise InvalidInput.of_field(
            "start_from", f"The checkpoint has no network “{name}”, which this algorithm starts with."
        )
    return layers
