"""Scripts written for Gymnasium 0.29 on Gymnasium 1.x: vector environments and wrappers behave as they did there.

An episode's end and the next reset are one step again, `final_info` is an array of dicts, `final_observation`
exists, and removed or changed wrappers have their old names and results. Nothing is patched for other scripts, nor on
0.29 itself. Removed versions of environments stay removed: Gymnasium itself reports that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

OLD = re.compile(
    r"final_info|final_observation|GrayScaleObservation|\bFrameStack\b|AutoResetWrapper|VectorListInfo|"
    r"wrappers\.(?:monitoring|record_episode_statistics|normalize|frame_stack|gray_scale_observation)"
)
"""Occurs only in scripts for 0.29."""
NEW = re.compile(r"autoreset_mode|AutoresetMode|\bfinal_obs\b|FrameStackObservation")
"""Occurs only in scripts for 1.x."""
OLD_MODULES = {
    "record_episode_statistics": ("RecordEpisodeStatistics",),
    "normalize": ("NormalizeObservation", "NormalizeReward", "RunningMeanStd"),
    "frame_stack": ("FrameStack",),
    "gray_scale_observation": ("GrayScaleObservation",),
    "resize_observation": ("ResizeObservation",),
    "record_video": ("RecordVideo",),
    "clip_action": ("ClipAction",),
    "time_limit": ("TimeLimit",),
    "autoreset": ("AutoResetWrapper",),
}
"""Modules of `gymnasium.wrappers` that have moved since."""


def install_if_wanted(gymnasium: Any, session: Any) -> bool:
    """Follows the param `gymnasium_029` ("auto", "on", "off"); auto searches the text of the script."""
    choice = str((session.job.get("config") or {}).get("params", {}).get("gymnasium_029", "auto"))
    if choice == "off" or gymnasium.__version__.startswith("0.") or (choice != "on" and not is_old_script()):
        return False
    if not hasattr(gymnasium.vector, "AutoresetMode"):
        session.not_captured(
            f"The script is written for Gymnasium 0.29. With {gymnasium.__version__} its vector environments cannot "
            "behave as in 0.29: install gymnasium 1.1 or later, or 0.29.1."
        )
        return False
    install(gymnasium)
    session.telemetry.log(
        "info",
        f"The script is written for Gymnasium 0.29: its vector environments and wrappers behave as in 0.29, although "
        f"{gymnasium.__version__} is installed.",
        "gymnasium_029",
    )
    return True


def is_old_script() -> bool:
    """Whether the script, or the file that imports gymnasium now, is written for 0.29."""
    for path in _files():
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        if OLD.search(text) and not NEW.search(text):
            return True
    return False


def install(gymnasium: Any) -> None:
    from rl_lab.capture.gymnasium_029 import vectors as vectors_029
    from rl_lab.capture.gymnasium_029 import wrappers as wrappers_029

    vector, wrappers = gymnasium.vector, gymnasium.wrappers
    for name in vectors_029.CLASSES:
        setattr(vector, name, getattr(vectors_029, name))
    vector.make = vectors_029.make
    for name in wrappers_029.CLASSES:
        setattr(wrappers, name, getattr(wrappers_029, name))
    wrappers.RunningMeanStd = wrappers_029.RunningMeanStd
    wrappers.AutoResetWrapper = wrappers.Autoreset
    _register_modules(wrappers)
    if not hasattr(gymnasium.Env, "reward_range"):
        gymnasium.Env.reward_range = (-float("inf"), float("inf"))
    if "__getattr__" not in vars(gymnasium.Wrapper):
        gymnasium.Wrapper.__getattr__ = wrappers_029.inner_attribute
    _register_atari(gymnasium)


def _files() -> Iterator[str]:
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    seen = {main} if main else set()
    frame: Any = sys._getframe()
    while frame is not None:
        path = frame.f_code.co_filename
        if "site-packages" not in path and __package__.replace(".", "/") not in path:
            seen.add(path)
        frame = frame.f_back
    yield from seen


def _register_modules(wrappers: Any) -> None:
    for name, classes in OLD_MODULES.items():
        full = f"{wrappers.__name__}.{name}"
        if full in sys.modules:
            continue  # a module of 1.x, which its own classes need
        module = ModuleType(full)
        for wanted in classes:
            setattr(module, wanted, getattr(wrappers, wanted))
        sys.modules[full] = module
        setattr(wrappers, name, module)


def _register_atari(gymnasium: Any) -> None:
    """With 0.29 Atari games were registered without an import; with 1.x ale_py must be imported."""
    import importlib.util

    if importlib.util.find_spec("ale_py") is not None and hasattr(gymnasium, "register_envs"):
        import ale_py

        gymnasium.register_envs(ale_py)
