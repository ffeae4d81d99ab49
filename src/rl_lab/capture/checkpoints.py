"""Checkpoints of a script that saves none itself: the state of its modules and optimisers, as one file.

`torch.load(path, weights_only=True)` gives {"modules": {name: state_dict}, "optimizers": {…}, "step": n}.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.models import FoundModels, find_models, keep_models

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

NOTHING = (
    "No checkpoint can be saved: no torch module was found in the script's variables. "
    "Weights that the script saves itself are listed with its files."
)


def save_checkpoint(
    session: CaptureSession, role: str, frames: Sequence[FrameType], *, is_asked: bool
) -> None:
    """Never ends the script: a failure is logged."""
    try:
        models = find_models(session, frames) if frames else keep_models(session)
        if models:
            _save(session, models, role)
        elif is_asked:
            # At the end no checkpoint was requested: a script without networks is fine.
            session.log_once("no_checkpoint", NOTHING, "info" if role == "final" else "warning")
    except Exception as error:
        message = f"The checkpoint could not be saved: {type(error).__name__}: {error}"
        session.log_once("checkpoint_failed", message)


def _save(session: CaptureSession, models: FoundModels, role: str) -> None:
    from pathlib import Path

    from rl_lab.portable.atomic_files import save_file

    step = session.timestep
    state = state_of(models, step)
    path = Path(session.run_dir) / "checkpoints" / f"step-{step:09d}.pt"
    saved = save_file(lambda aside: sys.modules["torch"].save(state, aside), path)
    session.telemetry.checkpoint(
        path=f"checkpoints/{path.name}", timestep=step, role=role, size=saved.size, sha256=saved.sha256
    )


def state_of(models: FoundModels, step: int) -> dict[str, Any]:
    return {
        "modules": {name: module.state_dict() for name, module in models.modules.items()},
        "optimizers": {name: optimizer.state_dict() for name, optimizer in models.optimizers.items()},
        "step": step,
    }
