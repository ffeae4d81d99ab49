"""The hash of the weights in a checkpoint: of the tensors only, because archives also contain dates and scores."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from rl_lab.worker.repeating.checkpoint_tensors import read_tensors

POLICY = "policy."


def weights_digest(path: Path) -> str | None:
    """None for a format whose weights cannot be told from the rest."""
    if path.suffix == ".zip" and "torch" not in sys.modules:
        return None
    tensors = read_tensors(path)
    if path.suffix == ".zip" and tensors is not None:
        tensors = {name: tensor for name, tensor in tensors.items() if name.startswith(POLICY)}
    if not tensors:
        return None
    found = hashlib.sha256()
    for name in sorted(tensors):
        dtype, shape, data = tensors[name]
        found.update(f"{name} {dtype} {list(shape)}\n".encode())
        found.update(data)
    return found.hexdigest()
