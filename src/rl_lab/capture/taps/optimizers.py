"""Notes when a torch optimiser makes a step: the environments stepped before it are those that the script trains in.

Of a script that learns from a dataset, these are the steps of the run.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.d4rl_standin.dataset_run import DatasetRun
    from rl_lab.capture.session import CaptureSession


def tap_optimizers(module: ModuleType, session: CaptureSession) -> None:
    """By the hook that torch offers for all optimisers; older versions of torch have none, and nothing is noted."""
    register = getattr(module, "register_optimizer_step_post_hook", None)
    if register is None:
        return

    if session.dataset_run is not None:
        register(_counting(session, session.dataset_run))
        return

    def stepped(_optimizer: Any, _args: Any, _kwargs: Any) -> None:
        roles = session.roles
        if roles is not None and session.is_main_process:
            roles.learners.updated()

    register(stepped)


def _counting(session: CaptureSession, run: DatasetRun) -> Any:
    count = run.count_update

    def counted(optimizer: Any, _args: Any, _kwargs: Any) -> None:
        if session.is_main_process:
            count(optimizer)

    return counted
