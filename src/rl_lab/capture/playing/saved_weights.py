"""The weights in a file of torch, by the names of the networks that have them; nothing in the file is executed."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any


class NoWeights(Exception):
    """Why a file holds no weights that can be used, as a sentence."""


def read_weights(path: str) -> dict[str, Mapping[str, Any]]:
    """Of a checkpoint of the lab, of a `state_dict()`, and of a dict that holds some."""
    import torch

    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        raise NoWeights(
            "the file holds whole Python objects, such as torch.save(network) writes, which would run code when it is "
            "loaded; save network.state_dict() instead"
        ) from None
    except (RuntimeError, OSError, EOFError) as error:
        raise NoWeights(f"the file cannot be read: {error}") from None
    found = _find(saved.get("modules", saved)) if isinstance(saved, Mapping) else {}
    if not found:
        raise NoWeights("the file holds no weights of a network")
    return found


def _find(saved: Any) -> dict[str, Mapping[str, Any]]:
    if _is_weights(saved):
        return {"network": saved}
    if not isinstance(saved, Mapping):
        return {}
    return {str(name): value for name, value in saved.items() if _is_weights(value)}


def _is_weights(value: Any) -> bool:
    import torch

    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(one, torch.Tensor) for one in value.values())
    )
