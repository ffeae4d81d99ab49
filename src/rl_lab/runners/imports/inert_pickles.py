"""Reads a pickle of VecNormalize without executing anything it names.

Classes and functions in it become empty stand-ins; only arrays and plain containers are made. A pickle that names
anything but the parts of numpy, Gymnasium and Stable-Baselines3 is refused.
"""

from __future__ import annotations

import collections
import io
import pickle
from typing import Any

import numpy as np

from rl_lab.runners.imports.refusals import refused

KNOWN = ("numpy", "gym", "gymnasium", "stable_baselines3", "collections", "copyreg")
"""Packages whose classes a VecNormalize may hold; they are not imported."""
SCALARS = (
    "int",
    "float",
    "complex",
    "bool",
    "str",
    "bytes",
    "list",
    "dict",
    "tuple",
    "set",
    "object",
    "slice",
)


class InertObject:
    """Any object of a pickle; keeps its state only."""

    def __new__(cls, *_given: Any, **_named: Any) -> InertObject:
        return super().__new__(cls)

    def __init__(self, *_given: Any, **_named: Any) -> None:
        self.state: dict[str, Any] = {}

    def __setstate__(self, state: Any) -> None:
        self.state = state if isinstance(state, dict) else {}

    def __call__(self, *_given: Any, **_named: Any) -> InertObject:
        return InertObject()


class _InertUnpickler(pickle.Unpickler):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.names: set[tuple[str, str]] = set()

    def find_class(self, module: str, name: str) -> Any:
        """Never the object that is named, except the three of numpy that make arrays from bytes."""
        self.names.add((module, name))
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "_reconstruct":
            return _empty_array
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "scalar":
            return _scalar
        if (module, name) == ("numpy", "ndarray"):
            return np.ndarray
        if (module, name) == ("numpy", "dtype"):
            return _dtype
        if (module, name) in (("collections", "OrderedDict"), ("collections", "deque")):
            return collections.OrderedDict if name == "OrderedDict" else collections.deque
        is_known = module.partition(".")[0] in KNOWN or (module == "builtins" and name in SCALARS)
        if not is_known:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which no model needs")
        return type(name, (InertObject,), {"__module__": "pickled"})

    def persistent_load(self, _pid: Any) -> Any:
        raise pickle.UnpicklingError("it refers to objects outside the file")


def read_pickle(data: bytes, name: str) -> tuple[InertObject, set[tuple[str, str]]]:
    """The object of a pickle as a stand-in, and the names of all classes in it."""
    reader = _InertUnpickler(data)
    try:
        found = reader.load()
    except RecursionError:
        raise refused(f"“{name}” is nested too deeply.") from None
    except MemoryError:
        raise refused(f"“{name}” asks for more memory than a model has.") from None
    except Exception as error:  # a damaged pickle fails in any way
        raise refused(f"“{name}” is not read: {str(error) or type(error).__name__}.") from None
    if not isinstance(found, InertObject):
        raise refused(f"“{name}” does not hold an object of Stable-Baselines3.")
    return found, reader.names


def _dtype(kind: Any, *_flags: Any) -> Any:
    made = np.dtype(kind if isinstance(kind, str) else "V1")
    if made.hasobject:
        raise pickle.UnpicklingError("it holds an array of objects")
    return made


def _empty_array(_cls: Any, _shape: Any, _kind: Any) -> Any:
    return np.ndarray((0,), "b")


def _scalar(dtype: Any, data: Any = b"") -> Any:
    raw = data.encode("latin1") if isinstance(data, str) else bytes(data)
    return np.frombuffer(raw, dtype, 1)[0].item()
