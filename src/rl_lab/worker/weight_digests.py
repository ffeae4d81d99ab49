"""The hash of the weights in a checkpoint: of the tensors only, because archives also contain dates and scores."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any


def weights_digest(path: Path) -> str | None:
    """None for a format whose weights cannot be told from the rest."""
    if path.suffix == ".safetensors":
        return _of_safetensors(path)
    if path.suffix == ".zip" and "torch" in sys.modules:
        return _of_policy(path)
    return None


def _of_safetensors(path: Path) -> str:
    """The names, types and bytes of all tensors, without the metadata."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), memoryview(data)[8 + size :]
    found = hashlib.sha256()
    for name in sorted(header):
        if name != "__metadata__":
            tensor = header[name]
            start, stop = tensor["data_offsets"]
            found.update(f"{name} {tensor['dtype']} {tensor['shape']}\n".encode())
            found.update(body[start:stop])
    return found.hexdigest()


def _of_policy(path: Path) -> str | None:
    """The policy in a checkpoint of Stable-Baselines3."""
    import torch

    with zipfile.ZipFile(path) as archive:
        if "policy.pth" not in archive.namelist():
            return None
        content = io.BytesIO(archive.read("policy.pth"))
    weights: dict[str, Any] = torch.load(content, map_location="cpu", weights_only=True)
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(f"{name}\n".encode() + weights[name].contiguous().numpy().tobytes())
    return found.hexdigest()
