"""Loads Stable-Baselines3 without the parts of it and of torch that take long and that the lab does not use."""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

UNUSED = ("torch.utils.tensorboard", "cv2")
"""Optional for SB3, which imports them always: its TensorBoard logger and its own Atari wrappers."""


def load_library() -> None:
    """Call before anything that imports Stable-Baselines3; saves about two seconds of processor time."""
    with _hidden(*UNUSED):
        importlib.import_module("stable_baselines3")
    _optimize_without_compiler()


@contextlib.contextmanager
def _hidden(*names: str) -> Iterator[None]:
    """Imports of these modules raise ImportError meanwhile, unless they are loaded already."""
    hidden = [name for name in names if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        for name in hidden:
            del modules[name]


def _optimize_without_compiler() -> None:
    """Torch loads its compiler (800 modules) with the first optimizer, only to exclude these methods from it.

    We compile nothing. The attribute is the one in which `torch._compile` keeps the excluded method.
    """
    from torch.optim import Adam, Optimizer, RMSprop

    for name in ("add_param_group", "load_state_dict", "state_dict", "zero_grad"):
        plain = getattr(getattr(Optimizer, name), "__wrapped__", None)
        if plain is not None and not hasattr(plain, "__dynamo_disable"):
            plain.__dynamo_disable = plain
    # Torch changes `step` of a class with its first optimizer; one that was changed is left as it is.
    for kind in (Adam, RMSprop):
        if hasattr(kind.step, "__wrapped__") and not hasattr(kind.step, "hooked"):
            kind.step = _without_graph_breaks(kind.step.__wrapped__)


def _without_graph_breaks(step: Callable[..., Any]) -> Callable[..., Any]:
    """What torch puts around `step`, without the marks for its compiler."""
    import torch

    @functools.wraps(step)
    def run(optimizer: Any, *given: Any, **named: Any) -> Any:
        with torch.set_grad_enabled(optimizer.defaults["differentiable"]):
            return step(optimizer, *given, **named)

    return run
