"""The option --deterministic in a worker: what is made deterministic, and what cannot be.

Its variables (hash seed, cuBLAS, threads) are set by the lab before the process starts.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

from rl_lab.portable.emitter import Emitter

DONE, NOT_DONE = "deterministic", "not_deterministic"
"""Types of the lines in the event log."""


def make_deterministic(telemetry: Emitter, *, seed: int, env_id: str, is_exact: bool) -> None:
    """Call it when the libraries of the learner are loaded, before it draws its first number."""
    random.seed(seed)
    done = [f"random generators seeded with {seed}", "hash seed 0", "one thread per library"]
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    torch = sys.modules.get("torch")
    if torch is not None:
        _settle_torch(torch, seed)
        _log_warnings(telemetry)
        done.append("deterministic algorithms of torch, cuDNN and cuBLAS")
    telemetry.log("info", f"Deterministic: {', '.join(done)}.", DONE)
    if not is_exact:
        message = f"Not deterministic: {env_id} gives other steps for the same seed and actions."
        telemetry.log("warning", message, NOT_DONE)


def _settle_torch(torch: Any, seed: int) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    # Operations without a deterministic version are reported, not refused: the run says what it cannot promise.
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


def _log_warnings(telemetry: Emitter) -> None:
    """torch warns about each operation that has no deterministic version, once."""
    show: Callable[..., None] = warnings.showwarning

    def log_and_show(message: Any, *rest: Any, **named: Any) -> None:
        text = str(message)
        if "deterministic" in text:
            telemetry.log("warning", f"Not deterministic: {text[:500]}", NOT_DONE)
        show(message, *rest, **named)

    warnings.showwarning = log_and_show
