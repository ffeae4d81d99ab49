"""The tensors in a checkpoint by name: weights, optimizer, normalisers. Archives also contain dates and scores."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAB_STATE = "rl_lab_state.npz"
TORCH_TYPES = (".pth", ".pt")
NOT_TENSORS = frozenset({"notes"})
"""Text in the lab's part of an SB3 checkpoint, e.g. the best score so far."""


class StoredTensor(NamedTuple):
    dtype: str
    shape: tuple[int, ...]
    data: bytes


def read_tensors(path: Path) -> dict[str, StoredTensor] | None:
    """None for a format whose tensors cannot be told from the rest."""
    if path.suffix == ".safetensors":
        return _of_safetensors(path)
    if path.suffix == ".zip":
        return dict(_of_archive(path))
    return None


def first_difference(
    before: Mapping[str, StoredTensor], now: Mapping[str, StoredTensor]
) -> tuple[str, Any, Any] | None:
    """The first name, in the order of the names, whose values differ, with its place and both values."""
    for name in sorted({*before, *now}):
        if name not in before or name not in now:
            return (
                name,
                "missing" if name not in before else "present",
                "missing" if name not in now else "present",
            )
        one, other = before[name], now[name]
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return name, f"{one.dtype} {list(one.shape)}", f"{other.dtype} {list(other.shape)}"
        if one.data != other.data:
            return _first_value(name, one, other)
    return None


def _first_value(name: str, one: StoredTensor, other: StoredTensor) -> tuple[str, Any, Any]:
    size = len(one.data) // max(1, _count(one.shape))
    at = next(i for i, (a, b) in enumerate(zip(one.data, other.data, strict=True)) if a != b) // size
    first, second = (_value(tensor, at, size) for tensor in (one, other))
    return f"{name}{_index(at, one.shape)}", first, second


def _value(tensor: StoredTensor, at: int, size: int) -> float | str:
    """As a number where numpy knows the type, else its bytes."""
    import numpy as np

    piece = tensor.data[at * size : (at + 1) * size]
    try:
        return float(np.frombuffer(piece, tensor.dtype)[0])
    except (TypeError, ValueError):
        return piece.hex()


def _index(at: int, shape: tuple[int, ...]) -> str:
    places: list[int] = []
    for length in reversed(shape):
        at, place = divmod(at, length)
        places.insert(0, place)
    return f"[{', '.join(map(str, places))}]" if places else ""


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for length in shape:
        count *= length
    return count


_NUMPY_NAMES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U64": "uint64",
    "U32": "uint32",
    "U16": "uint16",
    "U8": "uint8",
    "BOOL": "bool",
}


def _of_safetensors(path: Path) -> dict[str, StoredTensor]:
    """Read without the library: a length, a JSON header, then the bytes."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    found = {}
    for name in sorted(header.keys() - {"__metadata__"}):
        tensor = header[name]
        start, stop = tensor["data_offsets"]
        dtype = _NUMPY_NAMES.get(tensor["dtype"], tensor["dtype"])
        found[name] = StoredTensor(dtype, tuple(tensor["shape"]), body[start:stop])
    return found


def _of_archive(path: Path) -> Iterator[tuple[str, StoredTensor]]:
    """Policy, optimizers and variables of Stable-Baselines3, and the lab's own arrays; nothing is unpickled freely."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(TORCH_TYPES):
                yield from _of_torch(name.rpartition(".")[0], archive.read(name))
            elif name == LAB_STATE:
                yield from _of_arrays(archive.read(name))


def _of_torch(name: str, data: bytes) -> Iterator[tuple[str, StoredTensor]]:
    import torch

    loaded = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    for path, value in _leaves(name, loaded):
        if isinstance(value, torch.Tensor):
            yield path, _from_array(value.detach().contiguous().numpy())


def _of_arrays(data: bytes) -> Iterator[tuple[str, StoredTensor]]:
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        for name in arrays.files:
            if name not in NOT_TENSORS:
                yield f"lab.{name}", _from_array(arrays[name])


def _from_array(array: NDArray[Any]) -> StoredTensor:
    return StoredTensor(str(array.dtype), array.shape, array.tobytes())


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Optimizers keep dictionaries and lists of tensors."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _leaves(f"{path}.{key}", entry)
    elif isinstance(value, (list, tuple)):
        for place, entry in enumerate(value):
            yield from _leaves(f"{path}.{place}", entry)
    else:
        yield path, value
