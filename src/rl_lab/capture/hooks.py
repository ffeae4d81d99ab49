"""Taps libraries when, and only when, the script imports them.

A table maps each module to the function that taps it; no library is imported for the script. A finder in front of
Python's own lets the others find the module, and taps it right after its code has run.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

HERE = "rl_lab.capture."
TAPS = {
    "gymnasium": "taps.gymnasium_tap:install",
    "argparse": "arguments:tap_argparse",
    "tyro": "arguments:tap_tyro",
    "torch.utils.tensorboard.writer": "taps.writers:tap_writer",
    "tensorboardX.writer": "taps.writers:tap_writer",
    "tensorboard.plugins.scalar.summary_v2": "taps.writers:tap_summary",
    "stable_baselines3.common.logger": "taps.sb3:tap_logger",
    "stable_baselines3.common.base_class": "taps.sb3:tap_learning",
    "stable_baselines3.common.env_util": "taps.sb3_vectors:tap_making",
    "stable_baselines3.common.vec_env.dummy_vec_env": "taps.sb3_vectors:tap_dummy",
    "stable_baselines3.common.vec_env.subproc_vec_env": "taps.sb3_vectors:tap_subproc",
    "torch.optim.optimizer": "taps.optimizers:tap_optimizers",
    "wandb": "taps.wandb_tap:tap_wandb",
    "multiprocessing.spawn": "taps.children:tap_spawn",
    "multiprocessing.popen_forkserver": "taps.children:tap_forkserver",
    "multiprocessing.resource_sharer": "taps.descriptors:tap_sharer",
    "envpool": "taps.not_captured:tap_envpool",
    "jax": "taps.not_captured:note_jax",
    "gym": "taps.not_captured:note_gym",
    "pettingzoo.utils.env": "taps.not_captured:tap_pettingzoo",
    "gymnax": "taps.not_captured:tap_makers",
    "brax.envs": "taps.not_captured:tap_makers",
    "jumanji": "taps.not_captured:tap_makers",
    "craftax.craftax_env": "taps.not_captured:tap_makers",
    "procgen": "taps.not_captured:note_module",
    "gym3": "taps.not_captured:note_module",
    "isaacgym": "taps.not_captured:note_module",
    "isaaclab": "taps.not_captured:note_module",
    "dm_control": "taps.not_captured:note_module",
    "ray": "taps.not_captured:note_module",
}
"""Module → "file:function" in this package; the function gets the module and the session."""


def install_hooks(session: CaptureSession) -> None:
    if session.params.get("wandb", "stand-in") == "stand-in":
        from rl_lab.capture.wandb_standin.module import StandInFinder

        sys.meta_path.insert(0, StandInFinder(session))
    if session.dataset_run is not None:
        from rl_lab.capture.d4rl_standin.modules import install_stand_ins

        install_stand_ins(session, session.dataset_run)
    sys.meta_path.insert(0, TapFinder(session))
    for name in TAPS:
        module = sys.modules.get(name)
        if module is not None:
            put_tap(name, module, session)


class TapFinder:
    """First on sys.meta_path; handles only the modules of the table, with the spec that the other finders return."""

    def __init__(self, session: CaptureSession) -> None:
        self._session = session

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in TAPS or not self._session.is_main_process:
            return None
        spec = self._find_elsewhere(name, path, target)
        if spec is not None and spec.loader is not None:
            _tap_after(spec, self._session)
        return spec

    def _find_elsewhere(self, name: str, path: Any, target: Any) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                return spec
        return None


def put_tap(name: str, module: ModuleType, session: CaptureSession) -> None:
    """An error in a tap is logged and never reaches the script."""
    file, _, function = TAPS[name].partition(":")
    try:
        getattr(importlib.import_module(HERE + file), function)(module, session)
    except Exception as error:
        import traceback

        traceback.print_exc()
        session.not_captured(f"{name} cannot be captured: {type(error).__name__}: {error}")


def _tap_after(spec: ModuleSpec, session: CaptureSession) -> None:
    """The loader stays the same object, so that reading sources or data through it works as before."""
    loader: Any = spec.loader
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        put_tap(spec.name, module, session)

    try:
        loader.exec_module = exec_module
    except AttributeError:
        session.not_captured(f"{spec.name} cannot be captured: its loader cannot be changed.")
