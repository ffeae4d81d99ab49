"""Finds the torch modules and optimisers of a script, under the names its own code gives them.

Searches the script's globals, the variables of its running functions, and one level inside the objects, dicts and
lists they hold. The newest result is kept for the end of the script, when its functions have returned.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

MAX_INSIDE = 64
"""Entries searched in one object, dict or list."""
SKIPPED_TYPES = (str, bytes, int, float, bool, type(None), type, ModuleType, FunctionType)


class FoundModels(NamedTuple):
    modules: dict[str, Any]
    optimizers: dict[str, Any]

    def __bool__(self) -> bool:
        return bool(self.modules or self.optimizers)


def keep_models(session: CaptureSession) -> FoundModels:
    """The current models; those of the last search when there are none now."""
    found = find_models(session)
    if found:
        session.models = found
    kept: FoundModels = session.models or found
    return kept


def find_models(session: CaptureSession, frames: Sequence[FrameType] = ()) -> FoundModels:
    nn, optim = _torch_classes()
    if nn is None:
        return FoundModels({}, {})
    modules: dict[str, Any] = {}
    optimizers: dict[str, Any] = {}
    seen: set[int] = set()
    for name, value in _candidates(session, frames):
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, nn):
            modules.setdefault(name, value)
        elif isinstance(value, optim):
            optimizers.setdefault(name, value)
    return FoundModels(_outermost(modules), optimizers)


def _torch_classes() -> tuple[Any, Any]:
    """None while torch is not, or not completely, imported."""
    torch = sys.modules.get("torch")
    module = getattr(getattr(torch, "nn", None), "Module", None)
    optimizer = getattr(getattr(torch, "optim", None), "Optimizer", None)
    return (module, optimizer) if module is not None and optimizer is not None else (None, None)


def _candidates(session: CaptureSession, frames: Sequence[FrameType]) -> Iterator[tuple[str, Any]]:
    """Names and values: variables first, then their contents, so that the shortest name is used."""
    named = [pair for scope in _scopes(session, frames) for pair in list(scope.items()) if _is_own(*pair)]
    yield from named
    for name, value in named:
        yield from _inside(name, value)


def _is_own(name: str, value: Any) -> bool:
    return not name.startswith("__") and not isinstance(value, SKIPPED_TYPES)


def _scopes(session: CaptureSession, frames: Sequence[FrameType]) -> Iterator[Mapping[str, Any]]:
    """Variables of the given frames, of this thread's and the main thread's, and the script's globals."""
    for frame in (*frames, *_running_frames()):
        if is_own_frame(frame, session.script_folder):
            yield frame.f_locals
    yield vars(sys.modules["__main__"])


def _running_frames() -> Iterator[FrameType]:
    tops = sys._current_frames()
    for ident in dict.fromkeys((threading.get_ident(), threading.main_thread().ident)):
        frame = tops.get(ident) if ident is not None else None
        while frame is not None:
            yield frame
            frame = frame.f_back


def is_own_frame(frame: FrameType, folder: str) -> bool:
    """Code of the script itself or of modules in its folder."""
    if frame.f_globals.get("__name__") == "__main__":
        return True
    file = frame.f_code.co_filename
    return bool(folder) and file.startswith(folder + os.sep) and "site-packages" not in file


def _inside(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    try:
        if isinstance(value, dict):
            entries = [(f"{name}.{key}", entry) for key, entry in list(value.items())[:MAX_INSIDE]]
        elif isinstance(value, (list, tuple)):
            entries = [(f"{name}.{i}", entry) for i, entry in enumerate(value[:MAX_INSIDE])]
        else:
            attributes = getattr(value, "__dict__", None)
            if type(attributes) is not dict:
                return
            entries = [(f"{name}.{key}", entry) for key, entry in list(attributes.items())[:MAX_INSIDE]]
    except Exception:
        return  # an object of the script may raise anything when its contents are read
    for label, entry in entries:
        if not isinstance(entry, SKIPPED_TYPES):
            yield label, entry
            if type(entry).__module__.startswith("torch.") or not hasattr(entry, "parameters"):
                continue
            # A policy with its own optimiser, as in Stable-Baselines3.
            optimizer = vars(entry).get("optimizer") if hasattr(entry, "__dict__") else None
            if optimizer is not None:
                yield f"{label}.optimizer", optimizer


def _outermost(modules: dict[str, Any]) -> dict[str, Any]:
    """Without modules that are parts of others, and without those that have no weights."""
    inner = {id(part) for module in modules.values() for part in module.modules() if part is not module}
    return {name: m for name, m in modules.items() if id(m) not in inner and m.state_dict()}
