"""Explains why a worker failed: cause, message, next step."""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback

from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.extras import find_extra, how_to_install, pip_command
from rl_lab.core.own_environments import OWN_ENVIRONMENTS
from rl_lab.portable.failures import CALMER, Failure, known_package, missing_module
from rl_lab.worker.telemetry import Telemetry


class Diverged(FloatingPointError):
    """Learning diverged: a loss or a weight is not a number any more."""

    def __init__(self, message: str = "", *, next_step: str = "") -> None:
        super().__init__(message)
        self.next_step = next_step


class LearningRateTooHigh(Diverged):
    """Training diverged; the next step names a lower learning rate."""

    def __init__(self, message: str, rate: float) -> None:
        super().__init__(message)
        self.next_step = f"Lower learning_rate from {rate:g} to {rate / 3:.2g}, then start again."


def blame_rewards(error: Exception) -> Diverged | None:
    """For an environment that has returned a reward that is not a number: no learning rate helps against that.

    None for an error that is no divergence.
    """
    failure = _diverged(error)
    if failure is None:
        return None
    return Diverged(
        f"{failure.message} The environment had returned a reward that is not a finite number.",
        next_step="Correct the environment: every reward must be a finite number.",
    )


def remedy_for_module(module: str) -> str:
    """How to install the package that contains `module`."""
    extra, command = find_extra(module.partition(".")[0]), install_command(module)
    if extra:
        return how_to_install(extra)
    if command is None:
        return f"The lab does not know which package has it; install that package into {sys.executable}."
    return f"Install it with: {command}"


def install_command(module: str) -> str | None:
    """The exact command that installs the package that contains `module`; None: not known which one."""
    top = module.partition(".")[0]
    extra, package = find_extra(top), known_package(top)
    if extra:
        return pip_command(extra)
    return f"pip install '{package}'" if package else None


def report_failure(telemetry: Telemetry, error: BaseException) -> None:
    """The last event of a process that fails; the traceback goes to its log."""
    traceback.print_exception(error)
    failure = explain(error)
    try:
        telemetry.finished(
            "failed", cause=failure.cause, message=failure.message, next_step=failure.next_step
        )
    except OSError:
        print("The lab does not listen any more.", file=sys.stderr)


def explain(error: BaseException) -> Failure:
    """The failure for an exception that ended the worker."""
    for known in (_missing, _memory, _diverged, _interrupted, _config, _disk):
        failure = known(error)
        if failure is not None:
            return failure
    lines = str(error).strip().splitlines()
    last = f": {lines[-1]}" if lines else ""
    place = own_place(error)
    if place is not None:
        file, line = place
        return Failure(
            "code-failed",
            f"Your environment failed in line {line} of {file} with {type(error).__name__}{last}",
            "Correct it on the Workbench and train in the new version; the log has the full traceback.",
        )
    return Failure(
        "crashed",
        f"The worker crashed with {type(error).__name__}{last}",
        "The log has the full traceback; if the run has a checkpoint, it can be resumed from there.",
    )


def own_place(error: BaseException) -> tuple[str, int] | None:
    """File and line of the user's own environment where an error comes from; None for any other.

    The error of a forked process carries its traceback as text.
    """
    folder = os.environ.get(OWN_ENVIRONMENTS)
    if not folder:
        return None
    text = "".join(traceback.format_exception(error)) + str(error)
    found = re.findall(rf'File "{re.escape(folder)}/[^/"]+/v\d+/([^"]+)", line (\d+)', text)
    return (found[-1][0], int(found[-1][1])) if found else None


def _missing(error: BaseException) -> Failure | None:
    module = missing_module(error)
    if module is None:
        return None
    return Failure(
        "missing-package", f"The Python package “{module}” is not installed.", remedy_for_module(module)
    )


def _memory(error: BaseException) -> Failure | None:
    # torch is not imported for this: its class is recognised by name.
    if type(error).__name__ == "OutOfMemoryError" or "CUDA out of memory" in str(error):
        return Failure(
            "out-of-memory",
            "The GPU ran out of memory.",
            "Use a smaller batch or network, fewer environments, or the CPU (device: cpu).",
        )
    if isinstance(error, MemoryError):
        return Failure(
            "out-of-memory",
            "The worker ran out of memory.",
            "Use a smaller replay buffer or batch, fewer environments, or close other programs.",
        )
    return None


def _diverged(error: BaseException) -> Failure | None:
    # torch.distributions refuses NaN logits with this ValueError.
    nan_policy = (
        isinstance(error, ValueError) and "invalid values" in str(error) and "nan" in str(error).lower()
    )
    if not isinstance(error, FloatingPointError) and not nan_policy:
        return None
    message = (
        str(error) if isinstance(error, Diverged) and str(error) else "Learning diverged: values became NaN."
    )
    advice = error.next_step if isinstance(error, Diverged) else ""
    return Failure("diverged", message, advice or CALMER)


def _interrupted(error: BaseException) -> Failure | None:
    if not isinstance(error, KeyboardInterrupt):
        return None
    return Failure(
        "interrupted", "The worker was interrupted from the keyboard.", "Resume the run to continue."
    )


def _config(error: BaseException) -> Failure | None:
    from pydantic import ValidationError  # only after a failure: processes that draw start sooner without it

    if isinstance(error, NotReady):
        return Failure(error.cause, error.detail, error.next_step or "")
    if isinstance(error, InvalidInput):
        return Failure("bad-config", error.detail, error.next_step or "Correct the setting and start again.")
    if isinstance(error, LabError):
        return Failure("crashed", error.detail, error.next_step or "")
    if isinstance(error, ValidationError):
        errors = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        return Failure(
            "bad-config", f"The job is not valid: {errors}", "Correct the setting and start again."
        )
    if {cls.__name__ for cls in type(error).__mro__} & {"UnregisteredEnv", "DeprecatedEnv"}:
        return Failure(
            "bad-config", str(error).strip(), "`rl-lab envs` lists the environments of this machine."
        )
    return None


def _disk(error: BaseException) -> Failure | None:
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return None
    return Failure("disk-full", "The disk is full.", "Free some space, then resume the run.")
