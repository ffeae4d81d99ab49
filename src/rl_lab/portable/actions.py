"""Packs actions into bytes, so that a recorded episode is its seed and a few bytes per step.

A packing is plain data, stored with the recording:
`{"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}`, `{"kind": "box", "dtype": "<f4", "shape": [4]}`,
`{"kind": "multi_discrete" | "multi_binary", "dtype": …, "shape": […]}` (multi_discrete with its own `start`).
"""

from __future__ import annotations

from math import prod
from typing import Any

Packing = dict[str, Any]


def action_packing(space: Any) -> Packing | None:
    """The packing of a Gymnasium space, recognised by its class name; None when its actions cannot be packed."""
    kind = type(space).__name__
    if kind == "Discrete":
        return {
            "kind": "discrete",
            "dtype": _unsigned(int(space.n)),
            "start": int(space.start),
            "n": int(space.n),
        }
    if kind == "Box":
        return {"kind": "box", "dtype": _little(space.dtype), "shape": list(space.shape)}
    if kind == "MultiBinary":
        return {"kind": "multi_binary", "dtype": "u1", "shape": list(space.shape)}
    if kind == "MultiDiscrete":
        start = [int(s) for s in space.start.flatten()]
        dtype = _unsigned(int(space.nvec.max()))
        return {"kind": "multi_discrete", "dtype": dtype, "shape": list(space.shape), "start": start}
    return None


def bytes_per_step(packing: Packing | None) -> int:
    if packing is None:
        return 0
    return int(packing["dtype"][-1]) * prod(packing.get("shape", ()))


def pack(packing: Packing, action: Any) -> bytes:
    """One action as bytes."""
    import numpy as np

    values = np.asarray(action)
    if "start" in packing:
        values = values - np.reshape(packing["start"], packing.get("shape", ()))
    return values.astype(packing["dtype"]).tobytes()


def unpack(packing: Packing, data: bytes) -> list[Any]:
    """All actions in `data`, each as the environment's `step` takes it."""
    import numpy as np

    values = np.frombuffer(data, packing["dtype"])
    if packing["kind"] == "discrete":
        return [np.int64(v) for v in values.astype(np.int64) + packing["start"]]
    rows = values.reshape(-1, *packing["shape"])
    if packing["kind"] == "multi_discrete":
        rows = rows.astype(np.int64) + np.reshape(packing["start"], packing["shape"])
    elif packing["kind"] == "multi_binary":
        rows = rows.astype(np.int8)
    return list(rows)


def _unsigned(n: int) -> str:
    return "u1" if n <= 1 << 8 else "<u2" if n <= 1 << 16 else "<u4"


def _little(dtype: Any) -> str:
    text = dtype.newbyteorder("<").str
    return str(text[1:] if text[0] == "|" else text)
