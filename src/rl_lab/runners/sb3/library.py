"""Loads Stable-Baselines3 without the parts of it and of torch that take long and that the lab does not use."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from typing import Any

UNUSED = ("torch.utils.tensorboard", "cv2")
"""Optional for SB3, which imports them always: its TensorBoard logger and its own Atari wrappers."""


def load_library() -> None:
    """Call before anything that imports Stable-Baselines3; saves about two seconds of processor time."""
    with _hidden(*UNUSED):
        importlib.import_module("stable_baselines3")
    _create_optimizers_without_compiler()


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


def _create_optimizers_without_compiler() -> None:
    """Torch loads its compiler (800 modules) with the first optimizer, only to exclude these methods from it.

    We compile nothing. The attribute is the one in which `torch._compile` keeps the excluded method.
    """
    from torch.optim import Optimizer

    for method in (Optimizer.add_param_group, Optimizer.zero_grad):
        plain = getattr(method, "__wrapped__", None)
        if plain is not None and not hasattr(plain, "__dynamo_disable"):
            plain.__dynamo_disable = plain
